"""Recognises which program wrote a transcript, by content and not by file name, and reads its sessions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from itertools import groupby, islice
from pathlib import Path
from typing import Any

from holdfast.agents.transcripts import chatgpt, claude_code, codex, copilot, gemini, opencode, specstory
from holdfast.agents.transcripts import journal_transcript as journal
from holdfast.agents.transcripts.entry import ParseNotes, TranscriptEntry, merged
from holdfast.agents.transcripts.record_files import records
from holdfast.core.errors import InvalidFile, InvalidInput
from holdfast.core.frozen import frozen

# How many records are examined to recognise the format.
_EXAMINED = 200


@frozen
class TranscriptFormat:
    """How to recognise and read the transcripts of one program; `kind` is the kind of session they become."""

    looks_like: Callable[[Mapping[str, Any]], bool]
    entries: Callable[[Iterable[Mapping[str, Any]], ParseNotes], Iterator[TranscriptEntry]]
    kind: str = "build"


FORMATS = {
    "specstory": TranscriptFormat(specstory.looks_like, specstory.entries),
    "opencode": TranscriptFormat(opencode.looks_like, opencode.entries),
    "chatgpt": TranscriptFormat(chatgpt.looks_like, chatgpt.entries, "chat"),
    "gemini": TranscriptFormat(gemini.looks_like, gemini.entries),
    "copilot": TranscriptFormat(copilot.looks_like, copilot.entries),
    "journal": TranscriptFormat(journal.looks_like, journal.entries),
    "codex": TranscriptFormat(codex.looks_like, codex.entries),
    "claude-code": TranscriptFormat(claude_code.looks_like, claude_code.entries),
}


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
        names = (name for record in first for name, format in FORMATS.items() if format.looks_like(record))
        return next(names, None)


def read(path: Path, format: str | None = None, notes: ParseNotes | None = None) -> Iterator[Transcript]:
    """The sessions of a file; each must be read before the next. Titles, folders and skips are added to `notes`.

    A session may appear again later in the same file, with further messages.
    """
    if format is not None and format not in FORMATS:
        raise InvalidInput(f"format {format!r}", hint=f"Use one of: {', '.join(sorted(FORMATS))}.")
    name = format or detect(path)
    if name is None:
        known = ", ".join(sorted(FORMATS))
        raise InvalidFile(f"{path} is not a transcript of a known format", hint=f"Known formats: {known}.")
    notes = notes or ParseNotes(path.stem)
    entries = merged(FORMATS[name].entries(records(path, notes.skipped), notes), notes)
    for session, messages in groupby(entries, key=lambda entry: entry.session):
        yield Transcript(session, FORMATS[name].kind, messages, notes)
