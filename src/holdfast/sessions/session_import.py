"""Imports transcripts: stores the messages of other programs as sessions of this one, each message once."""

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

from holdfast.agents.transcript_reasons import TranscriptCode
from holdfast.agents.transcripts.entry import IsOurs, ParseNotes, TranscriptEntry
from holdfast.agents.transcripts.fields import one_line
from holdfast.agents.transcripts.formats import Transcript, read
from holdfast.agents.transcripts.record_files import transcript_files
from holdfast.core.admission import Outcome
from holdfast.core.clock import stamp
from holdfast.core.errors import InvalidFile
from holdfast.core.frozen import frozen
from holdfast.core.memory import ERASED
from holdfast.intake.intake_reasons import IntakeCode
from holdfast.intake.message_intake import IncomingMessage
from holdfast.intake.secrets import redact
from holdfast.text.request_titles import request_title

if TYPE_CHECKING:
    from datetime import datetime

    from holdfast.core.memory import Memory
    from holdfast.core.reason import Code
    from holdfast.sessions.session import Session

_BATCH = 500
_LONGEST_TITLE, _TITLE_WORDS = 80, 3


@frozen
class ImportReport:
    """The result of an import: files and sessions read, messages stored and already known.

    `skipped` counts what was left out, by the code of the reason.
    """

    files: int = 0
    sessions: int = 0
    messages: int = 0
    known: int = 0
    skipped: Mapping[Code, int] = field(default_factory=dict, hash=False)

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
    is_ours: IsOurs | None = None,
    lock: Callable[[], AbstractContextManager[None]] = nullcontext,
) -> ImportReport:
    """Stores the messages of a file, or of every transcript in a folder.

    Messages that a session already has are not stored again. From a folder, only sessions started in this project
    (`is_ours`) or in an unknown place are imported; a single file is imported whole. `lock` is held for each file, so
    that of two processes importing the same file the second finds its messages known.
    """
    source, importing = Path(path), _Import(open_session, format, lock)
    if not os.path.isdir(path):
        importing.file(source)
        return importing.report()
    importing.is_ours = is_ours
    for file in sorted(transcript_files(source), key=_changed):
        try:
            importing.file(file)
        except InvalidFile:
            importing.skipped[TranscriptCode.NOT_A_TRANSCRIPT] += 1
    return importing.report()


@dataclass(slots=True)
class _Import:
    """An import in progress, with its counts so far."""

    open_session: Callable[[str, str], Session]
    format: str | None
    lock: Callable[[], AbstractContextManager[None]]
    is_ours: IsOurs | None = None
    files: int = 0
    sessions: set[str] = field(default_factory=set)
    messages: int = 0
    known: int = 0
    skipped: Counter[Code] = field(default_factory=Counter)
    _owners: dict[bytes, str] = field(default_factory=dict)

    def file(self, path: Path) -> None:
        with self.lock():
            self._file(path)

    def report(self) -> ImportReport:
        skipped = {reason: count for reason, count in self.skipped.most_common() if count}
        return ImportReport(self.files, len(self.sessions), self.messages, self.known, skipped)

    def _file(self, path: Path) -> None:
        notes, found = ParseNotes(path.stem), dict[str, _KnownSession]()
        for transcript in read(path, self.format, notes):
            if self.is_ours and transcript.folder and not self.is_ours(transcript.folder, transcript.remote):
                self.skipped[TranscriptCode.OTHER_PROJECT] += sum(1 for _ in transcript.messages)
            else:
                if transcript.id not in found:
                    found[transcript.id] = _KnownSession(self.open_session(transcript.id, transcript.kind))
                self._transcript(transcript, found[transcript.id])
        for id, session in found.items():
            session.set_title(notes.titles.get(id))
        self.files += 1
        self.sessions.update(found)
        self.skipped.update(notes.skipped)

    def _transcript(self, transcript: Transcript, known: _KnownSession) -> None:
        while batch := list(islice(transcript.messages, _BATCH)):
            own = [entry for entry in batch if self._is_own(entry)]
            self.skipped[TranscriptCode.REPEATED] += len(batch) - len(own)
            new = [entry for entry in own if not known.contains(entry)]
            self.known += len(own) - len(new)
            if new:
                self._store(new, known.session)

    def _is_own(self, entry: TranscriptEntry) -> bool:
        """Is the message not a copy from a session read before? Resumed and forked sessions begin with such copies."""
        if not (entry.id and entry.when):
            return True
        key = _hash(f"{entry.role} {entry.id}", entry.text, entry.when)
        return self._owners.setdefault(key, entry.session) == entry.session

    def _store(self, entries: Sequence[TranscriptEntry], session: Session) -> None:
        messages = (IncomingMessage(entry.role, entry.text, entry.when, entry.tools) for entry in entries)
        for answer in session.say_all(messages):
            if answer.outcome is Outcome.STORED:
                self.messages += 1
            else:
                self.skipped[_skip_code(answer.reason.code)] += 1


class _KnownSession:
    """A session found in a file: the messages it had before the import, and the first that says what it is about."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._first_message = ""
        self._unmatched: Counter[bytes] = Counter()
        # Of a message that was erased, or lost a sentence, the transcript has the text, and the store only the moment.
        self._erased: set[tuple[str | None, str]] = set()
        for memory in _episodes(session):
            self._unmatched[_hash(memory.source_role, memory.content, memory.event_time)] += 1
            if ERASED in memory.content and memory.event_time is not None:
                self._erased.add((memory.source_role, _second(memory.event_time)))

    def contains(self, entry: TranscriptEntry) -> bool:
        """Is the message stored already? Each stored message matches once: a repetition counts as new."""
        if entry.when is not None and (entry.role, _second(entry.when)) in self._erased:
            return True
        if entry.role == "user" and (not self._first_message or _is_brief(self._first_message) > _is_brief(entry.text)):
            self._first_message = entry.text
        if not self._unmatched:
            return False
        # Redacted, because the session stores its messages without secrets.
        key = _hash(entry.role, redact(entry.text), entry.when)
        self._unmatched[key] -= 1
        return self._unmatched[key] >= 0

    def set_title(self, title: str | None) -> None:
        """Sets the program's title; without one, an untitled session gets that of its first message."""
        state = self.session.state()
        if state is None or (title is None and state.title) or ERASED in (state.title or ""):
            return
        # Redacted before it is cut: half of a secret would not be recognised.
        new = redact(title) if title else one_line(request_title(redact(self._first_message), _LONGEST_TITLE))
        if new and new != state.title:
            self.session.set_title(new)


def _is_brief(text: str) -> bool:
    """Is it too short for a title, such as `14` or `yes`?"""
    return len(text.split(maxsplit=_TITLE_WORDS)) < _TITLE_WORDS


def _skip_code(code: Code) -> Code:
    """The code without values by which refused messages are counted."""
    return TranscriptCode.MESSAGE_TOO_LONG if code is IntakeCode.MESSAGE_TOO_LONG else code


def _changed(file: Path) -> float:
    """When a file was last written: a copy is younger than the session it was made from."""
    try:
        return file.stat().st_mtime
    except OSError:
        return 0.0


def _episodes(session: Session) -> Iterator[Memory]:
    """The messages of a session, including forgotten ones, so that an import does not restore them."""
    offset = 0
    while page := session.episodes(_BATCH, offset):
        yield from page
        offset += len(page)


def _second(when: datetime) -> str:
    # By the second: SpecStory writes no more than that, so its copy of another program's session adds nothing.
    return stamp(when.replace(microsecond=0))


def _hash(role: str | None, text: str, when: datetime | None) -> bytes:
    second = _second(when) if when else ""
    content = f"{role}\0{second}\0{text}"
    return hashlib.blake2b(content.encode("utf-8", "replace"), digest_size=16).digest()
