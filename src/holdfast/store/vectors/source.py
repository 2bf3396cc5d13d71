"""What the vector index reads from the store."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol


class StoredVector(NamedTuple):
    """A stored vector: its row's number, its passage and its float16 bytes."""

    seq: int
    passage: int
    data: bytes


class VectorSource(Protocol):
    """Reads the vectors of one embedder. `seq` numbers rows in the order they were written and is never reused."""

    def owner(self) -> str:
        """A text that identifies this store and this embedder."""
        ...

    def newest(self) -> int:
        """The highest seq in the store, of any embedder. Called once per search, so it must be cheap."""
        ...

    def counter(self) -> int:
        """The highest seq ever given out, also when its row was deleted."""
        ...

    def count(self) -> int: ...
    def count_after(self, seq: int, limit: int) -> int:
        """Counts rows with a higher seq, up to `limit`."""
        ...

    def after(self, seq: int, limit: int) -> Sequence[tuple[int, int, bytes, str, str]]:
        """The next rows by seq, each as (seq, passage, float16 bytes, project, kind)."""
        ...

    def seqs(self) -> Iterable[int]:
        """Every seq of this embedder."""
        ...

    def stored(self, seqs: Sequence[int]) -> Iterable[StoredVector]:
        """The rows with these seqs that still exist, in any order."""
        ...

    def missing(self, seqs: Sequence[int]) -> frozenset[int]:
        """Those of the seqs whose rows no longer exist. Called once per search."""
        ...
