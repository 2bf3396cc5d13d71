"""Makes one hit of what says the same: a repeated text, and a memory with the message or document it is from."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING

from holdfast.core.frozen import frozen
from holdfast.core.memory import DOCUMENT_PASSAGE_TYPES, EPISODE, TAUGHT
from holdfast.text.stemming import stem
from holdfast.text.words import words

if TYPE_CHECKING:
    from holdfast.recall.question import Notes, Question, RecallCandidate
    from holdfast.recall.steps import Candidates
    from holdfast.store.reading import Factors, PassageReading

# A memory replaces its message from this share of the message's evidence on: it is shorter and names its source.
_NEARLY = 0.7
# A memory learned from more messages is a summary: it is a hit of its own, and so are the messages.
_SOURCES = 3
_DECISION = "decision"
# A chunk says the same as a decision from this share of the decision's words on: a number or a date may be missing.
_SAME_WORDS = 0.7


@frozen
class Distinct:
    """Keeps one of several candidates that say the same.

    Of texts that differ only in case, blanks or the mark at the end, the best stays and names the others as repeats. Of
    a memory and its message the memory stays, unless the message has clearly more evidence. A memory that somebody
    taught or corrected always stays, because its message may be outdated. The same holds for a decision and the chunk
    of its record that says the same; other chunks are hits of their own. The one that stays has the higher score and
    the higher evidence of both, and the repeats of both. Expects candidates in order, best first.
    """

    reading: PassageReading
    name: str = "distinct"

    def __call__(self, question: Question, candidates: Candidates) -> tuple[Candidates, Notes]:
        unique = _without_repeats(candidates)
        merged = self._one_per_source(self._one_per_decision(unique))
        return merged, {"repeated": len(candidates) - len(unique), "merged": len(unique) - len(merged)}

    def _one_per_source(self, candidates: Candidates) -> Candidates:
        # Also by the ids of the messages that repeat it: it does not matter which of them ranks first.
        messages = {id: c for c in candidates if c.row is not None and c.row.type == EPISODE for id in _ids(c)}
        learned = [c.passage for c in candidates if c.row is not None and c.row.type != EPISODE]
        sources = self.reading.sources_of(learned) if messages and learned else {}
        kept = {c.passage: c for c in candidates}
        for memory in candidates:
            cited = sources.get(memory.passage, ())
            said = {messages[id].passage: messages[id] for id in cited[: _SOURCES + 1] if id in messages}
            if said and len(cited) <= _SOURCES:
                _merge(kept, memory, list(said.values()), cited)
        # Equal scores stay in order: an earlier step may have put the newer statement first.
        return tuple(sorted(kept.values(), key=lambda c: -c.score))

    def _one_per_decision(self, candidates: Candidates) -> Candidates:
        decisions = [c for c in candidates if c.row is not None and c.row.type == _DECISION]
        chunks = [c for c in candidates if c.row is not None and c.row.type in DOCUMENT_PASSAGE_TYPES]
        documents = (
            self.reading.documents_of([c.passage for c in (*decisions, *chunks)]) if decisions and chunks else {}
        )
        kept = {c.passage: c for c in candidates}
        for decision in decisions:
            own = [c for c in chunks if documents.get(c.passage) == documents.get(decision.passage, "")]
            if same := [c for c in own if c.passage in kept and _says(c, decision)]:
                _merge(kept, decision, same, [c.row.id for c in same if c.row is not None])
        return tuple(sorted(kept.values(), key=lambda c: -c.score)) if len(kept) < len(candidates) else candidates


def _merge(
    kept: dict[int, RecallCandidate], memory: RecallCandidate, said: list[RecallCandidate], cited: Sequence[str]
) -> None:
    """Keeps the memory, or its messages or chunks. The memory cites some of them; the others become its repeats."""
    best = max(said, key=lambda c: c.score)
    assert memory.row is not None
    if memory.row.source not in TAUGHT and _strength(memory) < _NEARLY * max(map(_strength, said)):
        del kept[memory.passage]
        if memory.repeats and best.passage in kept:
            kept[best.passage] = kept[best.passage].with_repeats(memory.repeats)
        return
    evidence = max(c.evidence for c in (memory, *said))
    repeats = [row for message in said for row in _rows(message) if row.id not in cited]
    merged = memory.with_factors({"evidence": evidence}, max(memory.score, best.score))
    kept[memory.passage] = merged.with_repeats(repeats) if repeats else merged
    for message in said:
        kept.pop(message.passage, None)


def _says(chunk: RecallCandidate, decision: RecallCandidate) -> bool:
    """Does the chunk contain nearly all words of the decision?"""
    assert chunk.row is not None
    assert decision.row is not None
    stated = {stem(word) for word in words(decision.row.searched)}
    return len(stated & {stem(word) for word in words(chunk.row.searched)}) >= _SAME_WORDS * len(stated)


def _strength(candidate: RecallCandidate) -> float:
    """The evidence, which unlike the score does not depend on context, trust and age; the score where there is none."""
    return candidate.factors.get("evidence", candidate.score)


def _rows(candidate: RecallCandidate) -> tuple[Factors, ...]:
    """The rows of the candidate and of its repeats."""
    return candidate.repeats if candidate.row is None else (candidate.row, *candidate.repeats)


def _ids(candidate: RecallCandidate) -> list[str]:
    return [row.id for row in _rows(candidate)]


def _without_repeats(candidates: Candidates) -> Candidates:
    """The best candidate with each text, which names the others."""
    by_text: dict[object, list[RecallCandidate]] = {}
    for candidate in candidates:
        by_text.setdefault(_said(candidate) or candidate.passage, []).append(candidate)
    if len(by_text) == len(candidates):
        return candidates
    return tuple(
        best.with_repeats(chain(*map(_rows, others))) if others else best for best, *others in by_text.values()
    )


def _said(candidate: RecallCandidate) -> tuple[str, str] | None:
    """The type and the text without case, blanks and the mark at the end; None for a chunk and without a text."""
    row = candidate.row
    if row is None or row.type in DOCUMENT_PASSAGE_TYPES:
        return None
    text = " ".join(row.searched.lower().split()).rstrip(".!?… ")
    return (row.type, text) if text else None
