"""Values of applications in SQLite."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from holdfast.core.clock import stamp, stored_time
from holdfast.core.item import ItemChange, StoredItem, joined, parted
from holdfast.store.sqlite.sqlite_statements import statements

if TYPE_CHECKING:
    from holdfast.store.sqlite.database import Database


class SqliteItems:
    """`ItemWriting` on SQLite."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, project: str, space: Sequence[str], key: str, now: datetime) -> StoredItem | None:
        named = {"project": project, "space": joined(space), "key": key, "now": stamp(now)}
        rows = self._database.read(statements("items")["get"], named)
        return _item(rows[0]) if rows else None

    def change(self, project: str, changes: Sequence[ItemChange], now: datetime) -> None:
        sql = statements("items")
        with self._database.write(durable=True) as connection:
            for change in changes:
                named = {"project": project, "space": joined(change.space), "key": change.key}
                if change.value is None:
                    connection.execute(sql["delete"], named)
                else:
                    expires = None if change.expires_at is None else stamp(change.expires_at)
                    value = json.dumps(change.value, ensure_ascii=False)
                    connection.execute(sql["put"], {**named, "value": value, "now": stamp(now), "expires": expires})
            connection.execute(sql["delete_expired"], {"project": project, "now": stamp(now)})

    def under(self, project: str, space: Sequence[str], now: datetime) -> tuple[StoredItem, ...]:
        named = {"project": project, "space": joined(space), "now": stamp(now)}
        return tuple(map(_item, self._database.read(statements("items")["under"], named)))

    def spaces(self, project: str, now: datetime) -> tuple[tuple[str, ...], ...]:
        rows = self._database.read(statements("items")["spaces"], {"project": project, "now": stamp(now)})
        return tuple(parted(row["space"]) for row in rows)

    def clear(self, project: str, space: Sequence[str]) -> int:
        with self._database.write(durable=True) as connection:
            named = {"project": project, "space": joined(space)}
            return connection.execute(statements("items")["delete_under"], named).rowcount


def _item(row: sqlite3.Row) -> StoredItem:
    times = stored_time(row["created_at"]), stored_time(row["updated_at"])
    return StoredItem(parted(row["space"]), row["key"], json.loads(row["value"]), *times)
