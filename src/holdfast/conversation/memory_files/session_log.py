"""A session as JSONL: a first line about the session, whose `created_at` never changes, then a line for each message.

The rows are the truth; this is their view for people and programs. Whatever happens to the file, `catch_up` makes it
right, and what stood in it and is not ours is put aside, never thrown away.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache, lru_cache
from typing import Any

from holdfast.conversation.memory_files.folder import Folder
from holdfast.core.clock import stamp, unstamp
from holdfast.core.conversation import Message, SessionState

# Why escaped: to many readers these end a line, or are no text.
_SECOND_LINE = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_HELD = ("title", "consolidated_to", "consolidated_at", "trimmed_to", "archived_at")


@dataclass(frozen=True, slots=True)
class LogHeader:
    """The first line: which session, and how far it has come."""

    id: str
    kind: str
    created_at: datetime
    title: str | None = None
    consolidated_to: str | None = None
    consolidated_at: datetime | None = None
    trimmed_to: str | None = None
    archived_at: datetime | None = None

    @classmethod
    def of(cls, state: SessionState) -> LogHeader:
        """What the rows say of the session."""
        return cls(state.id, state.kind, state.created_at, **{name: getattr(state, name) for name in _HELD})


@dataclass(frozen=True, slots=True)
class LogContents:
    """A journal as read: its opening if it has one, its messages, and the lines that are none."""

    opening: LogHeader | None
    messages: tuple[Message, ...]
    strange: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class SessionLog:
    """The JSONL file of one session."""

    folder: Folder
    session: str

    @property
    def name(self) -> str:
        return f"{safe_name(self.session)}.jsonl"

    def read(self) -> LogContents:
        """What the file holds; a torn last line is among the strange ones."""
        return _read(self.folder.read(self.name) or b"", self.session)

    def append(self, opening: Callable[[], LogHeader], messages: Sequence[Message]) -> None:
        """Adds messages at the end, in one write without waiting for the disk: the rows are safe already.

        `opening` is asked for when the file is new.
        """
        if not messages:
            return
        said = b"".join(map(_message_line, messages))
        self.folder.append(self.name, lambda last: _before(last, opening) + said, settled=False)

    def catch_up(self, opening: LogHeader, messages: Sequence[Message]) -> int:
        """Makes the file say what the rows say: adds what is missing, or writes it anew. Returns lines put aside.

        `messages` are those after `trimmed_to`, in order.
        """
        with self.folder.locked():
            there = self.folder.read(self.name) or b""
            wanted = _text(opening, messages)
            if there == wanted:
                return 0
            if there and wanted.startswith(there) and there.endswith(b"\n"):
                self.folder.append(self.name, wanted[len(there) :])
                return 0
            strange = _read(there, self.session).strange
            self._put_aside(strange)
            self.folder.write(self.name, wanted)
        return len(strange)

    def archive(self, at: datetime) -> str | None:
        """Puts the file by under a name with this moment, so that the session begins a new one. Returns that name."""
        with self.folder.locked():
            if self.folder.read(self.name) is None:
                return None
            moment = re.sub(r"[-:.]", "", stamp(at))
            name = next(n for n in self._archive_names(moment) if self.folder.read(n) is None)
            self.folder.rename(self.name, name)
        return name

    def _archive_names(self, moment: str) -> Iterable[str]:
        base = safe_name(self.session)
        yield f"{base}.{moment}.jsonl"
        yield from (f"{base}.{moment}-{n}.jsonl" for n in range(2, 10_000))

    def _put_aside(self, strange: Sequence[bytes]) -> None:
        if strange:
            self.folder.append(f"{safe_name(self.session)}.strange", b"".join(line + b"\n" for line in strange))


@lru_cache(maxsize=64)
def safe_name(session: str) -> str:
    """A file name for any id: readable, no two alike, nothing a file system would take for something else."""
    slug = re.sub(r"[^a-z0-9]+", "-", session.casefold()).strip("-")[:40].strip("-") or "session"
    return f"{slug}-{hashlib.sha256(session.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"


def _before(last: bytes, opening: Callable[[], LogHeader]) -> bytes:
    """What must stand before the next message: the first line of a new file, the end of a torn one."""
    if not last:
        return _opening_line(opening())
    # Why only ended: the torn line is found when the file is read, and its message is in the rows.
    return b"" if last == b"\n" else b"\n"


def _text(opening: LogHeader, messages: Iterable[Message]) -> bytes:
    return _opening_line(opening) + b"".join(map(_message_line, messages))


def _opening_line(opening: LogHeader) -> bytes:
    values: dict[str, Any] = {"type": "session", "id": opening.id, "kind": opening.kind}
    values |= {"created_at": opening.created_at} | {name: getattr(opening, name) for name in _HELD}
    return _line({name: stamp(v) if isinstance(v, datetime) else v for name, v in values.items() if v is not None})


def _message_line(message: Message) -> bytes:
    values = {"type": "message", "id": message.id, "role": message.role, "at": stamp(message.at)}
    return _line({**values, "text": message.text} | ({"tools": list(message.tools)} if message.tools else {}))


def _line(values: dict[str, Any]) -> bytes:
    text = _encoder().encode(values)
    if text.isascii() and "\x7f" not in text:
        return text.encode() + b"\n"
    return _SECOND_LINE.sub(lambda found: f"\\u{ord(found.group()):04x}", text).encode() + b"\n"


@cache
def _encoder() -> json.JSONEncoder:
    """Why kept: `json.dumps` makes one for every message."""
    return json.JSONEncoder(ensure_ascii=False)


def _read(content: bytes, session: str) -> LogContents:
    lines = content.split(b"\n")
    opening = _opening(lines[0], session)
    messages: list[Message] = []
    strange: list[bytes] = []
    for line in lines[1 if opening else 0 :]:
        message = _message(line)
        if message is not None:
            messages.append(message)
        elif line.strip():
            strange.append(line)
    return LogContents(opening, tuple(messages), tuple(strange))


def _opening(line: bytes, session: str) -> LogHeader | None:
    values = _values(line, "session")
    if values is None or values.get("id") != session:
        return None
    try:
        moments = {n: unstamp(values[n]) for n in ("consolidated_at", "archived_at") if n in values}
        texts = {n: str(values[n]) for n in ("title", "consolidated_to", "trimmed_to") if n in values}
        return LogHeader(session, str(values["kind"]), unstamp(values["created_at"]), **texts, **moments)  # type: ignore[arg-type] # the names are those of Opening
    except (KeyError, ValueError, TypeError, AttributeError, OverflowError):
        return None


def _message(line: bytes) -> Message | None:
    values = _values(line, "message")
    try:
        if values is None or not all(isinstance(values[name], str) for name in ("id", "role", "text")):
            return None
        tools = tuple(map(str, values.get("tools", ())))
        return Message(values["id"], values["role"], values["text"], unstamp(values["at"]), tools)
    except (KeyError, ValueError, TypeError, AttributeError, OverflowError):
        return None


def _values(line: bytes, type: str) -> dict[str, Any] | None:
    try:
        values = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return values if isinstance(values, dict) and values.get("type") == type else None
