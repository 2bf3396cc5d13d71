"""Marks messages that say something outdated, and puts the memory that replaced it in front of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from holdfast.core.answer import Hit, Replacement, Why
from holdfast.core.memory import EPISODE, SUPERSEDES
from holdfast.text.similarity import content_words

if TYPE_CHECKING:
    from holdfast.core.memory import Memory
    from holdfast.recall.question import Question
    from holdfast.store.reading import MemoryChangeReading

# The best hits that may be outdated. Of the words that the query shares with a message, the outdated statement and the
# new one must have this share: a message says other things too.
_OUTDATED, _ABOUT_IT = 5, 0.5


def with_replacements(hits: Sequence[Hit], reading: MemoryChangeReading, project: str) -> tuple[Hit, ...]:
    """The hits, each outdated message with the newer memories. One lookup for all of them; none without a message."""
    return _marked(hits, _newer(hits, reading, project))


def up_to_date(hits: Sequence[Hit], reading: MemoryChangeReading, question: Question) -> tuple[Hit, ...]:
    """The same, and the newest of these memories in front of the message, if the query is about what it replaces.

    A memory that no search found is added, unless filters are set.
    """
    found = _newer(hits, reading, question.project)
    marked = _marked(hits, found)
    if not found or question.asks_past or question.windows:
        return marked
    order = list(marked)
    for old in (hit for hit in marked[:_OUTDATED] if hit.replaced_by):
        if newest := _newest(old, found[old.id], reading, question):
            _put_before(order, old, newest, can_add=not question.filters.any_set())
    return tuple(order[: max(question.limit, len(hits))])


def _newer(hits: Sequence[Hit], reading: MemoryChangeReading, project: str) -> Mapping[str, tuple[Memory, ...]]:
    messages = [hit.memory for hit in hits if hit.memory is not None and hit.memory.type == EPISODE]
    return reading.replacements(project, messages) if messages else {}


def _marked(hits: Sequence[Hit], found: Mapping[str, Sequence[Memory]]) -> tuple[Hit, ...]:
    newer = {id: tuple(Replacement(memory.id, memory.content) for memory in known) for id, known in found.items()}
    return tuple(replace(hit, replaced_by=newer[hit.id]) if hit.id in newer else hit for hit in hits)


def _newest(old: Hit, newer: Sequence[Memory], reading: MemoryChangeReading, question: Question) -> Memory | None:
    """The newest memory that replaces what the query asks a message for."""
    asked = content_words(question.text) & content_words(old.text)
    about = [memory for memory in newer if _is_about(asked, memory, reading)]
    return max(about, key=lambda memory: memory.created_at, default=None)


def _is_about(asked: frozenset[str], newer: Memory, reading: MemoryChangeReading) -> bool:
    own = content_words(newer.content)
    replaced = (reading.memory(r.memory) for r in newer.relations if r.kind == SUPERSEDES and r.memory)
    known = own.union(*(content_words(memory.content) for memory in replaced if memory))
    return len(asked & known) >= _ABOUT_IT * len(asked)


def _put_before(order: list[Hit], old: Hit, newest: Memory, can_add: bool) -> None:
    """Moves the newer memory, or the message that it was learned from, before the outdated one, or adds it there."""
    place = order.index(old)
    names = {newest.id, *newest.source_ids}
    known = next((n for n, hit in enumerate(order) if hit.id in names), None)
    if known is not None and known < place:
        return
    if known is None and not can_add:
        return
    hit = order.pop(known) if known is not None else Hit(newest, newest.content, old.score, Why({}, {}))
    factors = {**hit.why.factors, "evidence": max(of.why.factors.get("evidence", 0.0) for of in (hit, old))}
    order.insert(place, replace(hit, score=max(hit.score, old.score), why=Why(hit.why.paths, factors)))
