"""An embedder that caches the vectors of texts it has embedded."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from holdfast.core.vector_size import VectorSize
    from holdfast.models.protocols import Embedder, Vectors


class VectorCache(Protocol):
    """Storage for vectors by key. The cache decides when entries expire."""

    def get(self, keys: Sequence[str]) -> dict[str, bytes]:
        """Returns the entries of the known keys; unknown keys are left out."""
        ...

    def put(self, entries: Mapping[str, bytes]) -> None: ...


class CachedEmbedder:
    """Calls the inner embedder only for texts that are not in the cache.

    A new vector equals a cached one exactly, because both are rounded to the cache's 16-bit floats.
    """

    def __init__(self, inner: Embedder, cache: VectorCache) -> None:
        self.inner = inner
        self._cache = cache

    @property
    def id(self) -> str:
        return self.inner.id

    @property
    def size(self) -> VectorSize:
        return self.inner.size

    @property
    def dimensions(self) -> int:
        return self.inner.dimensions

    def embed(self, texts: Sequence[str]) -> Vectors:
        if texts and not self.dimensions:  # An endpoint that was never asked; the keys contain its dimensions.
            self.inner.embed(texts[:1])
        keys = [self._key("passage", text) for text in texts]
        known = self._known(keys)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if missing:
            vectors = self.inner.embed(list(missing.values()))
            known |= self._store(dict(zip(missing, vectors, strict=True)))
        return _unpack([known[key] for key in keys], self.dimensions)

    def embed_query(self, text: str) -> Vectors:
        import numpy as np

        if not self.dimensions:
            self.inner.embed_query(text)
        key = self._key("query", text)
        known = self._known([key]) or self._store({key: np.asarray(self.inner.embed_query(text))})
        vector: Vectors = _unpack([known[key]], self.dimensions)[0]
        return vector

    def _key(self, use: str, text: str) -> str:
        # A model with one size keeps the keys it had before models had sizes.
        space = f"{self.id} {self.size.name}" if self.size else self.id
        identity = "\0".join((use, space, str(self.dimensions), text))
        return hashlib.sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()

    def _known(self, keys: Sequence[str]) -> dict[str, bytes]:
        entries = self._cache.get(list(dict.fromkeys(keys)))
        return {key: packed for key, packed in entries.items() if len(packed) == 2 * self.dimensions}

    def _store(self, vectors: Mapping[str, Vectors]) -> dict[str, bytes]:
        packed = {key: vector.astype("<f2").tobytes() for key, vector in vectors.items()}
        self._cache.put(packed)
        return packed


def _unpack(packed: Sequence[bytes], dimensions: int) -> Vectors:
    import numpy as np

    vectors = np.frombuffer(b"".join(packed), "<f2").reshape(-1, dimensions).astype(np.float32)
    unit: Vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return unit
