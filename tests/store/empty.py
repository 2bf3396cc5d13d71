"""New stores as copies of an empty one: migrating from nothing takes longer than most tests do."""

from __future__ import annotations

import os

from holdfast.core.ids import Ids
from holdfast.store.sqlite.database import Database
from holdfast.store.sqlite.migrate import migrate

# The two bytes of a file's header that say it uses a write-ahead log.
_WAL = slice(18, 20)


class EmptyStore:
    """A store without rows, made once by migrating, to copy from."""

    def __init__(self) -> None:
        ids = Ids()
        database = Database(":memory:")
        migrate(database, ids)
        [row] = database.read("select value from metadata where key = 'store_id'")
        content = bytearray(database.connection().serialize())
        database.close()
        content[_WAL] = b"\2\2"
        self._before, self._after = bytes(content).split(row["value"].encode())

    def migrate(self, database: Database, ids: Ids) -> str | None:
        """Does what `migrate` does, faster for a new file."""
        if database.path != ":memory:" and not os.path.getsize(database.path):
            with open(database.path, "r+b") as file:
                file.writelines((self._before, ids.new().encode(), self._after))
        return migrate(database, ids)
