"""Which program wrote a transcript, and what was said in it. Both are told by content, never by a file's name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from itertools import groupby, islice
from pathlib import Path
from typing import Any

from holdfast.conversation.transcripts import chatgpt, claude_code, codex, copilot, gemini
from holdfast.conversation.transcripts.entry import ParseNotes, TranscriptEntry, joined
from holdfast.conversation.transcripts.records import records
from holdfast.core.errors import InvalidFile, InvalidInput

_HEAD = 200


@dataclass(frozen=True, slots=True)
class TranscriptFormat:
    """How the transcripts of one program are recognised and read; `kind` is that of the sessions they hold."""

    looks_like: Callable[[Mapping[str, Any]], bool]
    entries: Callable[[Iterable[Mapping[str, Any]], ParseNotes], Iterator[TranscriptEntry]]
    kind: str = "build"


FORMATS = {
    "chatgpt": TranscriptFormat(chatgpt.looks_like, chatgpt.entries, "chat"),
    "gemini": TranscriptFormat(gemini.looks_like, gemini.entries),
    "copilot": TranscriptFormat(copilot.looks_like, copilot.entries),
    "codex": TranscriptFormat(codex.looks_like, codex.entries),
    "claude-code": TranscriptFormat(claude_code.looks_like, claude_code.entries),
}


@dataclass(frozen=True, slots=True)
class Transcript:
    """What was said in one session, to be read once and in order. `notes` are those of the whole file."""

    id: str
    kind: str
    messages: Iterator[TranscriptEntry]
    notes: ParseNotes

    @property
    def title(self) -> str | None:
        """What the program called the session, as far as was read."""
        return self.notes.titles.get(self.id)

    @property
    def folder(self) -> str | None:
        """The folder in which the session began, where the program tells."""
        return self.notes.folders.get(self.id)


def detect(path: Path) -> str | None:
    """The format of a file, by the first of its records that a format knows; None when none does."""
    with closing(records(path, Counter())) as found:
        heads = (name for record in islice(found, _HEAD) for name, how in FORMATS.items() if how.looks_like(record))
        return next(heads, None)


def read(path: Path, format: str | None = None, notes: ParseNotes | None = None) -> Iterator[Transcript]:
    """The sessions of a file, one after the other; each must be read before the next. `notes` collects what is told.

    A session may come back later in the same file, with more of what was said.
    """
    if format is not None and format not in FORMATS:
        raise InvalidInput(f"format {format!r}", hint=f"Use one of: {', '.join(sorted(FORMATS))}.")
    name = format or detect(path)
    if name is None:
        raise InvalidFile(
            f"{path} is no transcript that is known here", hint=f"Known are {', '.join(sorted(FORMATS))}."
        )
    notes = notes or ParseNotes(path.stem)
    entries = joined(FORMATS[name].entries(records(path, notes.skipped), notes), notes)
    for session, messages in groupby(entries, key=lambda entry: entry.session):
        yield Transcript(session, FORMATS[name].kind, messages, notes)
