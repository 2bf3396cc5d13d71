"""Late interaction: compares the query with the single sentences (views) and tokens of a passage.

A token's vector is projected on 64 principal directions and stored in 4 bits each, 32 bytes a token; only informative
tokens are stored. A view's vector is stored in 8 bits per dimension. Tokens come from the same run of the model as the
passage's own vector; each view takes another, short run.
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
_DIRECTION_COUNT = 64
_TOKEN_BYTES = _DIRECTION_COUNT // 2
# A projected number is clipped to ±_CLIP standard deviations and rounded to one of 16 levels.
_MAX_LEVEL, _CLIP = 15, 2.5
_SCALE_BYTES = 4
# Multiplications below this size run in the calling thread.
_SINGLE_THREAD_SIZE = 200_000


class PassageEncoding(NamedTuple):
    """The stored encoding of a passage: its vector, the packed vectors of its views and its token codes."""

    vector: Floats
    views: bytes
    tokens: bytes


@dataclass(frozen=True, slots=True)
class EncodedQuery:
    """A query to compare with passages: its vector, and its informative tokens projected as token codes require."""

    vector: Floats
    tokens: Floats
    common: float


class LateInteraction:
    """Encodes texts with the bundled model. Other models have no fitted directions; see `fits`."""

    def __init__(self, embedder: LocalEmbedder) -> None:
        self._embedder = embedder

    @staticmethod
    def fits(embedder_id: str) -> bool:
        """Are there fitted directions for the token vectors of that model?"""
        return DIRECTIONS.is_file() and embedder_id == str(np.load(DIRECTIONS)["model"])

    def encode_passage(self, text: str, views: Sequence[str] = ()) -> PassageEncoding:
        """Returns the vector of a text, the packed vectors of its views and the codes of its informative tokens."""
        vector, tokens, ids = self._embedder.embed_whole(text)
        informative = tokens[self._directions.informative[ids]]
        return PassageEncoding(vector, pack_views(self._embedder.embed(views)), self._directions.pack(informative))

    def encode_query(self, text: str) -> EncodedQuery:
        """Encodes a query by its informative tokens; by all its tokens if none is informative."""
        vector, tokens, ids = self._embedder.embed_query_whole(text)
        informative = self._directions.informative[ids]
        chosen = tokens[informative] if informative.any() else tokens
        return EncodedQuery(vector, *self._directions.project(chosen))

    @cached_property
    def _directions(self) -> _Directions:
        return _load_directions()


def compare_tokens(query: EncodedQuery, codes: Sequence[bytes]) -> Floats:
    """Scores each passage by the mean, over the query's tokens, of the cosine to its nearest token; 0 without codes."""
    scores = np.zeros(len(codes), np.float32)
    coded = np.array([row for row, code in enumerate(codes) if code], np.int64)
    if not coded.size or not query.tokens.size:
        return scores
    packed = np.frombuffer(b"".join(codes), np.uint8).reshape(-1, _TOKEN_BYTES)
    sizes = np.array([len(codes[row]) // _TOKEN_BYTES for row in coded])
    starts = np.concatenate(([0], np.cumsum(sizes)[:-1]))
    # Unpacking nibbles by arithmetic on whole arrays is several times faster than by a lookup table.
    levels = np.concatenate((packed >> 4, packed & 15), axis=1).astype(np.float32)
    columns = np.concatenate((query.tokens[:, ::2], query.tokens[:, 1::2]), axis=1).T
    similarity = _multiply(levels, columns)
    best = np.maximum.reduceat(similarity, starts, axis=0) * (2 * _CLIP / _MAX_LEVEL) - _CLIP * query.tokens.sum(1)
    scores[coded] = best.mean(1) + query.common
    return scores


def _multiply(rows: Floats, columns: Floats) -> Floats:
    """Multiplies in blocks too small for BLAS to share among threads.

    On a busy machine a shared product waits for the slowest thread, up to ten times as long as one thread needs.
    """
    product = np.empty((rows.shape[0], columns.shape[1]), np.float32)
    block = max(_SINGLE_THREAD_SIZE // columns.size, 16)
    for start in range(0, len(rows), block):
        np.matmul(rows[start : start + block], columns, out=product[start : start + block])
    return product


def compare_views(query: EncodedQuery, views: Sequence[bytes]) -> Floats:
    """Scores each passage by the cosine of its nearest view; -1 without views."""
    scores = np.full(len(views), -1.0, np.float32)
    viewed = [row for row, view in enumerate(views) if view]
    if not viewed:
        return scores
    width = query.vector.size
    rows = np.frombuffer(b"".join(views), np.uint8).reshape(-1, _SCALE_BYTES + width)
    scales = rows[:, :_SCALE_BYTES].copy().view("<f4")[:, 0]
    similarity = (rows[:, _SCALE_BYTES:].view(np.int8).astype(np.float32) @ query.vector) * scales
    sizes = np.array([len(views[row]) // (_SCALE_BYTES + width) for row in viewed])
    scores[viewed] = np.maximum.reduceat(similarity, np.concatenate(([0], np.cumsum(sizes)[:-1])))
    return scores


def pack_views(vectors: Floats) -> bytes:
    """Packs each vector as one 4-byte scale followed by one signed byte per dimension."""
    if not len(vectors):
        return b""
    scales = (np.abs(vectors).max(axis=1, keepdims=True) / 127).astype("<f4")
    numbers = np.rint(vectors / np.maximum(scales, 1e-12)).astype(np.int8)
    return np.concatenate((scales.view(np.uint8), numbers.view(np.uint8)), axis=1).tobytes()


@dataclass(frozen=True, slots=True)
class _Directions:
    """The directions of largest variance of token vectors, the spread along each, and a mask of informative tokens."""

    mean: Floats
    basis: Floats
    spread: Floats
    informative: NDArray[np.bool_]

    def pack(self, tokens: Floats) -> bytes:
        projected = (tokens - self.mean) @ self.basis / self.spread
        levels = np.clip(np.rint((projected + _CLIP) / (2 * _CLIP) * _MAX_LEVEL), 0, _MAX_LEVEL).astype(np.uint8)
        return (levels[:, ::2] << 4 | levels[:, 1::2]).tobytes()

    def project(self, tokens: Floats) -> tuple[Floats, float]:
        """Returns tokens to multiply with unpacked codes, and the term that all their cosines have in common."""
        common = float((tokens @ self.mean).mean()) if len(tokens) else 0.0
        return (tokens @ self.basis * self.spread).astype(np.float32), common


@cache
def _load_directions() -> _Directions:
    arrays = np.load(DIRECTIONS)
    informative = np.unpackbits(arrays["telling"])[: int(arrays["vocabulary"])].astype(np.bool_)
    basis = arrays["basis"].astype(np.float32)
    return _Directions(arrays["mean"].astype(np.float32), basis, arrays["spread"].astype(np.float32), informative)
