"""Reads and damages a SQLite file directly, for tests that the Protocols cannot express."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from holdfast.store.protocol import Store
from holdfast.store.sqlite.sqlite_store import SqliteStore


def rows(store: Store, sql: str, parameters: Any = ()) -> list[Any]:
    with _opened(store.address) as connection:
        return connection.execute(sql, parameters).fetchall()


def execute(store: Store, sql: str, parameters: Any = (), *, foreign_keys: bool = True) -> None:
    with _opened(store.address, foreign_keys) as connection, connection:
        connection.execute(sql, parameters)


def own_connection(store: Store) -> sqlite3.Connection:
    """The connection that this thread's calls of the store use."""
    assert isinstance(store, SqliteStore)
    return store._database.connection()


def is_durable(store: Store) -> bool:
    """Whether this thread's last transaction survives a power cut."""
    return bool(own_connection(store).execute("pragma synchronous").fetchone()[0] == 2)


def delete_passages(database: Store | Path) -> None:
    """Deletes every passage, and with them words, vectors and bags, as damage would."""
    with _opened(database if isinstance(database, Path) else database.address) as connection, connection:
        connection.execute("delete from passages")


def rebuild(store: Store) -> None:
    """Makes every derived table again from memories and documents."""
    delete_passages(store)
    store.health.repair()


def delete_bags(store: Store) -> None:
    execute(store, "delete from bags")


def orphan_passages(store: Store, start: str) -> None:
    """Gives passages whose text starts with `start` an owner that does not exist."""
    execute(store, "update passages set owner_id = 'mem_gone' where body like ?", (f"{start}%",))


def stored_vectors(store: Store, limit: int = -1) -> list[Any]:
    """The owner and the vector of random passages; the vector is None where a passage has none."""
    sql = "select p.owner_id, v.vector from passages p left join vectors v on v.passage_id = p.id"
    return rows(store, f"{sql} order by random() limit ?", (limit,))


def index_segments(store: Store) -> int:
    """How many segments the full-text index has."""
    return int(rows(store, "select count(distinct segid) from passages_fts_idx")[0][0])


def text_columns(store: Store) -> list[tuple[str, str]]:
    """Every column of text, with its table."""
    tables = [name for (name,) in rows(store, "select name from pragma_table_list where type = 'table'")]
    return [
        (table, name)
        for table in tables
        for (name,) in rows(store, "select name from pragma_table_info(?) where lower(type) = 'text'", (table,))
    ]


def contains(store: Store, text: str) -> bool:
    """Is a text in any row of any table?"""
    with _opened(store.address) as connection:
        return any(text in line for line in connection.iterdump())


def make_newer(path: Path) -> None:
    """Makes a database look as if a newer release had written it."""
    with _opened(path) as connection:
        connection.execute("pragma user_version = 999")


def make_foreign(path: Path) -> None:
    """Replaces a file by another program's database."""
    path.unlink()
    with _opened(path) as connection, connection:
        connection.execute("create table songs (title)")


@contextlib.contextmanager
def _opened(path: str | Path, foreign_keys: bool = True) -> Iterator[sqlite3.Connection]:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute(f"pragma foreign_keys = {'on' if foreign_keys else 'off'}")
        yield connection
