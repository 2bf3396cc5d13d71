"""Reads the code graph from SQLite."""

from __future__ import annotations

from holdfast.core.clock import unstamp
from holdfast.core.code import CodeEdge, CodeIndexState, CodeSymbol, StoredGraph, UnresolvedName
from holdfast.store.sqlite.reading.reader import SqliteReader
from holdfast.store.sqlite.statements import statements


class SqliteGraphReading(SqliteReader):
    """`GraphReading` on SQLite."""

    def code_generation(self, project: str) -> int:
        rows = self._database.read_plain(statements("graph")["generation"], {"project": project})
        return int(rows[0][0]) if rows else 0

    def code_graph(self, project: str) -> StoredGraph:
        sql, named = statements("graph"), {"project": project}
        with self._database.snapshot() as connection:
            cursor = connection.cursor()
            cursor.row_factory = None
            generation = cursor.execute(sql["generation"], named).fetchone()
            files = tuple(cursor.execute(sql["files"], named))
            symbols = tuple((path, CodeSymbol(*rest)) for path, *rest in cursor.execute(sql["symbols"], named))
            edges = tuple(map(CodeEdge._make, cursor.execute(sql["edges"], named)))
        return StoredGraph(generation[0] if generation else 0, files, symbols, edges)

    def stale_code(self, project: str) -> tuple[str, ...]:
        return tuple(row[0] for row in self._database.read_plain(statements("graph")["stale"], {"project": project}))

    def unresolved(self, project: str, path: str) -> tuple[UnresolvedName, ...]:
        rows = self._database.read_plain(statements("graph")["unresolved"], {"project": project, "path": path})
        return tuple(map(UnresolvedName._make, rows))

    def code_state(self, project: str) -> CodeIndexState:
        sql, named = statements("graph"), {"project": project}
        row = dict(self._database.read(sql["state"], named)[0])
        languages = dict(self._database.read_plain(sql["languages"], named))
        indexed = row.pop("indexed_at")
        return CodeIndexState(**row, languages=languages, indexed_at=unstamp(indexed) if indexed else None)
