"""Writes the card, `model.json`, of a folder with the files of our model: python training/card.py FOLDER.

The revision names the vector space. It is kept from an existing card, because a better file of the same space must not
make the vectors in stores useless; `--new-space` replaces it by the hash of the files.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from pathlib import Path
from typing import Any

from holdfast.models.model_files import CARD, sha256
from holdfast.models.own_model import read_space

VOCABULARY, TOKENS, STATIC, SMALL, BASE = "vocabulary.txt", "tokens.bin", "static.bin", "small.onnx", "base.onnx"
DIMENSIONS, MAX_TOKENS = 384, 512


def write_card(folder: Path, *, query_prefix: str | None = None, cosines: Any = None, new_space: bool = False) -> None:
    """Writes the card of the main folder; `query_prefix` is that of the transformer sizes; else the card keeps it."""
    card = folder / CARD
    before = json.loads(card.read_text(encoding="utf-8")) if card.is_file() else {}
    files = {path.name: sha256(path) for path in sorted(folder.iterdir()) if path.is_file() and path != card}
    if query_prefix is None:
        query_prefix = before.get("sizes", {}).get("small", {}).get("query_prefix", "")
    graph = {"max_tokens": MAX_TOKENS, "query_prefix": query_prefix, "passage_prefix": ""}
    fields = {
        "name": "holdfast-embed",
        "revision": _revision(files) if new_space or "revision" not in before else before["revision"],
        "dimensions": DIMENSIONS,
        "vocabulary": VOCABULARY,
        "tokens": TOKENS,
        "sizes": {
            "static": {"file": STATIC, "max_tokens": MAX_TOKENS, "query_prefix": "", "passage_prefix": ""},
            "small": {"file": SMALL, **graph},
            "base": {"file": BASE, **graph},
        },
        "cosines": _scales(cosines) if cosines is not None else before.get("cosines", {}),
        "files": files,
    }
    _write(card, fields)
    read_space(folder)  # raises an error if a field is wrong


def write_base_card(folder: Path, main: Path) -> None:
    """Writes the card of the optional package: the vector space it belongs to, and the hash of its graph."""
    space = read_space(main)
    _write(folder / CARD, {"name": space.name, "revision": space.revision, "files": {BASE: sha256(folder / BASE)}})


def _scales(cosines: Any) -> Any:
    """Returns the cosines as the card has them; figures by size of query and of passage serve for two passages too."""
    if "queries" in cosines:
        return cosines
    by_sizes = {f"{one}/{other}": figures for one, others in cosines.items() for other, figures in others.items()}
    sizes = ("static", "small", "base")
    ordered = [f"{one}/{other}" for at, one in enumerate(sizes) for other in sizes[at:]]
    return {"queries": by_sizes, "passages": {pair: by_sizes[pair] for pair in ordered if pair in by_sizes}}


def _revision(files: dict[str, str]) -> str:
    return hashlib.sha256("".join(files[name] for name in (VOCABULARY, TOKENS, STATIC, SMALL)).encode()).hexdigest()


def _write(card: Path, fields: dict[str, Any]) -> None:
    card.write_text(json.dumps(fields, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--query-prefix", help="what small and base put before a query")
    parser.add_argument("--cosines", type=Path, help="a JSON file, as `python -m bench.cosines FOLDER` prints it")
    parser.add_argument("--new-space", action="store_true", help="the vectors of earlier files cannot be compared")
    parser.add_argument("--base", type=Path, help="the folder of base.onnx; its card is written too")
    asked = parser.parse_args()
    cosines = json.loads(asked.cosines.read_text(encoding="utf-8")) if asked.cosines else None
    write_card(asked.folder, query_prefix=asked.query_prefix, cosines=cosines, new_space=asked.new_space)
    if asked.base:
        write_base_card(asked.base, asked.folder)


if __name__ == "__main__":
    main()
