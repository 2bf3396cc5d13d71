"""Sessions, history, editable files and model usage on SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from holdfast.core.clock import stamp
from holdfast.core.conversation import ConsolidatedPage, HistoryEntry, SessionState
from holdfast.core.errors import Overtaken
from holdfast.store.rows.memory_rows import memory_of
from holdfast.store.rows.session_rows import entry_of, entry_row, state_of
from holdfast.store.sqlite.sqlite_statements import statements

if TYPE_CHECKING:
    from holdfast.core.memory import Memory
    from holdfast.store.sqlite.database import Database


class SqliteSessions:
    """`SessionWriting` and `UsageCounting` on SQLite."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._sql = statements("sessions")

    def state(self, project: str, id: str) -> SessionState | None:
        rows = self._rows("one", project=project, id=id)
        return state_of(rows[0]) if rows else None

    def states(self, project: str, limit: int = -1) -> tuple[SessionState, ...]:
        return tuple(map(state_of, self._rows("all", project=project, limit=limit)))

    def due(
        self, project: str, idle_since: datetime, *, but: str | None = None, switched: bool = False, limit: int = -1
    ) -> tuple[SessionState, ...]:
        parameters = {"project": project, "idle_since": stamp(idle_since), "but": but, "switched": int(switched)}
        return tuple(map(state_of, self._rows("due", **parameters, limit=limit)))

    def messages(self, project: str, id: str, *, after: str | None = None, limit: int = 30) -> tuple[Memory, ...]:
        rows = self._rows("messages_after", project=project, id=id, after=after, limit=limit)
        return tuple(map(memory_of, rows))

    def count_messages(self, project: str, id: str, *, after: str | None = None) -> int:
        found: int = self._rows("count_after", project=project, id=id, after=after)[0][0]
        return found

    def trim(self, project: str, id: str, to: str, recap: str) -> None:
        self._write("trim", project=project, id=id, to=to, recap=recap)

    def archive(self, project: str, id: str, at: datetime) -> None:
        self._write("archive", project=project, id=id, at=stamp(at))

    def entitle(self, project: str, id: str, title: str) -> None:
        self._write("entitle", project=project, id=id, title=title)

    def history(self, project: str, *, session: str | None = None) -> tuple[HistoryEntry, ...]:
        return tuple(map(entry_of, self._rows("history", project=project, session=session)))

    def page(self, project: str, name: str) -> str | None:
        rows = self._rows("page", project=project, name=name)
        return rows[0]["text"] if rows else None

    def keep_page(self, project: str, name: str, text: str, at: datetime) -> None:
        self._write("put_page", project=project, name=name, text=text, at=stamp(at))

    def reserve(self, day: str, purpose: str, tokens: int, *, most_calls: int, most_tokens: int) -> bool:
        with self._database.write(durable=False) as connection:
            used = connection.execute(self._sql["used"], {"day": day}).fetchone()
            fits: bool = used["calls"] < most_calls and used["tokens"] + tokens <= most_tokens
            parameters = {"day": day, "purpose": purpose, "tokens": tokens}
            connection.execute(self._sql["count_call" if fits else "count_refusal"], parameters)
        return fits

    def settle(self, day: str, purpose: str, *, reserved: int, prompt: int, completion: int) -> None:
        self._write("settle", day=day, purpose=purpose, reserved=reserved, prompt=prompt, completion=completion)

    def usage(self, day: str) -> Mapping[str, Mapping[str, int]]:
        counts = ("calls", "prompt_tokens", "completion_tokens", "refused")
        return {row["purpose"]: {name: row[name] for name in counts} for row in self._rows("usage", day=day)}

    def _rows(self, name: str, /, **parameters: Any) -> list[sqlite3.Row]:
        return self._database.read(self._sql[name], parameters)

    def _write(self, name: str, /, **parameters: Any) -> None:
        with self._database.write(durable=True) as connection:
            connection.execute(self._sql[name], parameters)


def close_page(connection: sqlite3.Connection, project: str, page: ConsolidatedPage) -> None:
    """Moves a session's watermark inside the caller's transaction. Raises Overtaken if another process moved it."""
    sql = statements("sessions")
    parameters = {"project": project, "id": page.session, "since": page.since, "to": page.to, "at": stamp(page.at)}
    if connection.execute(sql["advance"], parameters).rowcount == 0:
        raise Overtaken(f"session {page.session}")
    if page.entry is not None:
        connection.execute(sql["insert_history"], entry_row(project, page.entry))
