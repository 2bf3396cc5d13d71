"""Reads from SQLite which files change together."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping

from holdfast.core.code import CoChangedFiles
from holdfast.store.sqlite.queries.query_parts import SqliteReader
from holdfast.store.sqlite.sqlite_statements import statements


class SqliteHistoryReading(SqliteReader):
    """`HistoryReading` on SQLite."""

    def counted_commit(self, project: str) -> str:
        rows = self._database.read_plain(statements("graph")["counted_commit"], {"project": project})
        return str(rows[0][0]) if rows else ""

    def co_changed(self, project: str, paths: Collection[str]) -> tuple[CoChangedFiles, ...]:
        rows = self._database.read_plain(statements("graph")["co_changed"], _named(project, paths))
        return tuple(map(CoChangedFiles._make, rows))

    def change_counts(self, project: str, paths: Collection[str]) -> Mapping[str, tuple[int, float]]:
        rows = self._database.read_plain(statements("graph")["change_counts"], _named(project, paths))
        return {path: (commits, weight) for path, commits, weight in rows}


def _named(project: str, paths: Collection[str]) -> dict[str, str]:
    return {"project": project, "paths": json.dumps(list(paths))}
