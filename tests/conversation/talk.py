"""Helpers: small conversations, and what the workspace learned from them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from holdfast.core.conversation import SessionState
from holdfast.intake.message_intake import IncomingMessage
from holdfast.workspace import Workspace

MORNING = datetime(2026, 3, 2, 9, tzinfo=UTC)
HELLO = (
    "user: Hello! My name is Ada and I live in Lyon.",
    "assistant: Nice to meet you, Ada. What can I do for you?",
    "user: From now on, always run the linter before you commit anything in this project.",
    "assistant: Understood.",
    "user: Thanks, that is all for today.",
)


def talk(ws: Workspace, session: str, *lines: str, at: datetime = MORNING) -> list[str]:
    """Adds each `role: text`, one minute apart, to a session; returns the ids of the messages."""
    parts = [line.partition(": ") for line in lines]
    messages = [IncomingMessage(role, text, at + timedelta(minutes=n)) for n, (role, _, text) in enumerate(parts)]
    return [a.memory.id for a in ws.session(session).say_all(messages) if a.memory]


def chatter(count: int, start: int = 0) -> list[str]:
    """Messages with nothing worth remembering."""
    return [f"{'assistant' if n % 2 else 'user'}: And what about tide table {n}?" for n in range(start, start + count)]


def state(ws: Workspace, session: str) -> SessionState:
    found = ws.container.store.sessions.state(ws.project, session)
    assert found is not None
    return found


def facts(ws: Workspace) -> set[str]:
    """The texts of all learned memories that are believed."""
    return {m.content for m in ws.list(limit=1_000) if m.type not in ("episode", "reflection")}
