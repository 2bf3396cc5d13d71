"""Reads vectors from SQLite for the vector index."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from holdfast.store.sqlite.sqlite_statements import statements
from holdfast.store.vectors.source import StoredVector

if TYPE_CHECKING:
    from holdfast.store.sqlite.database import Database


class SqliteVectorSource:
    """The vectors of one embedder."""

    def __init__(self, database: Database, embedder: int) -> None:
        self._database = database
        self._embedder = embedder
        self._sql = statements("reading")

    def owner(self) -> str:
        store, embedder = self._rows("archive_owner", {"embedder": self._embedder})[0]
        return f"{store}\n{embedder}"

    def newest(self) -> int:
        return int(self._rows("newest_vector")[0][0])

    def counter(self) -> int:
        return int(self._rows("vector_counter")[0][0])

    def count(self) -> int:
        return int(self._rows("count_vectors", {"embedder": self._embedder})[0][0])

    def count_after(self, seq: int, limit: int) -> int:
        parameters = {"embedder": self._embedder, "seq": seq, "limit": limit}
        return int(self._rows("count_vectors_after", parameters)[0][0])

    def after(self, seq: int, limit: int) -> Sequence[Any]:
        parameters = {"embedder": self._embedder, "seq": seq, "limit": limit}
        return self._database.read_plain(self._sql["vectors_after"], parameters)

    def seqs(self) -> Iterator[int]:
        return (row[0] for row in self._rows("vector_seqs", {"embedder": self._embedder}))

    def stored(self, seqs: Sequence[int]) -> Iterator[StoredVector]:
        return map(StoredVector._make, self._rows("vectors_now", self._numbered(seqs)))

    def missing(self, seqs: Sequence[int]) -> frozenset[int]:
        parameters = self._numbered(seqs)
        # Count first: usually no row was deleted, and counting is three times faster than listing.
        if self._rows("count_vectors_there", parameters)[0][0] == len(seqs):
            return frozenset()
        return frozenset(seqs).difference(row[0] for row in self._rows("vectors_there", parameters))

    def _numbered(self, seqs: Sequence[int]) -> dict[str, Any]:
        return {"embedder": self._embedder, "seqs": json.dumps(seqs)}

    def _rows(self, name: str, parameters: Mapping[str, Any] | tuple[()] = ()) -> list[Any]:
        return self._database.read(self._sql[name], parameters)
