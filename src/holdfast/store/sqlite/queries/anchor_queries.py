"""Reads from SQLite what memories are bound to in code."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from holdfast.store.rows.memory_rows import memory_of
from holdfast.store.sqlite.queries.query_parts import SqliteReader
from holdfast.store.sqlite.sqlite_statements import statements

if TYPE_CHECKING:
    from holdfast.core.code import CodeSymbol
    from holdfast.core.memory import Memory


class SqliteAnchorReading(SqliteReader):
    """`AnchorReading` on SQLite."""

    def anchored(self, project: str) -> tuple[Memory, ...]:
        rows = self._database.read(statements("anchors")["anchored"], {"project": project})
        return tuple(map(memory_of, rows))

    def symbols_named(self, project: str, names: Collection[str]) -> tuple[tuple[str, CodeSymbol], ...]:
        return self._symbols("symbols_named", {"project": project, "names": json.dumps(sorted(names))})

    def symbols_alike(self, project: str, hashes: Collection[str]) -> tuple[tuple[str, CodeSymbol], ...]:
        return self._symbols("symbols_alike", {"project": project, "hashes": json.dumps(sorted(hashes))})

    def files_alike(self, project: str, hashes: Collection[str]) -> tuple[tuple[str, str], ...]:
        rows = self._anchors("files_alike", {"project": project, "hashes": json.dumps(sorted(hashes))})
        return tuple((path, hash) for path, hash in rows)

    def paths_ending(self, project: str, names: Collection[str]) -> tuple[str, ...]:
        # `_` and `%` have a meaning in `like`, so that the end is compared once more.
        rows = self._anchors("paths_ending", {"project": project, "names": json.dumps(sorted(names))})
        return tuple(dict.fromkeys(path for (path,) in rows if any(f"/{path}".endswith(f"/{name}") for name in names)))

    def code_text(self, project: str, hash: str) -> str | None:
        import zlib

        rows = self._anchors("text", {"project": project, "hash": hash})
        return zlib.decompress(rows[0][0]).decode() if rows else None

    def _symbols(self, name: str, parameters: Mapping[str, Any]) -> tuple[tuple[str, CodeSymbol], ...]:
        from holdfast.core.code import CodeSymbol

        return tuple((path, CodeSymbol(*rest)) for path, *rest in self._anchors(name, parameters))

    def _anchors(self, name: str, parameters: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        return self._database.read_plain(statements("anchors")[name], parameters)
