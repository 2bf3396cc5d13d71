"""The background job of sessions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from holdfast.core.job import SESSIONS, Job

if TYPE_CHECKING:
    from holdfast.sessions.journal_messages import JournalMessages


class SessionParts(Protocol):
    """What the job needs."""

    journal_messages: JournalMessages


MESSAGES: Job[SessionParts] = Job(
    "messages",
    lambda parts, progress: parts.journal_messages(progress),
    is_due=lambda parts: parts.journal_messages.is_due(),
    after=SESSIONS,
    of_project=True,
)
