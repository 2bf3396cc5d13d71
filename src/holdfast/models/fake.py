"""Deterministic stand-ins for models, for tests and experiments: no weights, no network, instant."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from holdfast.core.errors import ModelRefused
from holdfast.core.vector_size import VectorSize
from holdfast.models.protocols import ChatReply

if TYPE_CHECKING:
    from holdfast.models.protocols import Vectors


class FakeEmbedder:
    """Hashes words and their trigrams into a vector, so texts that share words or stems have similar vectors."""

    def __init__(self, dimensions: int = 256) -> None:
        self._dimensions = dimensions

    @property
    def id(self) -> str:
        return f"fake@1:{self._dimensions}"

    @property
    def size(self) -> VectorSize:
        return VectorSize.SINGLE

    @property
    def dimensions(self) -> int:
        return self._dimensions

    def embed(self, texts: Sequence[str]) -> Vectors:
        import numpy as np

        vectors = np.zeros((len(texts), self._dimensions), np.float32)
        for row, text in enumerate(texts):
            for feature, weight in _features(text):
                hashed = zlib.crc32(feature.encode("utf-8", "surrogatepass"))
                vectors[row, hashed % self._dimensions] += weight if hashed & 0x80000000 else -weight
            # Features may cancel out or be missing, but a vector must have length one.
            if not vectors[row].any():
                vectors[row, 0] = 1
        unit: Vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        return unit

    def embed_query(self, text: str) -> Vectors:
        vector: Vectors = self.embed([text])[0]
        return vector


class FakeReranker:
    """Scores a text by the share of the query's words it contains."""

    id = "fake"

    def rerank(self, query: str, texts: Sequence[str]) -> tuple[float, ...]:
        wanted = set(_words(query))
        return tuple(len(wanted & set(_words(text))) / (len(wanted) or 1) for text in texts)


class FakeChat:
    """Returns the given replies in order and records each (system, prompt) pair in `asked`."""

    id = "fake"

    def __init__(self, replies: Sequence[str] = ()) -> None:
        self._replies = list(replies)
        self.asked: list[tuple[str, str]] = []

    def complete(
        self, system: str, prompt: str, *, schema: Mapping[str, Any] | None = None, max_tokens: int = 1024
    ) -> ChatReply:
        self.asked.append((system, prompt))
        if not self._replies:
            raise ModelRefused("the fake model was given no more replies")
        text = self._replies.pop(0)
        return ChatReply(text, len(_words(system)) + len(_words(prompt)), len(_words(text)))


def _features(text: str) -> Iterator[tuple[str, float]]:
    for word in _words(text):
        yield word, min(len(word), 6) / 6
        padded = f"<{word}>"
        yield from ((padded[at : at + 3], 0.5) for at in range(len(padded) - 2))


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())
