from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from holdfast.core.vector_size import VectorSize
from holdfast.models.cached import CachedEmbedder
from holdfast.models.fake import FakeEmbedder

from .test_embedders import DictCache

if TYPE_CHECKING:
    from holdfast.models.protocols import Vectors


class Counted(FakeEmbedder):
    def __init__(self, dimensions: int = 256) -> None:
        super().__init__(dimensions)
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.texts += texts
        return super().embed(texts)


def test_a_text_is_embedded_once() -> None:
    inner, cache = Counted(), DictCache()
    first = CachedEmbedder(inner, cache).embed(["a b", "c d", "a b"])
    again = CachedEmbedder(inner, cache).embed(["c d", "e f", "a b"])
    assert inner.texts == ["a b", "c d", "e f"]
    assert np.array_equal(first[[1, 0]], again[[0, 2]])


def test_queries_and_passages_do_not_share_vectors() -> None:
    inner, cache = Counted(), DictCache()
    cached = CachedEmbedder(inner, cache)
    cached.embed(["same"])
    assert np.array_equal(cached.embed_query("same"), cached.embed_query("same"))
    assert inner.texts == ["same", "same"]
    assert len(cache.held) == 2


def test_models_do_not_share_vectors() -> None:
    cache = DictCache()
    CachedEmbedder(FakeEmbedder(256), cache).embed(["x"])
    CachedEmbedder(FakeEmbedder(128), cache).embed(["x"])
    assert sorted(len(packed) for packed in cache.held.values()) == [256, 512]


class Sized(Counted):
    """One of two sizes of one vector space."""

    def __init__(self, size: VectorSize) -> None:
        super().__init__()
        self._size = size

    @property
    def size(self) -> VectorSize:
        return self._size


def test_sizes_of_one_vector_space_do_not_share_vectors() -> None:
    small, base, cache = Sized(VectorSize.SMALL), Sized(VectorSize.BASE), DictCache()
    CachedEmbedder(small, cache).embed(["x"])
    CachedEmbedder(base, cache).embed(["x"])
    assert (small.texts, base.texts) == (["x"], ["x"])
    assert CachedEmbedder(base, cache).size == VectorSize.BASE


def test_a_damaged_entry_is_embedded_again() -> None:
    inner, cache = Counted(), DictCache()
    cached = CachedEmbedder(inner, cache)
    fresh = cached.embed(["x"])
    cache.held = dict.fromkeys(cache.held, b"short")
    assert np.array_equal(cached.embed(["x"]), fresh)
    assert inner.texts == ["x", "x"]
