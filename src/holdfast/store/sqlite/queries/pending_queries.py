"""Reads from SQLite what waits for a vector."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import product
from typing import Any

from holdfast.core.vector_size import VectorSize
from holdfast.store.reading.pending_reading import PendingPassage
from holdfast.store.sqlite.queries.query_parts import SqliteReader


class SqlitePendingReading(SqliteReader):
    """`PendingReading` on SQLite."""

    def pending(self, embedder: str, limit: int, size: VectorSize = VectorSize.SINGLE) -> tuple[PendingPassage, ...]:
        return self._pending("pending_of", embedder, limit, size)

    def pending_sentences(self, embedder: str, limit: int, size: VectorSize) -> tuple[PendingPassage, ...]:
        return self._pending("pending_sentences_of", embedder, limit, size)

    def count_pending_sentences(self, embedder: str, size: VectorSize) -> int:
        return int(self._rows("count_pending_sentences", self._mark(embedder, size))[0][0])

    def any_pending_sentences(self, embedder: str, size: VectorSize) -> bool:
        return bool(self._rows("any_pending_sentences", self._mark(embedder, size)))

    def count_pending(self, embedder: str, size: VectorSize = VectorSize.SINGLE) -> int:
        return int(self._rows("count_pending", self._mark(embedder, size))[0][0])

    def any_pending(self, embedder: str, size: VectorSize = VectorSize.SINGLE) -> bool:
        return bool(self._rows("any_pending", self._mark(embedder, size)))

    def count_by_size(self, embedder: str) -> Mapping[VectorSize, int]:
        rows = self._plain("count_by_size", {"embedder": self._indexes.number(embedder)})
        return {VectorSize(size): count for size, count in rows}

    def embedders(self) -> tuple[str, ...]:
        return tuple(row[0] for row in self._rows("embedders", {}))

    def _mark(self, embedder: str, size: VectorSize) -> dict[str, int]:
        return {"embedder": self._indexes.number(embedder), "size": int(size)}

    def _pending(self, name: str, embedder: str, limit: int, size: VectorSize) -> tuple[PendingPassage, ...]:
        """The first passages of a queue; its statement returns sort keys that end with the negative number."""
        number, waiting = self._indexes.number(embedder), list[tuple[Any, ...]]()
        marks = [
            (None, VectorSize.SINGLE),
            *product([row[0] for row in self._plain("embedder_numbers", {})], VectorSize),
        ]
        # Mark by mark: the index has the passages of one mark in order, while those of several must all be sorted.
        for other, found in marks:
            if other != number or found < size:
                waiting += self._plain(name, {"embedder": other, "size": int(found), "limit": limit})
        ids = [-row[-1] for row in sorted(waiting)[:limit]]
        return tuple(PendingPassage(*row) for row in self._plain("pending", {"ids": json.dumps(ids)}))
