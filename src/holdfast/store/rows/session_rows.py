"""Maps sessions and their history to rows and back."""

from __future__ import annotations

import json
from typing import Any

from holdfast.core.clock import stamp, stored_time
from holdfast.core.conversation import HistoryEntry, SessionState
from holdfast.store.rows.memory_rows import moment
from holdfast.store.rows.row import Row, stored_json


def state_of(row: Row) -> SessionState:
    """The session of a row."""
    return SessionState(
        id=row["id"],
        kind=row["kind"],
        created_at=stored_time(row["created_at"]),
        last_at=stored_time(row["last_at"]),
        messages=row["messages"],
        title=row["title"],
        consolidated_to=row["consolidated_to"],
        consolidated_at=moment(row["consolidated_at"]),
        trimmed_to=row["trimmed_to"],
        recap=row["recap"],
        archived_at=moment(row["archived_at"]),
    )


def entry_of(row: Row) -> HistoryEntry:
    """The paragraph of history of a row."""
    return HistoryEntry(
        id=row["id"],
        session=row["session_id"],
        at=stored_time(row["at"]),
        text=row["text"],
        tools=stored_json(row["tools"], ()),
        how=row["how"],
        first=row["first_id"],
        last=row["last_id"],
    )


def entry_row(project: str, entry: HistoryEntry) -> dict[str, Any]:
    """The row of a paragraph of history."""
    return {
        "id": entry.id,
        "project": project,
        "session": entry.session,
        "at": stamp(entry.at),
        "text": entry.text,
        "tools": json.dumps(entry.tools),
        "how": entry.how,
        "first": entry.first,
        "last": entry.last,
    }
