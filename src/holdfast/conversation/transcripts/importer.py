"""Brings transcripts in: what was said elsewhere is kept as if it had been said here, each message once."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.conversation.transcripts.entry import ParseNotes, TranscriptEntry, line_of
from holdfast.conversation.transcripts.formats import Transcript, read
from holdfast.core.admission import Outcome
from holdfast.core.clock import stamp
from holdfast.core.errors import InvalidFile
from holdfast.intake.messages import IncomingMessage
from holdfast.intake.secrets import redact

if TYPE_CHECKING:
    from datetime import datetime

    from holdfast.conversation.session import Session

# Why a file or a message is passed over, besides what the readers and the door say.
FOREIGN = "no transcript"
ELSEWHERE = "of another project"
BEYOND = "too long a message"

_BATCH = 500
_TITLE = 80
_SUFFIXES = (".jsonl", ".json", ".zip")


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What came of an import: sessions met, messages kept and known already, and why others were passed over."""

    files: int = 0
    sessions: int = 0
    messages: int = 0
    known: int = 0
    skipped: Mapping[str, int] = field(default_factory=dict, hash=False)

    def __add__(self, other: ImportReport) -> ImportReport:
        skipped = Counter(self.skipped) + Counter(other.skipped)
        return ImportReport(
            self.files + other.files,
            self.sessions + other.sessions,
            self.messages + other.messages,
            self.known + other.known,
            dict(skipped.most_common()),
        )


def import_transcripts(
    path: str,
    open_session: Callable[[str, str], Session],
    format: str | None = None,
    is_ours: Callable[[str], bool] | None = None,
    turn: Callable[[], AbstractContextManager[None]] = nullcontext,
) -> ImportReport:
    """Keeps what was said in a file, or in every transcript of a folder.

    What a session holds already is not kept again. Of a folder, only sessions are taken that began in a folder of
    which `is_ours` is true, and those whose program does not tell where; a file that is named is taken as it is. A
    `turn` is taken for each file, so that of several who bring in the same one, all but the first find it known.
    """
    place, importing = Path(path), _Import(open_session, format, turn)
    if not place.is_dir():
        importing.file(place)
        return importing.report()
    importing.is_ours = is_ours
    for file in _files(place):
        try:
            importing.file(file)
        except InvalidFile:
            importing.skipped[FOREIGN] += 1
    return importing.report()


@dataclass(slots=True)
class _Import:
    """An import under way, and what has come of it so far."""

    open_session: Callable[[str, str], Session]
    format: str | None
    turn: Callable[[], AbstractContextManager[None]]
    is_ours: Callable[[str], bool] | None = None
    files: int = 0
    sessions: set[str] = field(default_factory=set)
    messages: int = 0
    known: int = 0
    skipped: Counter[str] = field(default_factory=Counter)

    def file(self, path: Path) -> None:
        with self.turn():
            self._file(path)

    def report(self) -> ImportReport:
        skipped = {reason: count for reason, count in self.skipped.most_common() if count}
        return ImportReport(self.files, len(self.sessions), self.messages, self.known, skipped)

    def _file(self, path: Path) -> None:
        notes, met = ParseNotes(path.stem), dict[str, _KnownSession]()
        for transcript in read(path, self.format, notes):
            if self.is_ours and transcript.folder and not self.is_ours(transcript.folder):
                self.skipped[ELSEWHERE] += sum(1 for _ in transcript.messages)
            else:
                if transcript.id not in met:
                    met[transcript.id] = _KnownSession(self.open_session(transcript.id, transcript.kind))
                self._transcript(transcript, met[transcript.id])
        for id, session in met.items():
            session.entitle(notes.titles.get(id))
        self.files += 1
        self.sessions.update(met)
        self.skipped.update(notes.skipped)

    def _transcript(self, transcript: Transcript, met: _KnownSession) -> None:
        while batch := list(islice(transcript.messages, _BATCH)):
            fresh = [entry for entry in batch if not met.holds(entry)]
            self.known += len(batch) - len(fresh)
            if fresh:
                self._keep(fresh, met.session)

    def _keep(self, fresh: Sequence[TranscriptEntry], session: Session) -> None:
        answers = session.say_all(IncomingMessage(entry.role, entry.text, entry.when, entry.tools) for entry in fresh)
        for entry, answer in zip(fresh, answers, strict=True):
            if answer.outcome is Outcome.STORED:
                self.messages += 1
            else:
                too_long = len(entry.text) > session.intake.max_characters
                self.skipped[BEYOND if too_long else answer.reason] += 1


class _KnownSession:
    """A session that is met in a file: what it held before, and how the person began."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._began = ""
        self._held = Counter(_marks(session))

    def holds(self, entry: TranscriptEntry) -> bool:
        """Was the message there before? It then counts as met: the same words said once more are new."""
        if entry.role == "user":
            self._began = self._began or entry.text
        if not self._held:
            return False
        # Why redacted: the session holds the text as it was kept, without its secrets.
        mark = _mark(entry.role, redact(entry.text), entry.when)
        self._held[mark] -= 1
        return self._held[mark] >= 0

    def entitle(self, title: str | None) -> None:
        """Gives the session the name the program gave it, or, while it has none, the person's first words."""
        state = self.session.state()
        if state is None or (title is None and state.title):
            return
        name = redact(title or line_of(self._began, _TITLE))
        if name and name != state.title:
            self.session.entitle(name)


def _files(folder: Path) -> Iterator[Path]:
    for parent, folders, files in os.walk(folder):
        folders.sort()
        yield from (Path(parent, file) for file in sorted(files) if file.endswith(_SUFFIXES))


def _marks(session: Session) -> Iterator[bytes]:
    """A mark for each message of a session, forgotten ones too: what was forgotten does not come back."""
    offset = 0
    while page := session.episodes(_BATCH, offset):
        yield from (_mark(memory.source_role, memory.content, memory.event_time) for memory in page)
        offset += len(page)


def _mark(role: str | None, text: str, when: datetime | None) -> bytes:
    said = f"{role}\0{stamp(when) if when else ''}\0{text}"
    return hashlib.blake2b(said.encode("utf-8", "replace"), digest_size=16).digest()
