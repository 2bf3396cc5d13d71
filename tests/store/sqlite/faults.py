"""Connections whose N-th write fails, as on a failing disk."""

from __future__ import annotations

import re
import sqlite3
from typing import Any

_WRITES = ("insert", "update", "delete", "create", "drop", "alter", "begin immediate", "commit")
_COMMENTS = re.compile(r"^\s*(--[^\n]*\n\s*)*")


class Fault:
    """Counts writes and fails the one it was armed for. One fault watches all connections of its class."""

    def __init__(self, message: str) -> None:
        self.message = message
        self.seen = 0
        self.armed_for: int | None = None

    def arm(self, n: int) -> None:
        self.seen, self.armed_for = 0, n

    def disarm(self) -> None:
        self.armed_for = None

    @property
    def fired(self) -> bool:
        return self.armed_for is not None and self.seen >= self.armed_for

    def look_at(self, sql: str) -> None:
        if self.armed_for is None or not _is_write(sql):
            return
        self.seen += 1
        if self.seen == self.armed_for:
            raise sqlite3.OperationalError(self.message)

    def factory(self) -> type[sqlite3.Connection]:
        fault = self

        class Failing(sqlite3.Connection):
            def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
                fault.look_at(sql)
                return super().execute(sql, parameters)

            def executemany(self, sql: str, parameters: Any, /) -> sqlite3.Cursor:
                fault.look_at(sql)
                return super().executemany(sql, parameters)

        return Failing


def _is_write(sql: str) -> bool:
    plain = _COMMENTS.sub("", sql).lower()
    return plain.startswith(_WRITES) or (plain.startswith("pragma") and "=" in plain and "version" in plain)
