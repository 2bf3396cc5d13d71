"""Finds where a person said quoted words: in a session that is running, or in a stored message."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from holdfast.core import event as kinds
from holdfast.core import journal
from holdfast.core.answer import Filters
from holdfast.core.conversation import Said
from holdfast.core.frozen import frozen
from holdfast.intake.about_person import follows_person
from holdfast.text.fingerprints import normalise

if TYPE_CHECKING:
    from holdfast.core.admission import Candidate
    from holdfast.core.memory import Memory
    from holdfast.store.reading import MemoryReading

# The latest journals, and how much of the end of each is read.
_JOURNALS, _TAIL = 20, 1 << 20
# A shorter quotation is part of any message: it has to be all of one.
_FEWEST_WORDS = 3
_AGENT = "agent_explicit"
_MOST_STORED = 200


@frozen
class QuotedWords:
    """Finds quoted words among what people said in one project. `messages` finds stored ones with words of a text."""

    folder: str
    messages: Callable[[str, datetime], Sequence[Memory]]
    now: Callable[[], datetime]

    def __call__(self, quote: str) -> Said | None:
        """Where it was said last; None if nobody said it. Case, spaces and final punctuation do not count."""
        sought = normalise(quote)
        if not sought:
            return None
        return next(self._in_journals(sought), None) or next(self._in_messages(quote, sought), None)

    def _in_journals(self, sought: str) -> Iterator[Said]:
        for file in self._latest():
            said = (event for event in reversed(journal.tail(file, _TAIL)) if event.kind == kinds.USER)
            for event in said:
                if not event.agent and _contains(event.text, sought):
                    yield Said(_session(file), datetime.fromtimestamp(event.at, UTC).replace(microsecond=0))

    def _in_messages(self, quote: str, sought: str) -> Iterator[Said]:
        for message in self.messages(quote, self.now()):
            if message.session and _contains(message.content, sought):
                yield Said(message.session, message.event_time or message.created_at, message.id)

    def _latest(self) -> list[str]:
        try:
            with os.scandir(self.folder) as entries:
                files = [entry for entry in entries if entry.name.endswith(".jsonl")]
                return [e.path for e in sorted(files, key=lambda e: e.stat().st_mtime, reverse=True)[:_JOURNALS]]
        except FileNotFoundError:
            return []


@frozen
class StoredQuotes:
    """The words of the person that an agent quoted when it stored memories in a session, as `_contains` reads them."""

    reading: MemoryReading
    project: str

    def __call__(self, session: str) -> tuple[str, ...]:
        stored = Filters(session=session, sources=(_AGENT,), include_forgotten=True)
        found = self.reading.memories(self.project, stored, limit=_MOST_STORED)
        return tuple(quote for memory in found if isinstance(quote := memory.attributes.get("quote"), str))


def is_stored(learned: Candidate, quotes: Sequence[str]) -> bool:
    """Did an agent store the same words already, in better words than ours?

    What the person says of themselves is learned all the same: it holds in all projects, and only their own words may
    get there.
    """
    own = str(learned.attributes.get("quote", ""))
    same = any(_contains(quote, normalise(own)) or _contains(own, normalise(quote)) for quote in quotes if own)
    return same and not follows_person(learned)


def _contains(text: str, sought: str) -> bool:
    said = normalise(text)
    return sought in said if len(sought.split()) >= _FEWEST_WORDS else sought == said


def _session(file: str) -> str:
    first = next((event for _, event in journal.read(file)), None)
    return str(first.args.get("session", "")) if first else ""
