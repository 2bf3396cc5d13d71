"""Puts the pairs and texts of all sources together, and writes a manifest of counts and hashes.

python -m training.assemble --parts DIR --work training/work

`DIR` holds the files that the makers of pairs and texts wrote (PAIR_FILES, TEXT_FILES). Only pairs of the training part
are taken. A fixed seed makes the choice: equal parts give an equal manifest.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import lzma
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from training.sources import sources

SEED = 7
PAIR_FILES = ("dialogue_pairs", "generated_pairs", "document_pairs", "translated_pairs", "written_pairs")
TEXT_FILES = ("dialogue_texts", "texts")


def assemble(parts: Path, work: Path, share: float = 1.0) -> dict[str, Any]:
    """Writes pairs, a share of the other texts, and the manifest; returns the manifest."""
    rows = [row for name in PAIR_FILES for row in _read(parts / f"{name}.jsonl.xz") if row["part"] == "train"]
    pairs = list({(row["question"], row["passage"]): row for row in rows}.values())
    known = {text for row in pairs for text in (row["question"], row["passage"])}
    others = dict.fromkeys((kind, text) for name in TEXT_FILES for kind, text in _read(parts / f"{name}.jsonl.xz"))
    draw = random.Random(SEED)
    texts = [row for row in others if row[1] not in known and draw.random() < share]
    work.mkdir(parents=True, exist_ok=True)
    manifest = {
        "seed": SEED,
        "share of texts": share,
        "files": {
            "pairs.jsonl.xz": _write(work / "pairs.jsonl.xz", pairs),
            "texts.jsonl.xz": _write(work / "texts.jsonl.xz", texts),
        },
        "pairs": dict(sorted(Counter(f"{row['source']} {row['kind']}" for row in pairs).items())),
        "texts": dict(Counter(kind for kind, _ in texts)),
        "sources": {
            name: f"{source.commit} {source.licence}"
            for name, source in sorted(sources().items())
            if source.teaches("embedder")
        },
    }
    (work / "manifest.json").write_text(json.dumps(manifest, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return manifest


def _write(file: Path, rows: Sequence[Any]) -> dict[str, Any]:
    """Writes rows and returns their number and the hash of the text before compression."""
    data = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()
    file.write_bytes(lzma.compress(data, preset=5))
    return {"rows": len(rows), "sha256": hashlib.sha256(data).hexdigest()}


def _read(file: Path) -> Iterable[Any]:
    with lzma.open(file, "rt", encoding="utf-8") as opened:
        yield from map(json.loads, opened)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parts", type=Path, required=True)
    parser.add_argument("--work", type=Path, default=Path("training/work"))
    parser.add_argument("--share", type=float, default=1.0, help="the share of the texts without labels that is taken")
    options = parser.parse_args()
    print(json.dumps(assemble(options.parts, options.work, options.share), indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
