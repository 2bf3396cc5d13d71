"""Reads memories for a hook: a few statements on a plain connection, without the schema check and the other readers."""

from __future__ import annotations

import os
import time

from holdfast.core.light_json import write_json
from holdfast.core.light_memory import LightMemory
from holdfast.store.named_statements import load
from holdfast.system.project_match import match_project

try:
    # The C module alone: the package around it imports datetime, and takes twice the time.
    import _sqlite3 as sqlite3
except ImportError:  # Other interpreters than CPython
    import sqlite3  # type: ignore[no-redef]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from holdfast.system.project import ProjectIdentity

_APPLICATION_ID, _OLDEST_SCHEMA = 0x484F4C44, 28
# Milliseconds to wait for another process. A reader waits only while another one opens or closes the file.
_READ_PATIENCE, _WRITE_PATIENCE = 500, 50
_FOLDER = os.path.join(os.path.dirname(__file__), "sql")


class SqliteLightStore:
    """A connection for one hook. A write that would wait longer than 50 ms is given up."""

    def __init__(self, path: str) -> None:
        self._sql = load(_FOLDER, "light")
        self._connection = sqlite3.connect(path, timeout=_READ_PATIENCE / 1000, isolation_level=None)
        self._connection.row_factory = sqlite3.Row

    @classmethod
    def open(cls, path: str) -> SqliteLightStore | None:
        """Opens an existing store; None if there is none, or if this program has to migrate it first."""
        if not os.path.exists(path):
            return None
        store = cls(path)
        owner, version = (store._connection.execute(f"pragma {name}").fetchone()[0] for name in _PRAGMAS)
        if owner == _APPLICATION_ID and version >= _OLDEST_SCHEMA:
            return store
        store.close()
        return None

    def project(self, identity: ProjectIdentity) -> str | None:
        found = match_project(identity, self._connection.execute(self._sql["projects"]).fetchall())
        return None if found is None else str(found["id"])

    def about_files(self, project: str, session: str, files: Sequence[str], types: Sequence[str]) -> list[LightMemory]:
        listed = {"files": write_json(list(files)), "types": write_json(list(types))}
        return self._memories("about_files", project, session, listed)

    def about_words(self, project: str, session: str, match: str, types: Sequence[str], most: int) -> list[LightMemory]:
        return self._memories(
            "about_words", project, session, {"match": match, "types": write_json(list(types)), "most": most}
        )

    def taught_since(self, project: str, session: str, since: float, types: Sequence[str]) -> list[LightMemory]:
        values = {"since": _stamp(since), "types": write_json(list(types))}
        return self._memories("taught_since", project, session, values)

    def supply(self, project: str, session: str, ids: Sequence[str], count: bool = True) -> bool:
        values = {"project": project, "session": session, "ids": write_json(list(ids)), "now": _now()}
        return self._write(("supply", "count_use") if count else ("supply",), values)

    def forget_supplied(self, project: str, session: str) -> bool:
        return self._write(("forget_supplied",), {"project": project, "session": session})

    def close(self) -> None:
        self._connection.close()

    def _memories(self, name: str, project: str, session: str, values: dict[str, Any]) -> list[LightMemory]:
        shared = {"project": project, "session": session, "now": _now()}
        return [LightMemory(row) for row in self._connection.execute(self._sql[name], {**shared, **values})]

    def _write(self, names: Sequence[str], values: dict[str, Any]) -> bool:
        connection = self._connection
        connection.execute(f"pragma busy_timeout = {_WRITE_PATIENCE}")
        try:
            connection.execute("begin immediate")
        except sqlite3.OperationalError:
            return False
        for name in names:
            connection.execute(self._sql[name], values)
        connection.execute("commit")
        return True


_PRAGMAS = ("application_id", "user_version")


def _now() -> str:
    return _stamp(time.time())


def _stamp(at: float) -> str:
    """A time as `core.clock.stamp` writes it."""
    return f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(at))}.{int(at * 1000) % 1000:03d}Z"
