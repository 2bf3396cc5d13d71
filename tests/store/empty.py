"""New stores as copies of an empty one: making each from the schema takes longer than most tests do."""

from __future__ import annotations

import os
from pathlib import Path

from holdfast.core.ids import Ids
from holdfast.store.sqlite.database import Database
from holdfast.store.sqlite.migrate import migrate


class EmptyStore:
    """A store without rows, made once at a path, to copy from."""

    def __init__(self, path: Path) -> None:
        ids = Ids()
        database = Database(str(path))
        migrate(database, ids)
        [row] = database.read("select value from metadata where key = 'store_id'")
        database.close()
        self._before, self._after = path.read_bytes().split(row["value"].encode())

    def migrate(self, database: Database, ids: Ids) -> None:
        """Does what `migrate` does, faster for a new file."""
        if not os.path.getsize(database.path):
            with open(database.path, "r+b") as file:
                file.writelines((self._before, ids.new().encode(), self._after))
        migrate(database, ids)
