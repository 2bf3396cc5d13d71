"""New stores as copies of an empty one: migrating from nothing takes longer than most tests do."""

from __future__ import annotations

import os
import sqlite3

from holdfast.core.ids import Ids
from holdfast.store.sqlite.database import Database
from holdfast.store.sqlite.migrate import migrate


class EmptyStore:
    """A store without rows, made once by migrating, to copy from."""

    def __init__(self) -> None:
        self._database = Database(":memory:")
        migrate(self._database, Ids())

    def migrate(self, database: Database, ids: Ids) -> str | None:
        """Does what `migrate` does, faster for a new file."""
        if database.path == ":memory:" or not os.path.getsize(database.path):
            _copy(self._database.connection(), database.connection(), ids.new())
        return migrate(database, ids)

    def close(self) -> None:
        self._database.close()


def _copy(empty: sqlite3.Connection, new: sqlite3.Connection, id: str) -> None:
    # Without syncing: an empty file has nothing to lose. Migrating and every writer set their own durability.
    new.execute("pragma synchronous = off")
    new.execute("pragma journal_mode = off")
    empty.backup(new)
    new.execute("update metadata set value = ? where key = 'store_id'", (id,))
