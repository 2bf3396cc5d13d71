"""Reads the code graph from SQLite."""

from __future__ import annotations

import json
from collections.abc import Collection

from holdfast.core.clock import stored_time
from holdfast.core.code import (
    CodeEdge,
    CodeIndexState,
    CodeSymbol,
    EntryPoint,
    FileEdge,
    IndexedFile,
    StoredGraph,
    SymbolEdge,
    UnresolvedName,
)
from holdfast.store.sqlite.queries.query_parts import SqliteReader
from holdfast.store.sqlite.sqlite_statements import statements


class SqliteGraphReading(SqliteReader):
    """`GraphReading` on SQLite."""

    def code_generation(self, project: str) -> int:
        rows = self._database.read_plain(statements("graph")["generation"], {"project": project})
        return int(rows[0][0]) if rows else 0

    def code_folders(self, project: str) -> str:
        rows = self._database.read_plain(statements("graph")["folders"], {"project": project})
        return str(rows[0][0]) if rows else ""

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

    def code_files(self, project: str) -> tuple[IndexedFile, ...]:
        rows = self._database.read_plain(statements("graph")["file_entries"], {"project": project})
        return tuple(map(IndexedFile._make, rows))

    def entry_points(self, project: str) -> tuple[tuple[int, EntryPoint], ...]:
        rows = self._database.read_plain(statements("graph")["entry_points"], {"project": project})
        return tuple((file, EntryPoint(*point)) for file, points in rows for point in json.loads(points))

    def file_edges(self, files: Collection[int], reverse: bool = False) -> tuple[FileEdge, ...]:
        name = "file_dependents" if reverse else "file_dependencies"
        rows = self._database.read_plain(statements("graph")[name], {"files": json.dumps([*files])})
        return tuple(map(FileEdge._make, rows))

    def symbol_edges(
        self, symbols: Collection[tuple[int, str]], reverse: bool = False, members: bool = True
    ) -> tuple[SymbolEdge, ...]:
        ranges = [(file, name, name) for file, name in symbols]
        if members:
            ranges += [(file, f"{name}.", f"{name}.\U0010ffff") for file, name in symbols if name]
        name = "symbol_dependents" if reverse else "symbol_dependencies"
        rows = self._database.read_plain(statements("graph")[name], {"ranges": json.dumps(ranges)})
        return tuple(map(SymbolEdge._make, rows))

    def symbols_of(self, files: Collection[int]) -> tuple[tuple[int, CodeSymbol], ...]:
        rows = self._database.read_plain(statements("graph")["symbols_of"], {"files": json.dumps([*files])})
        return tuple((file, CodeSymbol(*rest)) for file, *rest in rows)

    def external_uses(self, files: Collection[int]) -> int:
        [[count]] = self._database.read_plain(statements("graph")["external_uses"], {"files": json.dumps([*files])})
        return int(count)

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
        return CodeIndexState(**row, languages=languages, indexed_at=stored_time(indexed) if indexed else None)
