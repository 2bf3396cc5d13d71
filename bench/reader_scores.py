"""What readers said about examples that they were not trained on; the model that uses the reader is fitted on these.

`python -m bench.reader_scores LEFT_OUT` packs the file that `training/reader.py --folds` writes.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast.models.reader import KEEP

FILE = Path(__file__).parent / "sets" / "reader" / "left_out.npz"


@cache
def left_out_scores() -> Mapping[int, NDArray[np.float32]]:
    """The scores by the key of two texts: those of the relations, then that of keeping."""
    with np.load(FILE) as arrays:
        return dict(zip(arrays["keys"].tolist(), arrays["scores"].astype(np.float32), strict=True))


def key(first: str, second: str) -> int:
    """A number that stands for two texts."""
    return int.from_bytes(hashlib.blake2b(f"{first}\0{second}".encode(), digest_size=8).digest(), "big", signed=True)


def pack(file: Path) -> None:
    """Writes the scores as arrays."""
    found = {key(row["a"], row["b"]): row["scores"][: KEEP + 1] for row in _rows(file)}
    FILE.parent.mkdir(exist_ok=True)
    scores = np.array(list(found.values()), np.float16)
    np.savez_compressed(FILE, keys=np.array(list(found), np.int64), scores=scores)
    print(f"{len(found)} examples, {FILE.stat().st_size / 1e3:.0f} kB")


def _rows(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


if __name__ == "__main__":
    pack(Path(sys.argv[1]))
