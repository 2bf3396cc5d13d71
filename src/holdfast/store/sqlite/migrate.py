"""Numbered schema files: the first makes a new database, each later one migrates it, after a backup, to its number."""

from __future__ import annotations

import os
import sqlite3
from typing import TYPE_CHECKING

from holdfast.core.errors import StoreForeign, StoreNewer, StoreOlder
from holdfast.core.ids import Ids
from holdfast.store.sqlite.database import errors_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from holdfast.store.sqlite.database import Database

APPLICATION_ID = 0x484F4C44  # "HOLD", marks our own files
_FOLDER = os.path.join(os.path.dirname(__file__), "schema")


def migrate(database: Database, ids: Ids) -> None:
    """Brings the file to this program's schema, after a backup if it has an earlier one.

    A file of another program, of a newer Holdfast or from before the first release is refused untouched. Several
    processes may call this at once.
    """
    known = versions()
    with errors_of(database.path):
        found = _version(database, known)
        database.use_wal()
        if found == known[-1]:
            return
        # The tables of a new file reach the disk with the first rows that must: nobody misses them before.
        with database.write(durable=found > 0) as connection:
            # Read again: another process may have migrated while this one waited for the lock.
            found = connection.execute("pragma user_version").fetchone()[0]
            if 0 < found < known[-1]:
                from holdfast.store.sqlite.backups import back_up  # Imported here: few openings migrate.

                back_up(database.path, f"v{found}")
            for version in known:
                if found < version:
                    _run(connection, version)
            if found == 0:
                connection.execute(f"pragma application_id = {APPLICATION_ID}")
                connection.execute("insert or ignore into metadata values ('store_id', ?)", (ids.new(),))


def versions() -> list[int]:
    """The schema versions this program knows, oldest first."""
    return sorted(int(name[:4]) for name in os.listdir(_FOLDER) if name.endswith(".sql"))


def _version(database: Database, known: Sequence[int]) -> int:
    # In one snapshot: another process may be creating the tables now, and the three values must belong together.
    with database.snapshot() as connection:
        version: int = connection.execute("pragma user_version").fetchone()[0]
        owner = connection.execute("pragma application_id").fetchone()[0]
        tables = connection.execute("select count(*) from sqlite_schema").fetchone()[0]
    if tables and owner != APPLICATION_ID:
        raise StoreForeign(database.path)
    if version > known[-1]:
        raise StoreNewer(f"{database.path} has schema {version}, this program knows up to {known[-1]}")
    if 0 < version < known[0]:
        raise StoreOlder(f"{database.path} has schema {version}, this program knows {known[0]} and later ones")
    return version


def _run(connection: sqlite3.Connection, version: int) -> None:
    name = next(name for name in os.listdir(_FOLDER) if name.startswith(f"{version:04d}_"))
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
