"""Reads a damaged database, or one from before the first release, into a new one. The old file is kept."""

# ruff: noqa: S608 # the names of tables and columns come from this program's own schema

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from holdfast.core.errors import StoreDamaged
from holdfast.core.ids import Ids
from holdfast.core.reason import Reason
from holdfast.store.sqlite.backups import newest_backup
from holdfast.store.sqlite.database import Database, errors_of
from holdfast.store.sqlite.migrate import APPLICATION_ID, migrate, versions
from holdfast.store.sqlite.sqlite_statements import statements
from holdfast.store.store_reasons import StoreCode
from holdfast.system.files import sync_folder
from holdfast.text.fingerprints import fingerprint

# Rows read at a time. A group in which one fails is read in halves.
_GROUP = 256
# How far beyond the last readable row to look for others, if no index tells the numbers of the rows.
_BEYOND = 2_000
# Tables that `SqliteHealthCheck.repair` or `holdfast index` rebuild from others, and leases, whose holders are gone.
_REBUILT = (
    "passages", "passage_files", "vectors", "embedders", "embedding_cache", "bags", "codes", "sentences", "vocabulary",
    "document_titles", "name_words", "leases", "code_files", "code_symbols", "code_edges", "code_unresolved",
    "code_consulted", "code_lookups", "code_index", "code_file_edges", "code_changes", "code_co_changes",
)  # fmt: skip
_MEMORIES = "memories"
_HEADER = ("application_id", "user_version")
Row = tuple[Any, ...]


class SalvagedTable(NamedTuple):
    """The readable rows of a table that were copied, and how many could not be."""

    name: str
    copied: int
    lost: int
    changed: int = 0


def is_damaged(path: str) -> bool:
    """Whether SQLite finds damage in a database file; reads all of it. False for the file of another program."""
    try:
        with contextlib.closing(sqlite3.connect(path, timeout=5)) as connection:
            if connection.execute("pragma application_id").fetchone()[0] != APPLICATION_ID:
                return newest_backup(path) is not None
            return bool(connection.execute("pragma integrity_check(1)").fetchone()[0] != "ok")
    except sqlite3.OperationalError as error:
        return "malformed" in str(error)
    except sqlite3.DatabaseError:
        # Another program's file is no database of ours either, but has no backups of ours beside it.
        return "malformed" in str(_error_of(path)) or newest_backup(path) is not None


def earlier_schema(path: str) -> int | None:
    """The schema version of a database from before the first release; None for any other file."""
    with contextlib.suppress(sqlite3.DatabaseError), contextlib.closing(sqlite3.connect(path, timeout=5)) as connection:
        owner, version = (connection.execute(f"pragma {name}").fetchone()[0] for name in _HEADER)
        return version if owner == APPLICATION_ID and 0 < version < versions()[0] else None
    return None


def salvage(path: str, now: datetime, ids: Ids, rebuild: Callable[[Database], object]) -> tuple[Reason, ...]:
    """Replaces a database by one with everything that can be read of it, or else by its newest backup.

    `rebuild` makes the derived tables of the new one. The old file is kept beside it. Raises StoreDamaged if nothing
    can be read and there is no backup.
    """
    earlier = earlier_schema(path)
    kept = f"{path}.backup-v{earlier}" if earlier else f"{path}.damaged-{now:%Y%m%d-%H%M%S}"
    with _temporary(f"{path}.salvage") as (source, target):
        _copy(path, source)
        readable = _readable_tables(source)
        if not readable:
            return _restore_backup(path, kept, target)
        tables = _copied(source, target, ids, readable)
        database = Database(target)
        try:
            rebuild(database)
            database.read("pragma wal_checkpoint(truncate)")
        finally:
            database.close()
        _swap(path, target, kept)
    return (*_report(tables), Reason.of(StoreCode.OLD_FILE_KEPT, path=kept))


def _report(tables: Sequence[SalvagedTable]) -> Iterator[Reason]:
    others = [table for table in tables if table.name != _MEMORIES]
    for table in tables:
        if table.name == _MEMORIES:
            yield Reason.of(StoreCode.MEMORIES_SALVAGED, count=table.copied, lost=table.lost)
            if table.changed:
                yield Reason.of(StoreCode.TEXTS_CHANGED, count=table.changed)
    lost = ", ".join(f"{table.name} {table.lost}" for table in others if table.lost)
    yield Reason.of(StoreCode.ROWS_SALVAGED, count=sum(table.copied for table in others))
    if lost:
        yield Reason.of(StoreCode.ROWS_LOST, tables=lost)


def _restore_backup(path: str, kept: str, target: str) -> tuple[Reason, ...]:
    backup = newest_backup(path)
    if backup is None:
        hint = "The file was left as it is. Copy a backup of your own to its place, or move it away to start again."
        raise StoreDamaged(f"{path}: nothing can be read, and there is no backup", hint=hint) from None
    _remove(target)
    shutil.copy2(backup, target)
    _swap(path, target, kept)
    restored = Reason.of(StoreCode.BACKUP_RESTORED, path=backup)
    return (restored, Reason.of(StoreCode.OLD_FILE_KEPT, path=kept))


def _readable_tables(source: str) -> set[str]:
    """The names of the tables; none if the schema cannot be read."""
    with contextlib.closing(sqlite3.connect(source, timeout=5)) as old:
        return {row[0] for row in _tolerant(old, "select name from sqlite_schema where type = 'table'")}


def _copied(source: str, target: str, ids: Ids, readable: set[str]) -> list[SalvagedTable]:
    """Copies the readable rows of every table that is not rebuilt."""
    _remove(target)
    made = Database(target)
    try:
        migrate(made, ids)
        new = made.connection()
        with contextlib.closing(sqlite3.connect(source, timeout=5)) as old:
            old.text_factory = lambda data: data.decode("utf-8", "replace")
            names = [name for name in _tables(new) if name in readable]
            new.execute("pragma foreign_keys = off")
            triggers = new.execute("select name, sql from sqlite_schema where type = 'trigger'").fetchall()
            new.execute("begin immediate")
            for name, _ in triggers:
                new.execute(f"drop trigger {name}")
            tables = [_copy_table(old, new, name) for name in names]
            orphans = _drop_orphans(new)
            _complete(new, earlier_schema(source))
            new.execute(statements("entities")["count_mentions"])
            for _, sql in triggers:
                new.execute(sql)
            new.execute("commit")
    finally:
        made.close()
    return [table._replace(copied=table.copied - orphans.get(table.name, 0)) for table in tables]


def _complete(new: sqlite3.Connection, earlier: int | None) -> None:
    """Fills the columns and tables that an earlier schema did not have from what it had."""
    for sql in statements("earlier").values() if earlier else ():
        new.execute(sql, {"version": earlier})


def _tables(connection: sqlite3.Connection) -> list[str]:
    rows = connection.execute("select name from pragma_table_list where schema = 'main' and type = 'table'")
    return [name for (name,) in rows if not name.startswith("sqlite_") and name not in _REBUILT]


def _copy_table(old: sqlite3.Connection, new: sqlite3.Connection, name: str) -> SalvagedTable:
    """Copies a table; `insert or ignore` leaves out rows that break a rule, which count as lost."""
    mine = {row[1] for row in new.execute(f"pragma table_info({name})")}
    columns = [row[1] for row in old.execute(f"pragma table_info({name})") if row[1] in mine]
    if name == "metadata":
        # The new file has its own id, so that a vector file of the old one is not taken for its own.
        rows, lost = _without_number(old, name, columns)
        rows = [row for row in rows if row[columns.index("key")] != "store_id"]
    elif _is_numbered(old, name):
        rows, lost = _by_number(old, name, columns)
    else:
        rows, lost = _without_number(old, name, columns)
    changed = 0
    if name == _MEMORIES:
        rows, changed = _checked(rows, columns)
    marks = ", ".join("?" * len(columns))
    sql = f"insert or ignore into {name} ({', '.join(columns)}) values ({marks})"
    copied = sum(_inserted(new, sql, row) for row in rows)
    return SalvagedTable(name, copied, lost + len(rows) - copied, changed)


def _inserted(new: sqlite3.Connection, sql: str, row: Row) -> int:
    try:
        return new.execute(sql, row).rowcount
    except (sqlite3.Error, OverflowError):
        return 0


def _checked(rows: Sequence[Row], columns: Sequence[str]) -> tuple[list[Row], int]:
    """Marks memories for review whose text does not have the hash that was stored with it."""
    text, hash, review = (columns.index(name) for name in ("content", "content_hash", "needs_review"))
    checked, changed = list[Row](), 0
    for row in rows:
        # Messages have no hash.
        if row[hash] and isinstance(row[text], str) and fingerprint(row[text]) != row[hash]:
            values = list(row)
            values[hash], values[review] = fingerprint(row[text]), 1
            row, changed = tuple(values), changed + 1
        checked.append(row)
    return checked, changed


def _is_numbered(connection: sqlite3.Connection, name: str) -> bool:
    found = connection.execute("select wr from pragma_table_list where name = ?", (name,)).fetchone()
    return not found[0]


def _by_number(connection: sqlite3.Connection, name: str, columns: Sequence[str]) -> tuple[list[Row], int]:
    """The readable rows of a table with row numbers, and how many are not."""
    known = _numbers(connection, name)
    sql = f"select {', '.join(columns)} from {name} where rowid between ? and ?"
    rows, lost = list[Row](), 0
    for at in range(0, len(known), _GROUP):
        found, failed = _in_halves(connection, sql, known[at : at + _GROUP])
        rows += found
        lost += failed
    return rows, lost


def _in_halves(connection: sqlite3.Connection, sql: str, numbers: Sequence[int]) -> tuple[list[Row], int]:
    try:
        return connection.execute(sql, (numbers[0], numbers[-1])).fetchall(), 0
    except sqlite3.DatabaseError:
        if len(numbers) == 1:
            return [], 1
    middle = len(numbers) // 2
    (first, lost), (second, also) = (_in_halves(connection, sql, part) for part in (numbers[:middle], numbers[middle:]))
    return first + second, lost + also


def _numbers(connection: sqlite3.Connection, name: str) -> Sequence[int]:
    """The row numbers of a table from one of its indexes; if none is readable, all numbers up to the last readable."""
    indexes = [row[1] for row in _tolerant(connection, f"pragma index_list({name})")]
    for index in indexes:
        with contextlib.suppress(sqlite3.DatabaseError):
            return sorted(row[0] for row in connection.execute(f'select rowid from {name} indexed by "{index}"'))
    with contextlib.suppress(sqlite3.DatabaseError):
        last = connection.execute(f"select max(rowid) from {name}").fetchone()[0]
        return range(1, (last or 0) + 1)
    readable = [row[0] for row in _tolerant(connection, f"select rowid from {name} order by rowid")]
    return range(1, max(readable, default=0) + _BEYOND)


def _without_number(connection: sqlite3.Connection, name: str, columns: Sequence[str]) -> tuple[list[Row], int]:
    """The readable rows of a table without row numbers: from the beginning and from the end, up to the damage."""
    keys = [
        row[1] for row in sorted(connection.execute(f"pragma table_info({name})"), key=lambda row: row[5]) if row[5]
    ]
    wanted = ", ".join(columns)
    rows = list(_tolerant(connection, f"select {wanted} from {name} order by {', '.join(keys)}"))
    back = _tolerant(connection, f"select {wanted} from {name} order by {', '.join(f'{key} desc' for key in keys)}")
    places = [columns.index(key) for key in keys]
    known = {tuple(row[place] for place in places) for row in rows}
    for row in back:
        if tuple(row[place] for place in places) in known:
            return rows, 0
        rows.append(row)
    if not rows:
        with contextlib.suppress(sqlite3.DatabaseError):
            connection.execute(f"select {wanted} from {name}").fetchall()
            return rows, 0
        return rows, 1
    try:
        connection.execute(f"select {wanted} from {name}").fetchall()
    except sqlite3.DatabaseError:
        return rows, 1
    return rows, 0


def _tolerant(connection: sqlite3.Connection, sql: str) -> Iterator[Row]:
    """The rows of a query up to the first that cannot be read."""
    with contextlib.suppress(sqlite3.DatabaseError):
        yield from connection.execute(sql)


def _drop_orphans(new: sqlite3.Connection) -> dict[str, int]:
    """Deletes rows that refer to rows that were lost; returns how many by table."""
    dropped: dict[str, int] = {}
    while violations := new.execute("pragma foreign_key_check").fetchall():
        for table in {row[0] for row in violations}:
            numbers = [row[1] for row in violations if row[0] == table and row[1] is not None]
            before = new.execute(f"select count(*) from {table}").fetchone()[0]
            if numbers:
                new.executemany(f"delete from {table} where rowid = ?", [(number,) for number in numbers])
            else:
                _drop_unnumbered(new, table)
            after = new.execute(f"select count(*) from {table}").fetchone()[0]
            if after == before:
                return dropped
            dropped[table] = dropped.get(table, 0) + before - after
    return dropped


def _drop_unnumbered(new: sqlite3.Connection, table: str) -> None:
    keys: dict[int, list[Row]] = {}
    for row in new.execute(f"pragma foreign_key_list({table})"):
        keys.setdefault(row[0], []).append(row)
    for parts in keys.values():
        parent = parts[0][2]
        joined = " and ".join(f"p.{part[4] or part[3]} = {table}.{part[3]}" for part in parts)
        given = " and ".join(f"{part[3]} is not null" for part in parts)
        new.execute(f"delete from {table} where {given} and not exists (select 1 from {parent} p where {joined})")


def _error_of(path: str) -> sqlite3.DatabaseError | None:
    try:
        with contextlib.closing(sqlite3.connect(path)) as connection:
            connection.execute("select count(*) from sqlite_schema").fetchone()
    except sqlite3.DatabaseError as error:
        return error
    return None


@contextlib.contextmanager
def _temporary(start: str) -> Iterator[tuple[str, str]]:
    """Two paths for temporary databases, which are deleted in the end."""
    source, target = f"{start}-source", f"{start}-new"
    try:
        with errors_of(start):
            yield source, target
    finally:
        for path in (source, target):
            _remove(path)


def _files(path: str) -> Iterable[str]:
    return (path, f"{path}-wal", f"{path}-shm", f"{path}-journal")


def _remove(path: str) -> None:
    for file in _files(path):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(file)


def _copy(path: str, copy: str) -> None:
    """Copies a database and its log, without files that SQLite makes again."""
    _remove(copy)
    for ending in ("", "-wal"):
        with contextlib.suppress(FileNotFoundError):
            shutil.copy2(path + ending, copy + ending)


def _swap(path: str, target: str, kept: str) -> None:
    """Puts a new database in place and keeps the old one. There is a complete database at `path` at every moment."""
    try:
        os.link(path, kept)
    except OSError:
        shutil.copy2(path, kept)
    # Before the new file is in place: SQLite would take the log of the old one for its own.
    with contextlib.suppress(FileNotFoundError):
        os.replace(f"{path}-wal", f"{kept}-wal")
    with contextlib.suppress(FileNotFoundError):
        os.unlink(f"{path}-shm")
    os.chmod(target, 0o600)
    os.replace(target, path)
    sync_folder(os.path.dirname(os.path.abspath(path)))
