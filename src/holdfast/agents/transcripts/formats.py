"""Recognises which program wrote a transcript, by content and not by file name, and reads its sessions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from functools import cache
from importlib import import_module
from itertools import groupby, islice
from pathlib import Path
from typing import Any

from holdfast.agents.programs import TRANSCRIPTS, names, program
from holdfast.agents.transcripts.entry import ParseNotes, TranscriptEntry, merged
from holdfast.agents.transcripts.event_parts import SessionEvents
from holdfast.agents.transcripts.record_files import records
from holdfast.core.errors import InvalidFile, InvalidInput
from holdfast.core.frozen import frozen

# How many records are examined to recognise the format.
_EXAMINED = 200


@frozen
class TranscriptFormat:
    """How to recognise and read the transcripts of one program; `kind` is the kind of session they become.

    `entries` yields the messages; `events` what the agent did, if that can be learned from them.
    """

    looks_like: Callable[[Mapping[str, Any]], bool]
    entries: Callable[[Iterable[Mapping[str, Any]], ParseNotes], Iterator[TranscriptEntry]]
    kind: str = "build"
    events: Callable[[Iterable[Mapping[str, Any]]], SessionEvents] | None = None


@cache
def format_of(name: str) -> TranscriptFormat:
    """The format of the program with that name, which its reader defines."""
    found = program(name)
    assert found is not None
    reader = import_module(found.reader)
    return TranscriptFormat(reader.looks_like, reader.entries, found.kind, getattr(reader, "events", None))


def formats() -> dict[str, TranscriptFormat]:
    """The formats by name, in the order in which they are tried."""
    return {name: format_of(name) for name in reversed(names(TRANSCRIPTS))}


@frozen
class Transcript:
    """The messages of one session, to be read once and in order. `notes` are those of the whole file."""

    id: str
    kind: str
    messages: Iterator[TranscriptEntry]
    notes: ParseNotes

    @property
    def folder(self) -> str | None:
        """The folder in which the session was started, if the program records it."""
        return self.notes.folders.get(self.id)

    @property
    def remote(self) -> str:
        """The URL of the repository in which the session was started; empty if the program does not record it."""
        return self.notes.remotes.get(self.id, "")


def detect(path: Path) -> str | None:
    """The format of a file, by the first record that a format recognises; None if there is none."""
    with closing(records(path, Counter())) as found:
        first = islice(found, _EXAMINED)
        known = formats()
        return next((name for record in first for name in known if known[name].looks_like(record)), None)


def read(path: Path, format: str | None = None, notes: ParseNotes | None = None) -> Iterator[Transcript]:
    """The sessions of a file; each must be read before the next. Titles, folders and skips are added to `notes`.

    A session may appear again later in the same file, with further messages.
    """
    known = ", ".join(sorted(names(TRANSCRIPTS)))
    if format is not None and format not in names(TRANSCRIPTS):
        raise InvalidInput(f"format {format!r}", hint=f"Use one of: {known}.")
    name = format or detect(path)
    if name is None:
        raise InvalidFile(f"{path} is not a transcript of a known format", hint=f"Known formats: {known}.")
    notes = notes or ParseNotes(path.stem)
    entries = merged(format_of(name).entries(records(path, notes.skipped), notes), notes)
    for session, messages in groupby(entries, key=lambda entry: entry.session):
        yield Transcript(session, format_of(name).kind, messages, notes)
