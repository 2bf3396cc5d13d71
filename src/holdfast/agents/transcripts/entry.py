"""The messages every transcript reader yields, and the notes it takes on skipped records, titles and folders."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING

from holdfast.agents.transcript_reasons import TranscriptCode
from holdfast.agents.transcripts.fields import one_line
from holdfast.core.frozen import frozen

if TYPE_CHECKING:
    from holdfast.core.reason import Code

_MAX_TOOLS = 50
# Does a folder belong to this project? The second argument is the URL of its repository, or empty.
IsOurs = Callable[[str, str], bool]


@frozen
class TranscriptEntry:
    """One message of a session. An entry without text only names tools the assistant used."""

    session: str
    role: str
    text: str
    when: datetime | None = None
    tools: tuple[str, ...] = ()
    id: str = ""


@dataclass(slots=True)
class ParseNotes:
    """The titles, folders and skipped records of a file; complete once the file was read to its end.

    `titles`, `folders` and `remotes` are by session; `skipped` counts what was left out, by code.
    """

    name: str
    titles: dict[str, str] = field(default_factory=dict)
    folders: dict[str, str] = field(default_factory=dict)
    remotes: dict[str, str] = field(default_factory=dict)
    skipped: Counter[Code] = field(default_factory=Counter)

    def session(self, id: object) -> str:
        """The id under which a session is stored: its own if that is a short printable text, else a hash of it."""
        if id is None:
            return one_line(self.name) or "transcript"
        if isinstance(id, str) and id.strip() and one_line(id) == id.strip():
            return id.strip()
        digest = hashlib.sha256(repr(id).encode("utf-8", "backslashreplace")).hexdigest()
        return f"transcript-{digest[:16]}"

    def title(self, session: str, title: object) -> None:
        """Notes the title the program gave a session; the last one counts."""
        if line := one_line(title):
            self.titles[session] = line

    def folder(self, session: str, folder: object, remote: object = None) -> None:
        """Notes the folder in which a session was started, and the URL of its repository; the first one counts."""
        if isinstance(folder, str) and folder:
            self.folders.setdefault(session, folder)
        if isinstance(remote, str) and remote:
            self.remotes.setdefault(session, remote)


def merged(entries: Iterable[TranscriptEntry], notes: ParseNotes) -> Iterator[TranscriptEntry]:
    """Yields each message once, with the tools used around it. Holds back one message at a time."""
    seen: set[tuple[str, str]] = set()
    for entry in _with_tools(entries):
        if entry.id and (entry.session, entry.id) in seen:
            notes.skipped[TranscriptCode.REPEATED] += 1
            continue
        if entry.id:
            seen.add((entry.session, entry.id))
        yield entry


def _with_tools(entries: Iterable[TranscriptEntry]) -> Iterator[TranscriptEntry]:
    """Adds the tools of entries without text to the assistant's message before them, or else to the next one."""
    held: TranscriptEntry | None = None
    waiting: tuple[str, ...] = ()
    for entry in entries:
        if held is not None and entry.session != held.session:
            yield held
            held, waiting = None, ()
        if held is not None and held.role == "assistant" and (not entry.text or entry.id == held.id != ""):
            # Some programs write a message a second time when its tools are known.
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
    return tuple(dict.fromkeys((*first, *second)))[:_MAX_TOOLS]
