"""Records what an operation changed, and reads the latest operation, so that it can be undone and done again."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from holdfast.core.clock import stamp
from holdfast.core.memory import BACKGROUND, SESSION_IMPORT
from holdfast.store.rows.memory_rows import earlier_memory, memory_of, row_of
from holdfast.store.sqlite.sqlite_statements import statements

if TYPE_CHECKING:
    from holdfast.core.memory import Memory
    from holdfast.core.memory_description import Operation

# The number of operations that can be undone.
_KEPT = 500
# Not part of an operation: counting how often a memory is used is not undone.
_COUNTED = ("access_count", "last_accessed_at")
# The value of `undone` of what was undone before its order was stored.
_UNORDERED = 1
# The verbs of commands that learn from sessions.
_LEARNING = ("consolidate", "observe", "session new")


class JoinedOperation:
    """An operation of several transactions: its number, once one of them has stored it, and the values before it."""

    __slots__ = ("before", "number", "verb")

    def __init__(self, verb: str) -> None:
        self.verb = verb
        self.number: int | None = None
        self.before: dict[str, dict[str, Any] | None] = {}


class OperationRecorder:
    """Records the changes of one transaction. The operation itself is stored with its first change."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        verb: str,
        now: Callable[[], datetime],
        joined: JoinedOperation | None = None,
    ) -> None:
        self._connection = connection
        self._now = now
        self._verb = joined.verb if joined else verb
        self._sql = statements("operations")
        self._joined = joined
        self._operation = joined.number if joined else None
        self._before = dict(joined.before) if joined else {}

    def committed(self) -> None:
        """Tells the joined operation what was recorded; call it after the transaction."""
        if self._joined is not None:
            self._joined.number, self._joined.before = self._operation, self._before

    def added(self, memory: Memory) -> None:
        """Records that a memory was added."""
        self._before[memory.id] = None
        self._record(memory)

    def changes(self, memory: Memory) -> None:
        """Records the values of a memory before a change; call it before the change."""
        old = self._connection.execute(statements("reading")["memory"], {"id": memory.id}).fetchone()
        new = row_of(memory)
        names = set(old.keys()).difference(_COUNTED) if old else ()
        changed = {name: old[name] for name in names if old[name] != new[name]}
        before = self._before.get(memory.id, {})
        if before is not None and changed.keys() - before.keys():
            # A memory may change several times in one operation: the first value of each column counts.
            self._before[memory.id] = {**changed, **before}
            self._record(memory)

    def _record(self, memory: Memory) -> None:
        if self._operation is None:
            self._operation = insert_operation(self._connection, memory.project, self._verb, self._now())
        before = self._before[memory.id]
        values = None if before is None else json.dumps(before)
        parameters = {"operation": self._operation, "memory": memory.id, "before": values}
        self._connection.execute(self._sql["insert_change"], parameters)


def insert_operation(connection: sqlite3.Connection, project: str, verb: str, at: datetime) -> int:
    """Stores an operation without changes, deletes the oldest, and returns its number."""
    sql = statements("operations")
    number = connection.execute(sql["insert"], {"project": project, "verb": verb, "at": stamp(at)}).lastrowid or 0
    connection.execute(sql["prune"], {"project": project, "last": number - _KEPT})
    return number


def latest_operation(connection: sqlite3.Connection, project: str) -> Operation | None:
    """The latest operation that was not undone, with each memory now and before it.

    What background work learned is passed over if a person or an agent has changed something before, because they mean
    their own change; but it belongs to the import of sessions that it follows.
    """
    sql = statements("operations")
    step = _latest_step(connection.execute(sql["latest"], {"project": project}).fetchall())
    if step is None:
        return None
    return _operation(connection, *step)


def undone_operation(connection: sqlite3.Connection, project: str) -> Operation | None:
    """The operation that was undone last; None if something was changed after it."""
    sql = statements("operations")
    rows = connection.execute(sql["latest"], {"project": project}).fetchall()
    last = max((row["undone"] for row in rows), default=0)
    if last <= _UNORDERED:
        return None
    numbers = tuple(row["id"] for row in rows if row["undone"] == last)
    newer = any(row["id"] > numbers[0] and not row["undone"] and row["verb"] != BACKGROUND for row in rows)
    if newer or any(connection.execute(sql["changed_since"], {"operation": number}).fetchone() for number in numbers):
        return None
    return _operation(connection, next(row["verb"] for row in rows if row["id"] == numbers[0]), numbers)


def mark_undone(connection: sqlite3.Connection, operation: Operation, restored: Mapping[str, Memory]) -> None:
    """Marks an operation as the one undone last, and keeps the values that a redo brings back."""
    last = int(connection.execute(statements("operations")["undone_last"]).fetchone()[0])
    _mark(connection, operation, restored, last + 1)


def mark_redone(connection: sqlite3.Connection, operation: Operation, restored: Mapping[str, Memory]) -> None:
    """Marks an operation as not undone, and keeps the values that another undo brings back."""
    _mark(connection, operation, restored, 0)


def _operation(connection: sqlite3.Connection, verb: str, records: tuple[int, ...]) -> Operation:
    from holdfast.core.memory_description import Operation  # Imported here: only `undo` needs it.

    sql = statements("operations")["changes"]
    changed = [row for number in records for row in connection.execute(sql, {"operation": number})]
    pairs = ((memory_of(change), earlier_memory(change, change["before"])) for change in changed)
    return Operation(verb, tuple(pairs), records)


def _mark(connection: sqlite3.Connection, operation: Operation, restored: Mapping[str, Memory], undone: int) -> None:
    """Marks the records of an operation, and replaces the values that were brought back by those before."""
    sql = statements("operations")
    connection.executemany(sql["mark"], ({"id": number, "undone": undone} for number in operation.records))
    for memory, _ in operation.changes:
        old, new = row_of(memory), row_of(restored[memory.id])
        before = json.dumps({name: value for name, value in old.items() if value != new[name]})
        rows = ({"operation": number, "memory": memory.id, "before": before} for number in operation.records)
        connection.executemany(sql["swap"], rows)


def _latest_step(rows: Sequence[sqlite3.Row]) -> tuple[str, tuple[int, ...]] | None:
    """The verb and the numbers of the operations that are undone together; `rows` are those of a project, latest first.

    An import of sessions changes no memory: what was learned from them directly after it belongs to it.
    """
    waiting = [at for at, row in enumerate(rows) if not row["undone"]]
    if not waiting:
        return None
    at = next((at for at in waiting if rows[at]["verb"] != BACKGROUND or _imports(rows[at + 1 :])), waiting[0])
    verb, imports = rows[at]["verb"], _imports(rows[at + 1 :])
    if verb == BACKGROUND and imports:
        verb = SESSION_IMPORT
    joins = verb in (SESSION_IMPORT, *_LEARNING)
    return verb, (rows[at]["id"], *(imports if joins else ()))


def _imports(earlier: Sequence[sqlite3.Row]) -> list[int]:
    """The imports of sessions directly before an operation."""
    return [row["id"] for row in takewhile(lambda row: row["verb"] == SESSION_IMPORT, earlier)]
