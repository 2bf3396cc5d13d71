"""Moves trained weights between machines, and writes them as the files that the package reads.

python -m training.weights pack WORK OUT NAME...   writes weights as compressed arrays in files of at most 15 MiB
python -m training.weights files IN FOLDER BASE --vocabulary tokenizer.json   writes the model's files from them

`IN` also holds figures.json, from which the cosines of unrelated texts are taken.
"""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

_LIMIT = 15 * 2**20
_TABLES = ("tokens.weight", "vectors.weight")


def pack(work: Path, out: Path, names: list[str]) -> None:
    """Packs `tokens`, `static`, `small` or `base`. `small` and `base` share the token table of `tokens`."""
    import torch

    out.mkdir(parents=True, exist_ok=True)
    for name in names:
        state = torch.load(work / f"{'base' if name == 'tokens' else name}.pt", map_location="cpu", weights_only=True)
        arrays = {key: value.float().numpy() for key, value in state.items()}
        if name == "tokens":
            arrays = {"tokens.weight": arrays["tokens.weight"]}
        elif name != "static":
            del arrays["tokens.weight"]
        for number, part in enumerate(_parts(dict(_packed(arrays)))):
            np.savez_compressed(out / f"{name}-{number}.npz", **part)


def _packed(arrays: dict[str, NDArray[np.float32]]) -> Any:
    """Tables as 8-bit rows with a scale, everything else as 16-bit floats."""
    for key, value in arrays.items():
        if key in _TABLES:
            scale = np.maximum(np.abs(value).max(1, keepdims=True), 1e-12) / 127
            yield key, np.rint(value / scale).astype(np.int8)
            yield key + ".scale", scale.astype(np.float32)
        else:
            yield key, value.astype(np.float16)


def _parts(arrays: dict[str, Any]) -> list[dict[str, Any]]:
    parts: list[dict[str, Any]] = [{}]
    for key, value in arrays.items():
        if sum(each.nbytes for each in parts[-1].values()) + value.nbytes > _LIMIT:
            parts.append({})
        parts[-1][key] = value
    return parts


def unpack(folder: Path, name: str) -> dict[str, NDArray[np.float32]]:
    """Reads what `pack` wrote, as floats."""
    arrays: dict[str, Any] = {}
    for file in sorted(folder.glob(f"{name}-*.npz")):
        arrays |= dict(np.load(file))
    for key in _TABLES:
        if key in arrays:
            arrays[key] = arrays[key] * arrays.pop(key + ".scale")
    return {key: np.asarray(value, np.float32) for key, value in arrays.items()}


def write_files(packed: Path, folder: Path, base: Path, tokenizer: Path) -> None:
    """Writes vocabulary, tables and graphs, and the cards of both folders."""
    from holdfast.models.token_table import write_token_table
    from holdfast.models.wordpiece import write_vocabulary
    from training.card import write_base_card, write_card
    from training.graph import write_graph
    from training.texts_on_device import QUERY_PREFIX

    folder.mkdir(parents=True, exist_ok=True)
    base.mkdir(parents=True, exist_ok=True)
    vocabulary = folder / "vocabulary.txt"
    write_vocabulary(vocabulary, tokenizer)
    write_token_table(folder / "tokens.bin", unpack(packed, "tokens")["tokens.weight"], vocabulary=vocabulary)
    write_static(folder / "static.bin", unpack(packed, "static"), vocabulary)
    write_graph(folder / "small.onnx", unpack(packed, "small"))
    if (packed / "base.onnx").is_file():
        shutil.copy(packed / "base.onnx", base / "base.onnx")
    else:
        write_graph(base / "base.onnx", unpack(packed, "base"))
    cosines = _cosines(json.loads((packed / "figures.json").read_text()))
    write_card(folder, query_prefix=QUERY_PREFIX, cosines=cosines, new_space=True)
    write_base_card(base, folder)


def write_static(file: Path, arrays: dict[str, NDArray[np.float32]], vocabulary: Path) -> None:
    """Writes the static size; special tokens have no weight."""
    from holdfast.models.token_table import write_token_table

    weights = np.exp(arrays["weights.weight"])
    weights[[0, 101, 102]] = 0
    write_token_table(
        file,
        arrays["vectors.weight"],
        vocabulary=vocabulary,
        weights=(weights[:, 0], weights[:, 1]),
        biases=(arrays["bias"][0], arrays["bias"][1]),
    )


def _cosines(figures: dict[str, Any]) -> dict[str, dict[str, list[float]]]:
    """Mean and spread of unrelated cosines by query size and passage size, from the development part."""
    found: dict[str, dict[str, list[float]]] = {}
    for name, values in figures.items():
        part, _, sizes = name.partition(" ")
        query, _, passage = sizes.partition("/")
        if part == "development" and query != "original":
            found.setdefault(query, {})[passage] = [round(number, 4) for number in values["unrelated"]]
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("pack")
    one.add_argument("work", type=Path)
    one.add_argument("out", type=Path)
    one.add_argument("names", nargs="+", choices=("tokens", "static", "small", "base"))
    other = commands.add_parser("files")
    other.add_argument("packed", type=Path)
    other.add_argument("folder", type=Path)
    other.add_argument("base", type=Path)
    other.add_argument("--vocabulary", type=Path, required=True, help="the tokenizer.json of the original model")
    options = parser.parse_args()
    if options.command == "pack":
        pack(options.work, options.out, options.names)
    else:
        write_files(options.packed, options.folder, options.base, options.vocabulary)


if __name__ == "__main__":
    main()
