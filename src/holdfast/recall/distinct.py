"""Makes one hit of what says the same: a repeated text, and a memory with the message or document it is from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.core.frozen import frozen
from holdfast.core.memory import DOCUMENT_PASSAGE_TYPES, EPISODE, TAUGHT
from holdfast.text.stemming import stem
from holdfast.text.words import words

if TYPE_CHECKING:
    from holdfast.recall.question import Notes, Question, RecallCandidate
    from holdfast.recall.steps import Candidates
    from holdfast.store.reading import PassageReading

# A memory stands for its message from this share of the message's evidence on: it is shorter and names its source.
_NEARLY = 0.7
# A memory learned from more messages is a summary: it is a hit of its own, and so are the messages.
_SOURCES = 3
_DECISION = "decision"
# A chunk says the same as a decision from this share of the decision's words on: a number or a date may be missing.
_SAME_WORDS = 0.7


@frozen
class Distinct:
    """Keeps one of several candidates that say the same.

    Of texts that differ only in case, blanks or the mark at the end, the best stays. Of a memory and its message the
    memory stays, unless the message has clearly more evidence. A memory that somebody taught or corrected always stays,
    because its message may be outdated. The same holds for a decision and the chunk of its record that says the same;
    other chunks are hits of their own. The one that stays has the higher score and the higher evidence of both. Expects
    candidates in order, best first.
    """

    reading: PassageReading
    name: str = "distinct"

    def __call__(self, question: Question, candidates: Candidates) -> tuple[Candidates, Notes]:
        unique = _without_repeats(candidates)
        merged = self._one_per_source(self._one_per_decision(unique))
        return merged, {"repeated": len(candidates) - len(unique), "merged": len(unique) - len(merged)}

    def _one_per_source(self, candidates: Candidates) -> Candidates:
        messages = {c.row.id: c for c in candidates if c.row is not None and c.row.type == EPISODE}
        learned = [c.passage for c in candidates if c.row is not None and c.row.type != EPISODE]
        sources = self.reading.sources_of(learned) if messages and learned else {}
        kept = {c.passage: c for c in candidates}
        for memory in candidates:
            said = [messages[id] for id in sources.get(memory.passage, ())[: _SOURCES + 1] if id in messages]
            if said and len(sources[memory.passage]) <= _SOURCES:
                _merge(kept, memory, said)
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
                _merge(kept, decision, same)
        return tuple(sorted(kept.values(), key=lambda c: -c.score)) if len(kept) < len(candidates) else candidates


def _merge(kept: dict[int, RecallCandidate], memory: RecallCandidate, said: list[RecallCandidate]) -> None:
    """Keeps the memory, or its messages or chunks."""
    best = max(said, key=lambda c: c.score)
    assert memory.row is not None
    if memory.row.source not in TAUGHT and _strength(memory) < _NEARLY * max(map(_strength, said)):
        del kept[memory.passage]
        return
    evidence = max(c.factors.get("evidence", 0.0) for c in (memory, *said))
    kept[memory.passage] = memory.with_factors({"evidence": evidence}, max(memory.score, best.score))
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


def _without_repeats(candidates: Candidates) -> Candidates:
    seen: set[tuple[str, str]] = set()
    unique = []
    for candidate in candidates:
        row = candidate.row
        if row is not None and row.type not in DOCUMENT_PASSAGE_TYPES:
            said = (row.type, " ".join(row.searched.lower().split()).rstrip(".!?… "))
            if said[1] and said in seen:
                continue
            seen.add(said)
        unique.append(candidate)
    return tuple(unique)
