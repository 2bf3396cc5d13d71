"""Vectors of the single sentences (views) of a passage: 8 bits per dimension, compared with the query's vector."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

_SCALE_BYTES = 4


def pack_views(vectors: Floats) -> bytes:
    """Packs each vector as one 4-byte scale followed by one signed byte per dimension."""
    if not len(vectors):
        return b""
    scales = (np.abs(vectors).max(axis=1, keepdims=True) / 127).astype("<f4")
    numbers = np.rint(vectors / np.maximum(scales, 1e-12)).astype(np.int8)
    return np.concatenate((scales.view(np.uint8), numbers.view(np.uint8)), axis=1).tobytes()


def compare_views(vector: Floats, views: Sequence[bytes]) -> Floats:
    """Scores each passage by the cosine of its nearest view; -1 without views."""
    scores = np.full(len(views), -1.0, np.float32)
    viewed = [row for row, view in enumerate(views) if view]
    if not viewed:
        return scores
    rows = np.frombuffer(b"".join(views), np.uint8).reshape(-1, _SCALE_BYTES + vector.size)
    scales = rows[:, :_SCALE_BYTES].copy().view("<f4")[:, 0]
    similarity = (rows[:, _SCALE_BYTES:].view(np.int8).astype(np.float32) @ vector) * scales
    sizes = np.array([len(views[row]) // (_SCALE_BYTES + vector.size) for row in viewed])
    scores[viewed] = np.maximum.reduceat(similarity, np.concatenate(([0], np.cumsum(sizes)[:-1])))
    return scores
