"""Databases of earlier programs, as they wrote them.

`stores/v37.db.gz` was made by the last program with numbered migrations up to 37: memories of all kinds, a session, a
project's documents and code, entities, observed sessions and values of an application. The others have the rows that an
earlier schema knew, written as SQL. Beside each, as JSON: what `export` of that program gave after its migrations and,
for the others, the rows of the canonical tables.
"""

from __future__ import annotations

import contextlib
import gzip
import json
import shutil
import sqlite3
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import holdfast
from holdfast.core.clock import SystemClock
from holdfast.store.sqlite import migrate as migrations

_STORES = Path(__file__).parent / "stores"
EARLIER = (1, 16, 27, 36)


class _ClockOfTheExport(SystemClock):
    def now(self) -> datetime:
        return datetime(2026, 11, 20, tzinfo=UTC)


def stored(version: int, path: Path) -> Path:
    """Puts the database of that version at a path."""
    path.write_bytes(gzip.decompress((_STORES / f"v{version}.db.gz").read_bytes()))
    return path


def expected(version: int) -> Any:
    return json.loads((_STORES / f"v{version}.json").read_text(encoding="utf-8"))


def exports(path: Path) -> dict[str, str]:
    with holdfast.open(str(path), "house", clock=_ClockOfTheExport(), embedder="none", create_project=False) as ws:
        return {"project": ws.export("json"), "personal": ws.export("json", personal=True)}


def rows(path: Path, tables: Mapping[str, list[Any]]) -> dict[str, list[Any]]:
    """The rows of some tables, by column, in the order of their JSON; without the columns that `tables` do not have."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.row_factory = sqlite3.Row
        columns = {name: ", ".join(kept[0]) if kept else "*" for name, kept in tables.items()}
        found = {
            name: [dict(row) for row in connection.execute(f"select {c} from {name}")] for name, c in columns.items()
        }
    return {name: sorted(rows, key=lambda row: json.dumps(row, ensure_ascii=False)) for name, rows in found.items()}


def schema(path: Path) -> dict[str, Any]:
    """Everything that SQLite knows of the schema except how a table was written: columns were added to some later."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        wanted = "select type, name, sql from sqlite_schema where name not like 'sqlite_%'"
        objects = connection.execute(wanted).fetchall()
        others = {name: sql for type, name, sql in objects if type != "table" or sql.startswith("CREATE VIRTUAL")}
        return others | {name: _table(connection, name, sql) for _, name, sql in objects if name not in others}


def _table(connection: sqlite3.Connection, name: str, sql: str) -> list[Any]:
    indexes = connection.execute("select * from pragma_index_list(?)", (name,)).fetchall()
    asked = ("pragma_table_xinfo", "pragma_foreign_key_list")
    known = [connection.execute(f"select * from {pragma}(?)", (name,)).fetchall() for pragma in asked]
    columns = [connection.execute("select * from pragma_index_xinfo(?)", (row[1],)).fetchall() for row in indexes]
    return [*known, indexes, columns, "without rowid" in sql, "autoincrement" in sql]


def with_one_more(folder: Path) -> Path:
    """The schema files of a later program, which has one more."""
    shutil.copytree(migrations._FOLDER, folder, dirs_exist_ok=True)
    next = "alter table memories add column mood text;\nupdate memories set mood = 'calm';\n"
    (folder / f"{migrations.versions()[-1] + 1:04d}_next.sql").write_text(next)
    return folder
