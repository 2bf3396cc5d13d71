"""Reading what waits for a vector."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from holdfast.core.frozen import frozen
from holdfast.core.vector_size import VectorSize


@frozen
class PendingPassage:
    """A passage that needs a vector or a better one, and its present text."""

    passage: int
    memory: str
    kind: str
    said: str


class PendingReading(Protocol):
    """Reads which passages and sentences have vectors of which embedder, and which wait for one."""

    def pending(self, embedder: str, limit: int, size: VectorSize = VectorSize.SINGLE) -> tuple[PendingPassage, ...]:
        """Passages without a vector of that embedder of at least that size, in the order in which to embed them.

        The highest priority comes first, then the newest. Cheap at any size of the store.
        """
        ...

    def count_pending(self, embedder: str, size: VectorSize = VectorSize.SINGLE) -> int: ...
    def any_pending(self, embedder: str, size: VectorSize = VectorSize.SINGLE) -> bool:
        """Whether any passage lacks such a vector. Cheap at any size of the store."""
        ...

    def pending_sentences(self, embedder: str, limit: int, size: VectorSize) -> tuple[PendingPassage, ...]:
        """Messages whose sentences have no vectors of that embedder of at least that size, the newest first.

        These are messages of more than 160 characters that the assistant did not write, and whose words are counted.
        """
        ...

    def count_pending_sentences(self, embedder: str, size: VectorSize) -> int: ...
    def any_pending_sentences(self, embedder: str, size: VectorSize) -> bool:
        """Whether there are such messages. Cheap at any size of the store."""
        ...

    def count_by_size(self, embedder: str) -> Mapping[VectorSize, int]:
        """The number of passages with a vector of that embedder, by its size."""
        ...

    def embedders(self) -> tuple[str, ...]:
        """The ids of the embedders that have vectors, the latest first."""
        ...
