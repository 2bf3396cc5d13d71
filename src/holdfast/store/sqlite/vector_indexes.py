"""The vector indexes of one database, one per embedder, opened at first use."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING

from holdfast.store.sqlite.sqlite_statements import statements

if TYPE_CHECKING:
    from holdfast.store.sqlite.database import Database
    from holdfast.store.vectors.vector_index import VectorIndex


class VectorIndexes:
    """Opens each index once; safe to use from several threads."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._opened: dict[str, VectorIndex] = {}
        self._lock = threading.Lock()

    def number(self, embedder: str) -> int:
        """The number of an embedder in the database; -1 if it has none yet."""
        rows = self._database.read(statements("reading")["embedder"], {"name": embedder})
        return int(rows[0]["id"]) if rows else -1

    def index(self, embedder: str, dimensions: int) -> VectorIndex | None:
        """The index of an embedder; None when it has no vectors yet."""
        with self._lock:
            known = self._opened.get(embedder)
            if known is None:
                number = self.number(embedder)
                if number < 0:
                    return None
                known = self._opened[embedder] = self._open(number, dimensions)
            return known

    def opened(self, embedder: str) -> VectorIndex | None:
        """The index of an embedder, if it was opened before."""
        return self._opened.get(embedder)

    def latest(self) -> VectorIndex | None:
        """The index that was opened last."""
        return next(reversed(self._opened.values()), None)

    def clear(self) -> None:
        """Frees the vectors held in memory. A closed store may live on in reference cycles; its vectors need not."""
        with self._lock:
            self._opened.clear()

    def _open(self, embedder: int, dimensions: int) -> VectorIndex:
        from holdfast.store.sqlite.vector_source import SqliteVectorSource
        from holdfast.store.vectors.vector_file import path_of
        from holdfast.store.vectors.vector_index import VectorIndex

        source = SqliteVectorSource(self._database, embedder)
        return VectorIndex(source, path_of(os.path.abspath(self._database.path), embedder), dimensions)
