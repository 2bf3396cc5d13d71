"""Stands in for an embedder that cannot be built, so that everything else works without it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from holdfast.core.errors import HoldfastError, ModelError
from holdfast.core.vector_size import VectorSize

if TYPE_CHECKING:
    from holdfast.models.protocols import Vectors


class UnavailableEmbedder:
    """Fails on every text with the error that prevented the embedder. Its id is the name in the settings."""

    dimensions = 0
    size = VectorSize.SINGLE

    def __init__(self, name: str, error: HoldfastError) -> None:
        self.id = name
        self.error = error

    def embed(self, texts: Sequence[str]) -> Vectors:
        raise self._failure()

    def embed_query(self, text: str) -> Vectors:
        raise self._failure()

    def _failure(self) -> ModelError:
        error = self.error
        if isinstance(error, ModelError):
            return error
        return ModelError(f"{error.what}: {error.detail}", hint=error.hint)
