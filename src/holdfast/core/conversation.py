"""Sessions: their messages, what is learned from them, and their state."""

from __future__ import annotations

from datetime import datetime

from holdfast.core.frozen import frozen


@frozen
class Message:
    """One message of a session, as extraction reads it."""

    id: str
    role: str
    text: str
    at: datetime
    tools: tuple[str, ...] = ()


@frozen
class Said:
    """The place of quoted words of a person: the session, the time, and the message, if it is stored yet."""

    session: str
    at: datetime
    message: str | None = None


@frozen
class Learned:
    """A statement worth storing, extracted from messages.

    `evidence` are the ids of the messages that state it, `quote` their words. `subject` and `slot` say what it is
    about, to find an older value of the same attribute. `amends` marks a statement that changes an earlier rule.
    `replaces` are the ids of memories that it replaces, `disputes` those of memories one of which it may replace.
    `changes` is the earlier statement that it changes, if known; it finds memories that share no word with the new one.
    `read` is set if a model that read both says so. `occasion` quotes what was said before it. `questions` are
    what it answers, in other words.
    """

    text: str
    type: str
    evidence: tuple[str, ...]
    quote: str
    confidence: float
    subject: str = ""
    slot: str = ""
    when: datetime | None = None
    amends: bool = False
    replaces: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    changes: str = ""
    disputes: tuple[str, ...] = ()
    read: bool = False
    occasion: str = ""
    questions: tuple[str, ...] = ()


@frozen
class HistoryEntry:
    """A paragraph that summarises part of a session. `how` it was made: model, extract or raw-fallback."""

    id: str
    session: str
    at: datetime
    text: str
    tools: tuple[str, ...] = ()
    how: str = "extract"
    first: str = ""
    last: str = ""


@frozen
class SessionState:
    """The state of a session. `consolidated_to` and `trimmed_to` are ids of messages."""

    id: str
    kind: str
    created_at: datetime
    last_at: datetime
    messages: int
    title: str | None = None
    consolidated_to: str | None = None
    consolidated_at: datetime | None = None
    trimmed_to: str | None = None
    recap: str | None = None
    archived_at: datetime | None = None


@frozen
class ConsolidatedPage:
    """The end of a consolidated page, stored in one transaction with the memories learned from it.

    `since` is the watermark before the page; if another process has moved it, nothing of the page is stored.
    """

    session: str
    since: str | None
    to: str
    at: datetime
    entry: HistoryEntry | None = None
