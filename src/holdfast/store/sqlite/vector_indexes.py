"""The vector indexes of one database, one per embedder, opened at first use."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING

from holdfast.store.sqlite.sqlite_statements import statements

if TYPE_CHECKING:
    from holdfast.store.sqlite.database import Database
    from holdfast.store.vectors.scan import ScannedVectors
    from holdfast.store.vectors.vector_index import VectorIndex


class VectorIndexes:
    """Opens each index once, or scans the vectors while that is faster; safe to use from several threads."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._opened: dict[str, VectorIndex | ScannedVectors] = {}
        self._lock = threading.Lock()

    def number(self, embedder: str) -> int:
        """The number of an embedder in the database; -1 if it has none yet."""
        rows = self._database.read(statements("reading")["embedder"], {"name": embedder})
        return int(rows[0]["id"]) if rows else -1

    def index(self, embedder: str, dimensions: int) -> VectorIndex | ScannedVectors | None:
        """The index of an embedder; None when it has no vectors yet."""
        from holdfast.store.vectors.scan import ScannedVectors

        with self._lock:
            known = self._opened.get(embedder)
            if known is None or (isinstance(known, ScannedVectors) and not known.still_pays()):
                number = self.number(embedder)
                if number < 0:
                    return None
                known = self._opened[embedder] = self._open(number, dimensions)
            return known

    def opened(self, embedder: str) -> VectorIndex | ScannedVectors | None:
        """The index of an embedder, if it was opened before."""
        return self._opened.get(embedder)

    def latest(self) -> VectorIndex | ScannedVectors | None:
        """The index that was opened last."""
        return next(reversed(self._opened.values()), None)

    def clear(self) -> None:
        """Frees the vectors held in memory. A closed store may live on in reference cycles; its vectors need not."""
        with self._lock:
            self._opened.clear()

    def _open(self, embedder: int, dimensions: int) -> VectorIndex | ScannedVectors:
        from holdfast.store.sqlite.vector_source import SqliteVectorSource
        from holdfast.store.vectors.scan import ScannedVectors

        source = SqliteVectorSource(self._database, embedder)
        if ScannedVectors.pays(source):
            return ScannedVectors(source, dimensions)
        from holdfast.store.vectors.vector_file import path_of
        from holdfast.store.vectors.vector_index import VectorIndex

        path = self._database.path
        file = None if path == ":memory:" else path_of(os.path.abspath(path), embedder)
        return VectorIndex(source, file, dimensions)
