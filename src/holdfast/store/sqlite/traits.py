"""Writes word bags of passages on SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from typing import Any

from holdfast.store.sqlite.statements import statements
from holdfast.text.bags import bag


def put_bag(connection: sqlite3.Connection, passage: int, parameters: Mapping[str, Any]) -> None:
    """Stores the word bag of a passage, from the parameters it was written with."""
    text = f"{parameters['body']} {parameters['tags']} {parameters['files']}"
    connection.execute(statements("writing")["put_bag"], {"passage": passage, "bag": bag(text)})


def put_missing_bags(connection: sqlite3.Connection, most: int = -1) -> int:
    """Makes missing word bags, at most `most` if it is not negative; returns how many."""
    rows = connection.execute(statements("writing")["passages_without_bag"], {"limit": most}).fetchall()
    for row in rows:
        put_bag(connection, row["id"], row)
    return len(rows)
