"""Numbered migrations: each file in `schema/` raises the schema by one version; a backup is made first."""

from __future__ import annotations

import json
import os
import sqlite3
from typing import TYPE_CHECKING

from holdfast.core.errors import StoreForeign, StoreNewer
from holdfast.core.ids import Ids
from holdfast.store.sqlite.database import errors_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from holdfast.store.sqlite.database import Database

APPLICATION_ID = 0x484F4C44  # "HOLD", marks our own files
_FOLDER = os.path.join(os.path.dirname(__file__), "schema")


def migrate(database: Database, ids: Ids, upto: int | None = None) -> str | None:
    """Migrates the file to this program's schema; returns the path of the backup, if one was needed.

    A file of another program or of a newer Holdfast is refused untouched. Several processes may call this at once.
    """
    known = versions()
    latest = upto if upto is not None else known[-1]
    with errors_of(database.path):
        found = _version(database, known[-1])
        database.use_wal()
        if found >= latest:
            return None
        with database.write(durable=True) as connection:
            # Read again: another process may have migrated while this one waited for the lock.
            found = connection.execute("pragma user_version").fetchone()[0]
            backup = _back_up(database.path, found) if 0 < found < latest else None
            for version in known:
                if found < version <= latest:
                    _run(connection, version)
            if found == 0:
                connection.execute(f"pragma application_id = {APPLICATION_ID}")
                connection.execute("insert or ignore into metadata values ('store_id', ?)", (ids.new(),))
    return backup


def versions() -> list[int]:
    """The schema versions this program knows, oldest first."""
    return sorted(int(name[:4]) for name in os.listdir(_FOLDER) if name.endswith(".sql"))


def _version(database: Database, newest: int) -> int:
    # In one snapshot: another process may be creating the tables now, and the three values must belong together.
    with database.snapshot() as connection:
        version: int = connection.execute("pragma user_version").fetchone()[0]
        owner = connection.execute("pragma application_id").fetchone()[0]
        tables = connection.execute("select count(*) from sqlite_schema").fetchone()[0]
    if tables and owner != APPLICATION_ID:
        raise StoreForeign(database.path)
    if version > newest:
        raise StoreNewer(f"{database.path} has schema {version}, this program knows up to {newest}")
    return version


def _back_up(path: str, version: int) -> str:
    from holdfast.store.sqlite.backups import back_up  # Imported here: few openings migrate.

    return back_up(path, f"v{version}")


def _run(connection: sqlite3.Connection, version: int) -> None:
    from holdfast.text.names import index_words  # Imported here: its patterns take milliseconds to compile.

    name = next(name for name in os.listdir(_FOLDER) if name.startswith(f"{version:04d}_"))
    connection.create_function("index_words", 1, lambda text: json.dumps(index_words(text)), deterministic=True)
    with open(os.path.join(_FOLDER, name), encoding="utf-8") as file:
        for statement in _split(file.read()):
            connection.execute(statement)
    connection.execute(f"pragma user_version = {version}")


def _split(script: str) -> Iterator[str]:
    """Splits a script into statements. `executescript` would commit the open transaction."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
