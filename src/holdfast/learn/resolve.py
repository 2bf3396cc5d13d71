"""Decides how a learned fact relates to known memories: it is known, replaces one, contradicts one, or is new."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

from holdfast.core.admission import Candidate
from holdfast.core.conversation import Learned, Message
from holdfast.core.frozen import frozen
from holdfast.core.memory import OCCASION, Memory
from holdfast.intake.about_person import speaks_of_work
from holdfast.learn.earlier import with_earlier, without_earlier
from holdfast.learn.keep.questions import without_question
from holdfast.learn.keep.references import refers_back
from holdfast.learn.keep.speakers import unattributed
from holdfast.statements import marks_change
from holdfast.statements.parsing import read
from holdfast.text.fingerprints import fingerprint
from holdfast.text.similarity import says_nothing_new
from holdfast.text.stemming import stem
from holdfast.text.stop_words import STOP_WORDS
from holdfast.text.words import words
from holdfast.trust.conflicts import conflict_with

if TYPE_CHECKING:
    from holdfast.core.memory_types import TypeRegistry
    from holdfast.learn.page import Page

# A verdict: the model's extraction says that the fact replaces the memory, its comparison that both hold.
DISPUTED = "disputed"
# A statement that begins so says what it is about elsewhere: `That's the rule going forward.`
_POINTS_BACK = re.compile(r"(?:that|this|it|these|those|they|ça|cela|c['’]est|ils|elles)\b", re.IGNORECASE)
_FULL_QUOTE = 5  # minimum number of words of a quote that says something alone
_AFTER = " — "  # stands before a statement and after what it needs to be understood
_MOST_OF_SENTENCE = 0.5  # minimum share of a sentence that a line learned from it has


class StatementVerdict(Protocol):
    """How a statement relates to an older one: `same`, `update`, `clash` or `apart`."""

    @property
    def kind(self) -> str: ...


class Compare(Protocol):
    """Compares two short statements; `similarity` is the closeness of their vectors where it is known.

    `corrects` says that the new statement changes an earlier one. Without `reading`, only words are compared.
    """

    def __call__(
        self, new: str, old: str, *, similarity: float | None = None, corrects: bool = False, reading: bool = True
    ) -> StatementVerdict: ...


@frozen
class Resolution:
    """A learned fact with the memory that says the same, those it replaces and those it contradicts."""

    learned: Learned
    same: Memory | None = None
    replaces: tuple[Memory, ...] = ()
    clashes: tuple[Memory, ...] = ()


@frozen
class ConflictResolver:
    """Compares learned facts with known memories by rules.

    `change_odds` are the log-odds that a statement changes an older one; they choose between memories of one message.
    """

    compare: Compare
    near_duplicate: float
    change_odds: Callable[[str, str], float]

    def verdict(self, new: Learned, old: str, similarity: float | None = None) -> str:
        """How a statement relates to an older one: `same`, `update`, `clash` or `apart`."""
        if self.repeats(new, old, similarity):
            return "same"
        said, old = _stated(new.text), _stated(without_earlier(old))
        corrects = bool(new.changes) and (new.changes in old or old in new.changes)
        if corrects and (new.read or _is_changed(new.changes, old)):
            return "update"
        return self.compare(said, old, similarity=similarity, corrects=corrects).kind

    def repeats(self, new: Learned, old: str, similarity: float | None = None) -> bool:
        """Does a statement say nothing that an older one does not? That is in the words, so nothing is read."""
        old = without_earlier(old)
        if fingerprint(new.text) == fingerprint(old) or says_nothing_new(new.text, old, self.near_duplicate):
            return True
        return self.compare(_stated(new.text), _stated(old), similarity=similarity, reading=False).kind == "same"

    def resolve(
        self,
        learned: Learned,
        source: EvidenceSource,
        similar: Sequence[Memory],
        verdicts: Mapping[str, str],
        by_reading: Set[str] = frozenset(),
    ) -> Resolution:
        """Relates a fact to similar memories; `verdicts` holds its verdict against each, by id.

        What the fact changes must share its subject; a word of it is enough if a model read both (`by_reading`, ids).
        A memory is replaced only by the person's own words, only if it is older, and never if a person verified or
        pinned it. Where that forbids a replacement, the two contradict each other instead.
        """
        updated = [memory for memory in similar if verdicts.get(memory.id) == "update"]
        changed = {memory.id for memory in self._one_of_each_message(learned, updated)}
        may_change = {m.id for m in similar if _may_change(learned, m, m.id in by_reading)}
        named = (changed & may_change) | set(learned.replaces)
        named -= {id for id, verdict in verdicts.items() if verdict == DISPUTED}
        outdated = [m for m in similar if m.id in named]
        replaces = tuple(m for m in outdated if _may_replace(source, m))
        contrary = [m for m in similar if m in outdated or verdicts.get(m.id) in ("clash", DISPUTED)]
        clashes = tuple(m for m in contrary if m not in replaces)
        same = next((m for m in similar if verdicts.get(m.id) == "same" and m not in outdated), None)
        return Resolution(learned, None if replaces else same, replaces, clashes)

    def _one_of_each_message(self, learned: Learned, updated: Sequence[Memory]) -> list[Memory]:
        """Of the memories from one message the likeliest: its sentences say different things, and one changed."""
        chosen: dict[str, Memory] = {}
        for memory in updated:
            shared = next((id for id in memory.source_ids if id in chosen), None)
            if shared is None or self._likelier(learned, memory, chosen[shared]):
                chosen |= dict.fromkeys(memory.source_ids or (memory.id,), memory)
        return list(chosen.values())

    def _likelier(self, learned: Learned, memory: Memory, other: Memory) -> bool:
        """Does a fact change this memory rather than another? It does if that is known, else if the readers say so."""
        contents = [without_earlier(m.content) for m in (memory, other)]
        known = [bool(learned.changes) and _is_changed(learned.changes, content) for content in contents]
        if known[0] != known[1]:
            return known[0]
        return self.change_odds(learned.text, contents[0]) > self.change_odds(learned.text, contents[1])

    def distinct(self, learned: Sequence[Learned]) -> tuple[Learned, ...]:
        """Each fact once: a repetition adds its evidence to the first occurrence."""
        kept: list[Learned] = []
        for fact in learned:
            place = next((n for n, other in enumerate(kept) if self.repeats(fact, other.text)), None)
            if place is None:
                kept.append(fact)
            else:
                first = kept[place]
                evidence = tuple(dict.fromkeys((*first.evidence, *fact.evidence)))
                kept[place] = replace(first, evidence=evidence, confidence=max(first.confidence, fact.confidence))
        return tuple(kept)

    def first_change(self, learned: Sequence[Learned], places: Mapping[str, int]) -> int | None:
        """The position of the first message in a page that changes a ruling of the same page; None if none does.

        The page ends before that message, so that the ruling is stored first and then replaced. `places` holds the
        positions of the page's messages by id.
        """
        for later, fact in enumerate(learned):
            before = learned[:later]
            changed = self._updated(fact, before)
            starts = min((places[id] for id in fact.evidence if id in places), default=0)
            if any(0 <= last_place(before[n], places) < starts for n in changed):
                return starts
        return None

    def _updated(self, fact: Learned, before: Sequence[Learned]) -> list[int]:
        if not (fact.changes or marks_change(fact.text)):
            return []
        return [n for n, other in enumerate(before) if self.verdict(fact, other.text) == "update"]


def _stated(text: str) -> str:
    return without_question(unattributed(text))


def _is_changed(changes: str, old: str) -> bool:
    """Was an older line learned from the sentence that is known to be changed?

    It may have a question or another sentence before it, and the sentence may have words before it that lead to it.
    """
    stated = old.rpartition(_AFTER)[2]
    most = old in changes and len(old) >= _MOST_OF_SENTENCE * len(changes)
    return most or fingerprint(changes) == fingerprint(stated)


@frozen
class EvidenceSource:
    """The source of a fact: whether the person gave the evidence, when it was given last, and whose words it quotes."""

    by_person: bool
    at: datetime
    speaker: str | None = None

    @classmethod
    def of(cls, evidence: Sequence[str], messages: Mapping[str, Message], otherwise: datetime) -> EvidenceSource:
        """The source of evidence given by message ids; `otherwise` is the time if none of them is known."""
        found = [messages[id] for id in evidence if id in messages]
        last = max((m.at for m in found), default=otherwise)
        return cls(any(m.role == "user" for m in found), last, found[0].role if found else None)


def candidate(resolution: Resolution, source: EvidenceSource, page: Page, types: TypeRegistry) -> Candidate:
    """The candidate for intake. A known fact keeps the wording and type of the known memory."""
    learned, same = resolution.learned, resolution.same
    return Candidate(
        text=same.content if same else with_earlier(learned.text, _unnamed(resolution)),
        type=same.type if same else learned.type if learned.type in types.names() else "fact",
        tags=learned.tags,
        session=page.session,
        source="observer_inferred",
        source_role=source.speaker,
        when=source.at,
        confidence=min(1.0, max(0.0, learned.confidence)),
        source_ids=learned.evidence,
        replaces=tuple(m.id for m in resolution.replaces),
        relations=tuple(conflict_with(m.id) for m in resolution.clashes),
        visibility=_visibility(resolution, source, page),
        attributes=_attributes(learned),
    )


def _unnamed(resolution: Resolution) -> list[Memory]:
    """The replaced memories, without those that were known when the statement was written."""
    return [memory for memory in resolution.replaces if memory.id not in resolution.learned.replaces]


def _visibility(resolution: Resolution, source: EvidenceSource, page: Page) -> str | None:
    """What replaces a personal memory holds in all projects too; intake decides about the rest."""
    if not source.by_person:
        return "project"
    if any(memory.visibility == "personal" for memory in resolution.replaces):
        return "personal"
    return "project" if page.is_work and speaks_of_work(resolution.learned.type, resolution.learned.text) else None


def last_place(learned: Learned, places: Mapping[str, int]) -> int:
    """The position of its last evidence; -1 if none of it is in `places`."""
    return max((places.get(id, -1) for id in learned.evidence), default=-1)


def _may_replace(source: EvidenceSource, memory: Memory) -> bool:
    return source.by_person and _when(memory) <= source.at and not (memory.verified or memory.pinned)


def _attributes(learned: Learned) -> dict[str, Any]:
    attributes = {
        "quote": learned.quote, "subject": learned.subject, "slot": learned.slot, OCCASION: learned.occasion
    }  # fmt: skip
    if learned.when is not None:
        attributes["date"] = learned.when.date().isoformat()
    return {name: value for name, value in attributes.items() if value}


def quote_the_same(learned: Learned, memory: Memory) -> bool:
    """Were both learned from the same words? In another conversation their subject may have another name.

    A few words may answer two questions: they say nothing alone.
    """
    quote = str(memory.attributes.get("quote", ""))
    return len(quote.split()) >= _FULL_QUOTE and fingerprint(quote) == fingerprint(learned.quote)


def _may_change(learned: Learned, memory: Memory, is_read: bool) -> bool:
    """Two facts about a person need share no word: `I live in Hamburg`, `I moved to Leipzig`."""
    if _POINTS_BACK.match(learned.text) and not (learned.changes and learned.changes in memory.content):
        return False
    code = _named_code(learned.text) or _named_code(f"{learned.subject}: ")
    if code not in memory.content and code != memory.attributes.get("subject"):
        return False
    personal = learned.subject == memory.attributes.get("subject") == "user"
    if is_read and not refers_back(learned.text):
        personal = personal or (read(learned.text).personal and read(memory.content).personal)
        return personal or not _subject_words(learned.text).isdisjoint(_subject_words(memory.content))
    is_known = bool(learned.changes) and _is_changed(learned.changes, memory.content)
    return learned.read or is_known or personal or _share_subject(learned, memory)


def _named_code(text: str) -> str:
    """The function or file that a learned line names as its subject: `test_uptime: keep fractions`; empty if none."""
    subject, colon, _ = text.partition(": ")
    is_code = colon and " " not in subject and not {"_", ".", "/"}.isdisjoint(subject)
    return subject if is_code else ""


def _share_subject(learned: Learned, memory: Memory) -> bool:
    """Do they share enough words, other than numbers and units? Two limits of sixty seconds need not be the same limit.

    One shared word is enough only between short statements.
    """
    new, old = _subject_words(learned.text), _subject_words(memory.content)
    shared = len(new & old)
    if shared <= 1 and max(len(new), len(old)) > _SHORT:
        return False
    return shared >= max(1, _MIN_SHARED * min(len(new), len(old)))


def _subject_words(text: str) -> set[str]:
    found = (word for word in words(text.replace("-", " ")) if word not in STOP_WORDS and not word[0].isdigit())
    return {stem(word) for word in found} - _UNITS


# The fraction of the shorter statement's words that must be shared, and the words of a short statement.
_MIN_SHARED, _SHORT = 0.25, 8
_UNITS = {
    stem(unit)
    for unit in "ms second minute hour day week month year byte kb mb gb tb percent time dollar euro unit line".split()
}


def _when(memory: Memory) -> datetime:
    return memory.event_time or memory.created_at
