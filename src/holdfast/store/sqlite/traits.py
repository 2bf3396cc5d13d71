"""Writes word bags of passages on SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from typing import Any

from holdfast.store.sqlite.sqlite_statements import statements
from holdfast.text.bags import bag

_AT_ONCE = 1_000


def put_bag(connection: sqlite3.Connection, passage: int, parameters: Mapping[str, Any]) -> None:
    """Stores the word bag of a passage, from the parameters it was written with."""
    text = " ".join(parameters[name] for name in ("body", "tags", "files", "questions") if parameters[name])
    connection.execute(statements("writing")["put_bag"], {"passage": passage, "bag": bag(text)})


def put_missing_bags(connection: sqlite3.Connection, most: int, after: int = 0) -> list[int]:
    """Makes at most `most` missing word bags of the passages after a number; returns their numbers, in order."""
    parameters = {"limit": most, "after": after}
    rows = connection.execute(statements("writing")["passages_without_bag"], parameters).fetchall()
    for row in rows:
        put_bag(connection, row["id"], row)
    return [row["id"] for row in rows]


def put_all_missing_bags(connection: sqlite3.Connection) -> int:
    """Makes all missing word bags, some at a time, so that few texts are in memory; returns how many."""
    count = last = 0
    while numbers := put_missing_bags(connection, _AT_ONCE, last):
        count, last = count + len(numbers), numbers[-1]
    return count
