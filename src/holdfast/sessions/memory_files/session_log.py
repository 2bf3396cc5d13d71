"""A session as JSONL: a header line about the session, whose `created_at` never changes, then a line per message.

The database is authoritative; the file is a view of its rows. `catch_up` restores a damaged file; lines that are
not Holdfast's are moved to a `.strange` file, never deleted.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import cache, lru_cache
from typing import Any

from holdfast.core.clock import stamp, unstamp
from holdfast.core.conversation import Message, SessionState
from holdfast.core.frozen import frozen
from holdfast.sessions.memory_files.folder import Folder

# Escaped, because many readers take these for line ends or invalid text.
_ESCAPED = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_OPTIONAL = ("title", "consolidated_to", "consolidated_at", "trimmed_to", "archived_at")


@frozen
class LogHeader:
    """The first line: the session, its title and its watermarks."""

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
        """The header for a session's state."""
        return cls(state.id, state.kind, state.created_at, **{name: getattr(state, name) for name in _OPTIONAL})


@frozen
class LogContents:
    """A log as read: its header if it has one, its messages, and all other lines."""

    header: LogHeader | None
    messages: tuple[Message, ...]
    unknown: tuple[bytes, ...] = ()


@frozen
class SessionLog:
    """The JSONL file of one session."""

    folder: Folder
    session: str

    @property
    def name(self) -> str:
        return f"{safe_name(self.session)}.jsonl"

    def read(self, name: str = "") -> LogContents:
        """Reads the file, or the archived one of this name; a truncated last line is among the unknown ones."""
        return _read(self.folder.read(name or self.name) or b"", self.session)

    def append(self, header: Callable[[], LogHeader], messages: Sequence[Message]) -> None:
        """Appends messages in one write without waiting for the disk: the rows are durable already.

        `header` is called only for a new file.
        """
        if not messages:
            return
        lines = b"".join(map(_message_line, messages))
        self.folder.append(self.name, lambda last: _before(last, header) + lines, durable=False)

    def catch_up(self, header: LogHeader, messages: Sequence[Message]) -> int:
        """Makes the file agree with the rows: appends or rewrites it. Returns the number of lines moved aside.

        `messages` are those after `trimmed_to`, in order.
        """
        with self.folder.locked():
            content = self.folder.read(self.name) or b""
            wanted = _text(header, messages)
            if content == wanted:
                return 0
            if content and wanted.startswith(content) and content.endswith(b"\n"):
                self.folder.append(self.name, wanted[len(content) :])
                return 0
            unknown = _read(content, self.session).unknown
            self._move_aside(unknown)
            self.folder.write(self.name, wanted)
        return len(unknown)

    def archive(self, at: datetime) -> str | None:
        """Renames the file to a name with this time, so that the session starts a new one. Returns that name."""
        with self.folder.locked():
            if self.folder.read(self.name) is None:
                return None
            name = next(n for n in self._archive_names(at) if self.folder.read(n) is None)
            self.folder.rename(self.name, name)
        return name

    def restore(self, header: LogHeader, messages: Sequence[Message], archived_at: datetime | None = None) -> bool:
        """Writes a lost file, an archived one under the name it had. Returns False if it had no messages."""
        if not messages:
            return False
        with self.folder.locked():
            name = next(iter(self._archive_names(archived_at))) if archived_at else self.name
            self.folder.write(name, _text(header, messages))
        return True

    def archives(self, names: Iterable[str]) -> list[str]:
        """The names of this session's archived files."""
        base = safe_name(self.session)
        return [name for name in names if name.startswith(f"{base}.") and name.endswith(".jsonl") and name != self.name]

    def has_archive(self, at: datetime, names: Iterable[str]) -> bool:
        """Is there a file that was archived at this time?"""
        beginning = next(iter(self._archive_names(at))).removesuffix(".jsonl")
        return any(name.startswith(beginning) for name in self.archives(names))

    def _archive_names(self, at: datetime) -> Iterable[str]:
        base, time = safe_name(self.session), re.sub(r"[-:.]", "", stamp(at))
        yield f"{base}.{time}.jsonl"
        yield from (f"{base}.{time}-{n}.jsonl" for n in range(2, 10_000))

    def _move_aside(self, unknown: Sequence[bytes]) -> None:
        if unknown:
            self.folder.append(f"{safe_name(self.session)}.strange", b"".join(line + b"\n" for line in unknown))


@lru_cache(maxsize=64)
def safe_name(session: str) -> str:
    """A file name for any id: readable, unique, and valid on every file system."""
    slug = re.sub(r"[^a-z0-9]+", "-", session.casefold()).strip("-")[:40].strip("-") or "session"
    return f"{slug}-{hashlib.sha256(session.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"


def _before(last: bytes, header: Callable[[], LogHeader]) -> bytes:
    """The bytes to write before the next message: the header of a new file, or the end of a truncated line."""
    if not last:
        return _header_line(header())
    # The truncated line itself is found when the file is read, and its message is in the rows.
    return b"" if last == b"\n" else b"\n"


def _text(header: LogHeader, messages: Iterable[Message]) -> bytes:
    return _header_line(header) + b"".join(map(_message_line, messages))


def _header_line(header: LogHeader) -> bytes:
    values: dict[str, Any] = {"type": "session", "id": header.id, "kind": header.kind}
    values |= {"created_at": header.created_at} | {name: getattr(header, name) for name in _OPTIONAL}
    return _line({name: stamp(v) if isinstance(v, datetime) else v for name, v in values.items() if v is not None})


def _message_line(message: Message) -> bytes:
    values = {"type": "message", "id": message.id, "role": message.role, "at": stamp(message.at)}
    return _line({**values, "text": message.text} | ({"tools": list(message.tools)} if message.tools else {}))


def _line(values: dict[str, Any]) -> bytes:
    text = _encoder().encode(values)
    if text.isascii() and "\x7f" not in text:
        return text.encode() + b"\n"
    return _ESCAPED.sub(lambda found: f"\\u{ord(found.group()):04x}", text).encode() + b"\n"


@cache
def _encoder() -> json.JSONEncoder:
    """The encoder, cached because `json.dumps` would create one for every message."""
    return json.JSONEncoder(ensure_ascii=False)


def _read(content: bytes, session: str) -> LogContents:
    lines = content.split(b"\n")
    header = _header(lines[0], session)
    messages: list[Message] = []
    unknown: list[bytes] = []
    for line in lines[1 if header else 0 :]:
        message = _message(line)
        if message is not None:
            messages.append(message)
        elif line.strip():
            unknown.append(line)
    return LogContents(header, tuple(messages), tuple(unknown))


def _header(line: bytes, session: str) -> LogHeader | None:
    values = _values(line, "session")
    if values is None or values.get("id") != session:
        return None
    try:
        times = {n: unstamp(values[n]) for n in ("consolidated_at", "archived_at") if n in values}
        texts = {n: str(values[n]) for n in ("title", "consolidated_to", "trimmed_to") if n in values}
        return LogHeader(session, str(values["kind"]), unstamp(values["created_at"]), **texts, **times)  # type: ignore[arg-type] # the names are those of LogHeader
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
