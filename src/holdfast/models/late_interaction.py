"""A closer look: the vectors of single sentences, and late interaction of a question's tokens with a passage's.

A token's vector is turned to its 64 most telling directions and kept in 4 bits each: 32 bytes a token, and the
telling ones only. A sentence's vector is kept in 8 bits a number. Both are made with the passage's own vector: the
tokens in the same run of the model, the sentences in short ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from holdfast.models.local import LocalEmbedder

    Floats = NDArray[np.float32]

DIRECTIONS = Path(__file__).parent / "data" / "directions.npz"
_KEPT = 64
_BYTES = _KEPT // 2
_STEPS, _REACH = 15, 2.5
_SCALE = 4
_ALONE = 200_000


class PassageEncoding(NamedTuple):
    """What is kept of a passage: its vector, those of its sentences and the codes of its tokens."""

    vector: Floats
    views: bytes
    tokens: bytes


@dataclass(frozen=True, slots=True)
class EncodedQuery:
    """A question, ready to be compared: its vector, and its telling tokens as the codes want them."""

    vector: Floats
    tokens: Floats
    common: float


class LateInteraction:
    """Reads texts with the bundled model. Other models have no fitted directions: `fits` says so."""

    def __init__(self, embedder: LocalEmbedder) -> None:
        self._embedder = embedder

    @staticmethod
    def fits(embedder_id: str) -> bool:
        """Are there directions for the token vectors of that model?"""
        return DIRECTIONS.is_file() and embedder_id == str(np.load(DIRECTIONS)["model"])

    @property
    def id(self) -> str:
        return self._embedder.id

    def look(self, text: str, views: Sequence[str] = ()) -> PassageEncoding:
        """The vector of a text, those of the views on it, and the codes of its telling tokens."""
        vector, tokens, ids = self._embedder.embed_whole(text)
        told = tokens[self._known.telling[ids]]
        return PassageEncoding(vector, pack_views(self._embedder.embed(views)), self._known.pack(told))

    def ask(self, question: str) -> EncodedQuery:
        """A question; when none of its tokens is telling, all of them count."""
        vector, tokens, ids = self._embedder.embed_query_whole(question)
        telling = self._known.telling[ids]
        told = tokens[telling] if telling.any() else tokens
        return EncodedQuery(vector, *self._known.project(told))

    @cached_property
    def _known(self) -> _Directions:
        return _directions()


def compare_tokens(asked: EncodedQuery, codes: Sequence[bytes]) -> Floats:
    """For each passage the mean over the question's tokens of its nearest token's cosine; 0 for one without codes."""
    scores = np.zeros(len(codes), np.float32)
    there = np.array([row for row, code in enumerate(codes) if code], np.int64)
    if not there.size or not asked.tokens.size:
        return scores
    packed = np.frombuffer(b"".join(codes), np.uint8).reshape(-1, _BYTES)
    sizes = np.array([len(codes[row]) // _BYTES for row in there])
    starts = np.concatenate(([0], np.cumsum(sizes)[:-1]))
    # Why in halves: a nibble becomes a number by arithmetic on whole arrays, several times faster than by a table.
    numbers = np.concatenate((packed >> 4, packed & 15), axis=1).astype(np.float32)
    wanted = np.concatenate((asked.tokens[:, ::2], asked.tokens[:, 1::2]), axis=1).T
    near = _multiplied(numbers, wanted)
    best = np.maximum.reduceat(near, starts, axis=0) * (2 * _REACH / _STEPS) - _REACH * asked.tokens.sum(1)
    scores[there] = best.mean(1) + asked.common
    return scores


def _multiplied(rows: Floats, columns: Floats) -> Floats:
    """A product in blocks too small to be shared among threads.

    Why: on a busy machine a shared product waits for the slowest thread, ten times as long as it takes alone.
    """
    done = np.empty((rows.shape[0], columns.shape[1]), np.float32)
    block = max(_ALONE // columns.size, 16)
    for start in range(0, len(rows), block):
        np.matmul(rows[start : start + block], columns, out=done[start : start + block])
    return done


def compare_views(asked: EncodedQuery, views: Sequence[bytes]) -> Floats:
    """For each passage the cosine of its nearest view; -1 for one without views."""
    scores = np.full(len(views), -1.0, np.float32)
    there = [row for row, view in enumerate(views) if view]
    if not there:
        return scores
    width = asked.vector.size
    rows = np.frombuffer(b"".join(views), np.uint8).reshape(-1, _SCALE + width)
    scales = rows[:, :_SCALE].copy().view("<f4")[:, 0]
    near = (rows[:, _SCALE:].view(np.int8).astype(np.float32) @ asked.vector) * scales
    sizes = np.array([len(views[row]) // (_SCALE + width) for row in there])
    scores[there] = np.maximum.reduceat(near, np.concatenate(([0], np.cumsum(sizes)[:-1])))
    return scores


def pack_views(vectors: Floats) -> bytes:
    """Vectors as one scale and 8 bits a number each."""
    if not len(vectors):
        return b""
    scales = (np.abs(vectors).max(axis=1, keepdims=True) / 127).astype("<f4")
    numbers = np.rint(vectors / np.maximum(scales, 1e-12)).astype(np.int8)
    return np.concatenate((scales.view(np.uint8), numbers.view(np.uint8)), axis=1).tobytes()


@dataclass(frozen=True, slots=True)
class _Directions:
    """The directions in which token vectors differ most, how far they reach, and which tokens tell something."""

    mean: Floats
    basis: Floats
    spread: Floats
    telling: NDArray[np.bool_]

    def pack(self, tokens: Floats) -> bytes:
        turned = (tokens - self.mean) @ self.basis / self.spread
        steps = np.clip(np.rint((turned + _REACH) / (2 * _REACH) * _STEPS), 0, _STEPS).astype(np.uint8)
        return (steps[:, ::2] << 4 | steps[:, 1::2]).tobytes()

    def project(self, tokens: Floats) -> tuple[Floats, float]:
        """Tokens to be multiplied with unpacked codes, and the part of every cosine that is the same for all."""
        common = float((tokens @ self.mean).mean()) if len(tokens) else 0.0
        return (tokens @ self.basis * self.spread).astype(np.float32), common


@cache
def _directions() -> _Directions:
    known = np.load(DIRECTIONS)
    telling = np.unpackbits(known["telling"])[: int(known["vocabulary"])].astype(np.bool_)
    basis = known["basis"].astype(np.float32)
    return _Directions(known["mean"].astype(np.float32), basis, known["spread"].astype(np.float32), telling)
