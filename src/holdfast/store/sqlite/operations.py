"""Records what an operation changed, and reads the latest operation, so that it can be undone."""

from __future__ import annotations

import json
import sqlite3
from typing import TYPE_CHECKING, Any

from holdfast.store.rows.memories import earlier_memory, memory_of, row_of
from holdfast.store.sqlite.statements import statements

if TYPE_CHECKING:
    from holdfast.core.memory import Memory
    from holdfast.core.memory_description import Operation

# The number of operations that can be undone.
_KEPT = 500
# Not part of an operation: counting how often a memory is used is not undone.
_COUNTED = ("access_count", "last_accessed_at")


class JoinedOperation:
    """An operation of several transactions: its number, once one of them has stored it, and the values before it."""

    __slots__ = ("before", "number", "verb")

    def __init__(self, verb: str) -> None:
        self.verb = verb
        self.number: int | None = None
        self.before: dict[str, dict[str, Any] | None] = {}


class OperationRecorder:
    """Records the changes of one transaction. The operation itself is stored with its first change."""

    def __init__(self, connection: sqlite3.Connection, verb: str, joined: JoinedOperation | None = None) -> None:
        self._connection = connection
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
            operation = {"project": memory.project, "verb": self._verb}
            self._operation = self._connection.execute(self._sql["insert"], operation).lastrowid or 0
            self._connection.execute(self._sql["prune"], {"project": memory.project, "last": self._operation - _KEPT})
        before = self._before[memory.id]
        values = None if before is None else json.dumps(before)
        parameters = {"operation": self._operation, "memory": memory.id, "before": values}
        self._connection.execute(self._sql["insert_change"], parameters)


def latest_operation(connection: sqlite3.Connection, project: str) -> Operation | None:
    """The latest operation that was not undone, with each memory now and before it."""
    from holdfast.core.memory_description import Operation  # Imported here: only `undo` needs it.

    sql = statements("operations")
    row = connection.execute(sql["latest"], {"project": project}).fetchone()
    if row is None:
        return None
    changed = connection.execute(sql["changes"], {"operation": row["id"]}).fetchall()
    pairs = ((memory_of(change), earlier_memory(change, change["before"])) for change in changed)
    return Operation(row["id"], row["verb"], tuple(pairs))
