"""What is said in a session, what is learned from it, and how far that has come (R-E1, R-E3, R-E6)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a session, as those see it who learn from it."""

    id: str
    role: str
    text: str
    at: datetime
    tools: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Learned:
    """Something worth keeping, found in messages.

    `evidence` are the ids of the messages that say it, `quote` their words. `subject` and `slot` say what it is
    about, for those who look for an older answer to the same question; `amends` that it was said as a change of an
    earlier ruling; `replaces` names memories that it takes the place of.
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


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One paragraph of history: what happened in a stretch of a session. `how`: model, extract, raw-fallback."""

    id: str
    session: str
    at: datetime
    text: str
    tools: tuple[str, ...] = ()
    how: str = "extract"
    first: str = ""
    last: str = ""


@dataclass(frozen=True, slots=True)
class SessionState:
    """A session and how far it has come: `consolidated_to` and `trimmed_to` are ids of messages."""

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


@dataclass(frozen=True, slots=True)
class ConsolidatedPage:
    """The end of a page: kept in one transaction with what was learned from it.

    `since` is the watermark that was found; when it has moved meanwhile, nothing of the page is kept.
    """

    session: str
    since: str | None
    to: str
    at: datetime
    entry: HistoryEntry | None = None
