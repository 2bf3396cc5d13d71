"""Extracts candidate memories and a history entry from a page, and resolves them against similar memories.

The language model extracts if there is one; rules extract without it, or when it fails.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Protocol

from holdfast.core.errors import CeilingReached, ModelError, ModelGarbled
from holdfast.core.frozen import frozen
from holdfast.learn.changes.told_changes import with_changes
from holdfast.learn.keep.references import points_back
from holdfast.learn.learn_reasons import model_failure
from holdfast.learn.llm_extractor import LlmExtractor, ShownMemory
from holdfast.learn.page import Page, dialogue, raw_entry, with_time
from holdfast.learn.resolve import (
    DISPUTED,
    ConflictResolver,
    EvidenceSource,
    candidate,
    last_place,
    quote_the_same,
)
from holdfast.sessions.quoted import is_stored

if TYPE_CHECKING:
    from datetime import datetime

    from holdfast.core.admission import Candidate
    from holdfast.core.conversation import Learned, Message
    from holdfast.core.memory import Memory
    from holdfast.core.memory_types import TypeRegistry
    from holdfast.core.reason import Reason
    from holdfast.learn.changes.told_changes import Change
    from holdfast.learn.keep.kept_statements import PossibleStatement
    from holdfast.learn.keep.rule_extractor import ExtractedTalk
    from holdfast.sessions.quoted import StoredQuote

    SimilarityPairs = tuple[tuple[Memory, float | None], ...]

# The most memories a model is shown with a page, and the most pairs it compares.
_MAX_SHOWN, _MAX_PAIRS = 20, 40
# The beginning of a message that is searched for similar memories.
_SEARCHED_CHARACTERS = 1_000
# A longer message is not a statement that another one replaces.
_MAX_STATEMENT = 300
# The number of memories near a fact that are read together with it.
_MAX_READ = 4


class SimilarMemories(Protocol):
    """Finds believed memories similar to a text, closest first, without messages.

    Each comes with its similarity, or None where that is unknown.
    """

    def __call__(self, text: str) -> SimilarityPairs: ...


class Summarise(Protocol):
    """Summarises messages; `learned` is what was learned from them, if that is known."""

    def __call__(self, messages: Sequence[Message], learned: Sequence[Learned] | None = None) -> str: ...


class Overlooked(Protocol):
    """Finds sentences that were not learned and change an earlier statement; see `PageExtractor.said_before`."""

    def __call__(
        self,
        possible: Sequence[PossibleStatement],
        learned: Sequence[Learned],
        said_before: Callable[[str, datetime], Sequence[str]],
    ) -> Sequence[Learned]: ...


@frozen
class RuleExtractor:
    """Extraction without a language model. The numbers of messages are those that were consolidated before.

    These are only read to understand the others.
    """

    extract: Callable[[Sequence[Message]], ExtractedTalk]
    find_changes: Callable[[Sequence[Message], int], Sequence[Change]]
    follow_ups: Callable[[Sequence[Message], Sequence[Learned], int], Sequence[Learned]]
    overlooked: Overlooked
    summarise: Summarise


@frozen
class ExtractedPage:
    """The candidates and the history entry of a page, and the model if it may be asked about the next page.

    `similar` are the similar memories found for each candidate; `how` is model, extract or raw-fallback; `failure` says
    why the model was not used.
    """

    page: Page
    llm: LlmExtractor | None
    entry: str = ""
    how: str = "extract"
    candidates: tuple[Candidate, ...] = ()
    similar: tuple[tuple[Memory, ...], ...] = ()
    failure: Reason | None = None


@frozen
class PageExtractor:
    """Extracts pages. `similar` searches once for each learned fact.

    `said_before` finds what people said before a time in the words of a text; `stored` is what the agent of a session
    stored with words of the person.
    """

    rules: RuleExtractor
    resolver: ConflictResolver
    similar: SimilarMemories
    types: TypeRegistry
    said_before: Callable[[str, datetime], Sequence[str]]
    stored: Callable[[str], Sequence[StoredQuote]] = lambda session: ()

    def extract(self, page: Page, llm: LlmExtractor | None) -> ExtractedPage:
        """Extracts a page with the model, if one is given, else by rules. Never raises ModelError."""
        if not page.dialogue:
            return ExtractedPage(page, llm)
        # A change is searched for twice: to know whether it changes something, and to compare it like other facts.
        return replace(self, similar=cache(self.similar))._extract(page, llm)

    def _extract(self, page: Page, llm: LlmExtractor | None) -> ExtractedPage:
        if llm is None:
            return self._by_rules(page)
        shown = self._known(page)
        try:
            extraction = llm.extract(page.dialogue, [ShownMemory(m.id, m.type, m.content) for m in shown])
        except ModelError as error:
            return self._fallback(page, llm, error)
        compared = self._compare(page, self.resolver.distinct(extraction.learned), shown)
        compared, next_llm = _verdicts_of_model(llm, compared)
        entry = extraction.entry or self.rules.summarise(page.dialogue)
        return replace(self._resolved(page, compared, entry), how="model", llm=next_llm)

    def _by_rules(self, page: Page) -> ExtractedPage:
        page, learned = self._learn(page)
        return self._resolved(page, self._compare(page, learned), self.rules.summarise(page.dialogue, learned))

    def _fallback(self, page: Page, llm: LlmExtractor, error: ModelError) -> ExtractedPage:
        """Facts by rules, and the last messages as history entry. A reached ceiling gives a normal summary instead."""
        extracted = replace(self._by_rules(page), failure=model_failure(error))
        if isinstance(error, CeilingReached):
            return extracted
        again = llm if isinstance(error, ModelGarbled) else None
        return replace(extracted, llm=again, entry=raw_entry(extracted.page.messages), how="raw-fallback")

    def _learn(self, page: Page) -> tuple[Page, tuple[Learned, ...]]:
        """The facts the rules find. A page that changes a ruling of its own ends before the change."""
        places = {message.id: place for place, message in enumerate(page.messages)}
        before = dialogue(page.before)
        messages, known = (*before, *page.dialogue), len(before)
        changes = self.rules.find_changes(messages, known)
        changed = [fact for change in changes if (fact := self._changed(page, change)) is not None]
        extracted = self.rules.extract(messages)
        found = with_changes(extracted.learned, changed)
        found = with_changes(found, self.rules.follow_ups(messages, found, known))
        new = {message.id for message in page.messages}
        possible = [statement for statement in extracted.possible if statement.message.id in new]
        found = with_changes(found, self.rules.overlooked(possible, found, self.said_before))
        learned = sorted(
            (fact for fact in found if last_place(fact, places) >= 0), key=lambda fact: last_place(fact, places)
        )
        cut = self.resolver.first_change(learned, places)
        if cut:
            page = replace(page, messages=page.messages[:cut])
            learned = [fact for fact in learned if last_place(fact, places) < cut]
        return page, self.resolver.distinct(learned)

    def _changed(self, page: Page, change: Change) -> Learned | None:
        """What a change says, with the memory that a bare value corrects; None if it changes nothing known."""
        fact = change.learned
        known = self._corrected_memory(change) if change.bare else None
        if known is not None:
            return known
        if change.certain:
            return fact
        if change.bare is not None:
            return None
        memory = self._changed_memory(page, fact)
        if memory and points_back(fact.text):  # to something said in the same conversation
            return replace(fact, text=f"{memory.content} — {fact.text}") if memory.session == page.session else None
        return fact if memory or (change.alone and self._changes_message(page, fact)) else None

    def _corrected_memory(self, change: Change) -> Learned | None:
        """The memory that a bare value corrects, with the new value. Several that could be meant are disputed."""
        bare, fact = change.bare, change.learned
        if bare is None or not bare.about:
            return None
        found = bare.antecedents([memory for memory, _ in self.similar(bare.about)])
        if not found:
            return None
        first, ids = found[0], tuple(memory.id for memory in found)
        fact = replace(fact, text=bare.applied_to(first.content), type=first.type, changes=first.content)
        subject = str(first.attributes.get("subject", ""))
        if len(ids) == 1 and bare.names_old:
            return replace(fact, subject=subject, replaces=ids)
        return replace(fact, subject=subject, disputes=ids)

    def _changed_memory(self, page: Page, fact: Learned) -> Memory | None:
        """The known memory that a statement replaces which says that something changed."""
        pairs = self._similar(fact)
        verdicts = self._verdicts(page, fact, pairs)
        return next((memory for memory, _ in pairs if verdicts[memory.id] == "update"), None)

    def _changes_message(self, page: Page, fact: Learned) -> bool:
        """Does it replace what a person said before, and what was not worth a memory then?"""
        messages = (*dialogue(page.before), *page.dialogue)
        said_at = max((message.at for message in messages if message.id in fact.evidence), default=None)
        earlier = self.said_before(f"{fact.text} {fact.changes}", said_at) if said_at else ()
        return any(self.resolver.verdict(fact, text) == "update" for text in earlier if len(text) <= _MAX_STATEMENT)

    def _similar(self, fact: Learned) -> SimilarityPairs:
        """The memories similar to a fact, and to the earlier statement that it changes."""
        found = self.similar(fact.text)
        known = {memory.id for memory, _ in found}
        # The similarity to the earlier statement says nothing about the fact.
        earlier = self.similar(fact.changes) if fact.changes else ()
        return (*found, *((memory, None) for memory, _ in earlier if memory.id not in known))

    def _known(self, page: Page) -> tuple[Memory, ...]:
        """Memories similar to the person's messages, for the model to see."""
        texts = (message.text[:_SEARCHED_CHARACTERS] for message in page.dialogue if message.role == "user")
        found = {memory.id: memory for text in texts for memory, _ in self.similar(text)}
        return tuple(found.values())[:_MAX_SHOWN]

    def _compare(self, page: Page, learned: Sequence[Learned], shown: Sequence[Memory] = ()) -> tuple[_Compared, ...]:
        """Compares each fact with the memories similar to it, by rules."""
        return tuple(self._compare_fact(page, fact, _with_named(self._similar(fact), fact, shown)) for fact in learned)

    def _compare_fact(self, page: Page, fact: Learned, pairs: SimilarityPairs) -> _Compared:
        verdicts = self._verdicts(page, fact, pairs)
        verdicts |= {id: DISPUTED for id in fact.disputes if id in verdicts}
        read = frozenset(m.id for m, _ in pairs if verdicts[m.id] == "update" and m.session != page.session)
        return _Compared(fact, tuple(memory for memory, _ in pairs), verdicts, read)

    def _verdicts(self, page: Page, fact: Learned, pairs: SimilarityPairs) -> dict[str, str]:
        """How a fact relates to each memory. The nearest of other sessions are read.

        In one sitting people add to what they said; what they change there was found before (`learn/changes`).
        """
        read = [memory.id for memory, _ in pairs if memory.session != page.session][:_MAX_READ]
        return {memory.id: self._verdict(fact, memory, near, memory.id in read) for memory, near in pairs}

    def _verdict(self, fact: Learned, memory: Memory, near: float | None, is_read: bool) -> str:
        if quote_the_same(fact, memory) or self.resolver.repeats(fact, memory.content, near):
            return "same"
        return self.resolver.verdict(fact, memory.content, near) if is_read or fact.changes else "apart"

    def _resolved(self, page: Page, compared: Sequence[_Compared], entry: str) -> ExtractedPage:
        messages = {message.id: message for message in (*page.before, *page.messages)}
        stored = self.stored(page.session)
        candidates, similar = [], []
        for item in compared:
            source = EvidenceSource.of(item.fact.evidence, messages, page.ends_at)
            resolution = self.resolver.resolve(item.fact, source, item.similar, item.verdicts, item.read)
            found = candidate(resolution, source, page, self.types)
            if not is_stored(found, stored):
                candidates.append(found)
                similar.append(item.similar)
        return ExtractedPage(
            page,
            llm=None,
            entry=with_time(entry, page.ends_at),
            candidates=tuple(candidates),
            similar=tuple(similar),
        )


@frozen
class _Compared:
    """A learned fact, the memories similar to it, its verdict against each by id, and which it changes by reading."""

    fact: Learned
    similar: tuple[Memory, ...]
    verdicts: Mapping[str, str]
    read: frozenset[str]


def _with_named(pairs: SimilarityPairs, fact: Learned, shown: Sequence[Memory]) -> SimilarityPairs:
    """Adds the shown memories that the model says the fact replaces."""
    found = {memory.id for memory, _ in pairs}
    return (*pairs, *((m, None) for m in shown if m.id in fact.replaces and m.id not in found))


def _verdicts_of_model(
    llm: LlmExtractor, compared: tuple[_Compared, ...]
) -> tuple[tuple[_Compared, ...], LlmExtractor | None]:
    """Lets the model decide each pair that the rules do not call the same; undecided pairs keep the rules' verdict.

    The model may contradict its own extraction about a replacement; then the pair is disputed and nothing is replaced.
    Also returns the model, or None if it must not be asked again in this run.
    """
    pairs = [
        (place, memory)
        for place, item in enumerate(compared)
        for memory in item.similar
        if item.verdicts[memory.id] != "same"
    ][:_MAX_PAIRS]
    if not pairs:
        return compared, llm
    try:
        verdicts = llm.compare([(compared[place].fact.text, memory.content) for place, memory in pairs])
    except ModelGarbled:
        return compared, llm
    except ModelError:
        return compared, None
    decided = [dict(item.verdicts) for item in compared]
    for (place, memory), verdict in zip(pairs, verdicts, strict=True):
        if verdict is not None:
            disputed = verdict == "apart" and memory.id in compared[place].fact.replaces
            decided[place][memory.id] = DISPUTED if disputed else verdict
    return tuple(replace(item, verdicts=known) for item, known in zip(compared, decided, strict=True)), llm
