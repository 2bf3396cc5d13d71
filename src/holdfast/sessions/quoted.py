"""Finds where a person said quoted words, running sessions included, and what agents stored with such words."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from holdfast.agents import event as kinds
from holdfast.agents import journal
from holdfast.core.answer import Filters
from holdfast.core.conversation import Said
from holdfast.core.frozen import frozen
from holdfast.intake.about_person import follows_person
from holdfast.text.fingerprints import normalise
from holdfast.text.gloss import in_english
from holdfast.text.similarity import content_words

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
# The share of the words of content in a sentence that a memory needs to say the same.
_SAID = 1 / 3


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
                return [entry.path for entry in sorted(files, key=_changed, reverse=True)[:_JOURNALS]]
        except FileNotFoundError:
            return []


@frozen
class StoredQuotes:
    """Finds what an agent stored in a session with words of the person, without what waits for a review."""

    reading: MemoryReading
    project: str

    def __call__(self, session: str) -> tuple[StoredQuote, ...]:
        stored = Filters(session=session, sources=(_AGENT,), include_forgotten=True, needs_review=False)
        found = self.reading.memories(self.project, stored, limit=_MOST_STORED)
        quoted = ((memory.attributes.get("quote"), memory.content) for memory in found)
        return tuple(StoredQuote(quote, text) for quote, text in quoted if isinstance(quote, str))


@frozen
class StoredQuote:
    """The words of a person that a memory rests on, and the text of the memory."""

    quote: str
    text: str


def is_stored(learned: Candidate, stored: Sequence[StoredQuote]) -> bool:
    """Did an agent store the same already, in better words than ours?

    What the person says of themselves is learned all the same: it holds in all projects, and only their own words may
    get there.
    """
    own = str(learned.attributes.get("quote", ""))
    return bool(own) and any(_stands_for(known, own) for known in stored) and not follows_person(learned)


def _stands_for(stored: StoredQuote, own: str) -> bool:
    """Does it quote these words? If it quotes more than them, its text has to say what they say."""
    if _contains(own, normalise(stored.quote)):
        return True
    return _contains(stored.quote, normalise(own)) and _says(stored.text, own)


def _says(text: str, own: str) -> bool:
    words = content_words(in_english(own))
    return len(words & content_words(in_english(text))) >= _SAID * len(words)


def _changed(journal: os.DirEntry[str]) -> float:
    try:
        return journal.stat().st_mtime
    except FileNotFoundError:  # It was stored and removed meanwhile.
        return 0.0


def _contains(text: str, sought: str) -> bool:
    said = normalise(text)
    return sought in said if len(sought.split()) >= _FEWEST_WORDS else sought == said


def _session(file: str) -> str:
    first = next((event for _, event in journal.read(file)), None)
    return str(first.args.get("session", "")) if first else ""
