"""What every reader of transcripts gives: messages in the order they were said, and notes on what was passed over."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

# Why a line, an element or a message is passed over.
UNREADABLE = "not JSON"
TOO_LONG = "too long a line"
UNKNOWN = "an unknown kind of record"
SUB_AGENT = "of a sub-agent"
INJECTED = "put in by the program"
REPEATED = "told twice"

_LONGEST_NAME = 200
_MOST_TOOLS = 50


@dataclass(frozen=True, slots=True)
class TranscriptEntry:
    """One message of a session. With no text, it only says which tools the assistant used."""

    session: str
    role: str
    text: str
    when: datetime | None = None
    tools: tuple[str, ...] = ()
    id: str = ""


@dataclass(slots=True)
class ParseNotes:
    """What is learned on the way through a file: complete when the file was read to its end."""

    name: str
    titles: dict[str, str] = field(default_factory=dict)
    folders: dict[str, str] = field(default_factory=dict)
    skipped: Counter[str] = field(default_factory=Counter)

    def session(self, id: object) -> str:
        """The name under which a session is kept: its own id where that is fit to be one, else one made from it."""
        if id is None:
            return line_of(self.name) or "transcript"
        if isinstance(id, str) and id.strip() and line_of(id) == id.strip():
            return id.strip()
        digest = hashlib.sha256(repr(id).encode("utf-8", "backslashreplace")).hexdigest()
        return f"transcript-{digest[:16]}"

    def title(self, session: str, title: object) -> None:
        """Notes what the program called a session; the latest name holds."""
        if said := line_of(title):
            self.titles[session] = said

    def folder(self, session: str, folder: object) -> None:
        """Notes the folder in which a session began."""
        if isinstance(folder, str) and folder:
            self.folders.setdefault(session, folder)


def joined(entries: Iterable[TranscriptEntry], notes: ParseNotes) -> Iterator[TranscriptEntry]:
    """Messages, each once, with the tools that were used beside them. One message is held back, no more."""
    seen: set[tuple[str, str]] = set()
    for entry in _with_tools(entries):
        if entry.id and (entry.session, entry.id) in seen:
            notes.skipped[REPEATED] += 1
            continue
        if entry.id:
            seen.add((entry.session, entry.id))
        yield entry


def line_of(text: object, longest: int = _LONGEST_NAME) -> str:
    """A text of another program as one short line that is safe to show; empty for what is no text."""
    if not isinstance(text, str):
        return ""
    return "".join(ch for ch in " ".join(text[: 4 * longest].split()) if ch.isprintable())[:longest].strip()


def moment(value: object) -> datetime | None:
    """A moment as transcripts write it: ISO 8601, in UTC when no zone is given, or seconds since 1970."""
    try:
        if isinstance(value, str):
            at = datetime.fromisoformat(value)
            return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return datetime.fromtimestamp(value, UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return None


def word(record: Mapping[str, Any], name: str) -> str:
    """A text inside a mapping; an empty one when there is none."""
    found = record.get(name)
    return found if isinstance(found, str) else ""


def part(record: object, name: str) -> Mapping[str, Any]:
    """A mapping inside a mapping; an empty one when there is none."""
    found = record.get(name) if isinstance(record, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def parts(record: object, name: str) -> list[Mapping[str, Any]]:
    """The mappings of a list inside a mapping."""
    found = record.get(name) if isinstance(record, Mapping) else None
    return [inner for inner in found if isinstance(inner, Mapping)] if isinstance(found, list) else []


def names(calls: Iterable[Mapping[str, Any]], field: str = "name") -> tuple[str, ...]:
    """What the called tools are named, each once."""
    found = (line_of(call.get(field), 80) for call in calls)
    return tuple(dict.fromkeys(name for name in found if name))


def _with_tools(entries: Iterable[TranscriptEntry]) -> Iterator[TranscriptEntry]:
    held: TranscriptEntry | None = None
    waiting: tuple[str, ...] = ()
    for entry in entries:
        if held is not None and entry.session != held.session:
            yield held
            held, waiting = None, ()
        if held is not None and held.role == "assistant" and (not entry.text or entry.id == held.id != ""):
            # Why: some programs write a message again when its tools are known.
            held = replace(held, text=entry.text or held.text, tools=_united(held.tools, entry.tools))
        elif not entry.text:
            waiting = _united(waiting, entry.tools)
        else:
            if held is not None:
                yield held
            held = replace(entry, tools=_united(waiting, entry.tools)) if entry.role == "assistant" else entry
            waiting = ()
    if held is not None:
        yield held


def _united(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*first, *second)))[:_MOST_TOOLS]
