"""What ranking compares beside the words and the vector of a passage: kept with it, made anew with it."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from typing import Any

from holdfast.store.sqlite.statements import statements
from holdfast.text.bags import bag


def put_bag(connection: sqlite3.Connection, passage: int, given: Mapping[str, Any]) -> None:
    """The bag of what a passage says, of the parameters it was written with."""
    said = f"{given['body']} {given['tags']} {given['files']}"
    connection.execute(statements("writing")["put_bag"], {"passage": passage, "bag": bag(said)})


def put_missing_bags(connection: sqlite3.Connection, most: int = -1) -> int:
    """Gives a bag to every passage that has none, or to so many of them; returns to how many."""
    rows = connection.execute(statements("writing")["passages_without_bag"], {"limit": most}).fetchall()
    for row in rows:
        put_bag(connection, row["id"], row)
    return len(rows)


def put_codes(connection: sqlite3.Connection, place: Mapping[str, Any], views: bytes, tokens: bytes) -> None:
    """The closer look at a passage by a model; nothing is kept when there is nothing to see."""
    sql = statements("writing")
    connection.execute(sql["delete_codes"], place)
    if views or tokens:
        connection.execute(sql["insert_codes"], {**place, "views": views, "tokens": tokens})
