"""An embedder that remembers what it has embedded (R-B4)."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from holdfast.models.protocols import Embedder, Vectors


class VectorCache(Protocol):
    """Where vectors are remembered; when they expire is its own affair."""

    def get(self, keys: Sequence[str]) -> dict[str, bytes]:
        """What is known of these keys; an unknown key is left out."""
        ...

    def put(self, entries: Mapping[str, bytes]) -> None: ...


class CachedEmbedder:
    """Asks the inner embedder only for texts it has not seen.

    A vector is the same from the cache as fresh: both went through the cache's 16-bit floats.
    """

    def __init__(self, inner: Embedder, cache: VectorCache) -> None:
        self.inner = inner
        self._cache = cache

    @property
    def id(self) -> str:
        return self.inner.id

    @property
    def dimensions(self) -> int:
        return self.inner.dimensions

    def embed(self, texts: Sequence[str]) -> Vectors:
        keys = [self._key("passage", text) for text in texts]
        known = self._known(keys)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if missing:
            vectors = self.inner.embed(list(missing.values()))
            known |= self._remember(dict(zip(missing, vectors, strict=True)))
        return _unpack([known[key] for key in keys], self.dimensions)

    def embed_query(self, text: str) -> Vectors:
        key = self._key("query", text)
        known = self._known([key]) or self._remember({key: self.inner.embed_query(text)})
        vector: Vectors = _unpack([known[key]], self.dimensions)[0]
        return vector

    def _key(self, use: str, text: str) -> str:
        told = "\0".join((use, self.id, str(self.dimensions), text))
        return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()

    def _known(self, keys: Sequence[str]) -> dict[str, bytes]:
        found = self._cache.get(list(dict.fromkeys(keys)))
        return {key: packed for key, packed in found.items() if len(packed) == 2 * self.dimensions}

    def _remember(self, vectors: Mapping[str, Vectors]) -> dict[str, bytes]:
        packed = {key: vector.astype("<f2").tobytes() for key, vector in vectors.items()}
        self._cache.put(packed)
        return packed


def _unpack(packed: Sequence[bytes], dimensions: int) -> Vectors:
    import numpy as np

    vectors = np.frombuffer(b"".join(packed), "<f2").reshape(-1, dimensions).astype(np.float32)
    unit: Vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return unit
