"""Runs the steps of a recipe and turns the best candidates into hits, or abstains when the evidence is weak."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from holdfast.core.answer import Hit, Recall, StepTrace, Trace, Why
from holdfast.core.memory import EPISODE
from holdfast.recall.evidence import evidence
from holdfast.recall.paths import EXEMPT_FROM_ABSTENTION
from holdfast.recall.question import Found, Question
from holdfast.recall.source_trust import abstain_factor
from holdfast.text.stemming import stem
from holdfast.text.words import words

if TYPE_CHECKING:
    from holdfast.core.document import DocumentChunk
    from holdfast.core.memory import Memory
    from holdfast.recall.steps import Candidates, Step
    from holdfast.store.reading import PassageReading

# At most this many times the limit of candidates is checked for strong evidence.
_CHECKED = 3


def ask(
    question: Question, recipe: str, steps: Sequence[Step], reading: PassageReading, abstain_below: float | None
) -> Recall:
    """Answers a query. With a threshold, hits with weaker evidence are left out, and the answer may be empty."""
    found: Candidates = ()
    traces: list[StepTrace] = []
    for step in steps:
        found, trace = _run(step, question, found)
        traces.append(trace)
    started = time.perf_counter()
    hits, best = _read(question, found, reading, abstain_below or 0.0)
    traces.append(StepTrace("read", len(found), len(hits), _since(started), {"best evidence": round(best, 3)}))
    trace_of_all = Trace(recipe, tuple(traces))
    return Recall(question.text, hits, trace_of_all, abstained=bool(found) and not hits, confidence=round(best, 4))


def sure(question: Question, found: Found) -> float:
    """How likely a candidate answers the query, 0 to 1: estimated by an earlier step, else by `evidence`."""
    assert found.row is not None
    if "evidence" in found.factors:
        return found.factors["evidence"]
    return evidence(_stems(question.text), found.row.searched, found.raw)


def _run(step: Step, question: Question, found: Candidates) -> tuple[Candidates, StepTrace]:
    started = time.perf_counter()
    after, notes = step(question, found)
    return after, StepTrace(step.name, len(found), len(after), _since(started), notes)


def _read(
    question: Question, found: Candidates, reading: PassageReading, threshold: float
) -> tuple[tuple[Hit, ...], float]:
    """The best candidates as hits, and the best evidence seen. Skips weak candidates for later, stronger ones."""
    good: list[tuple[Found, float]] = []
    best = 0.0
    for candidate in found[: _CHECKED * question.limit]:
        strength = sure(question, candidate)
        best = max(best, strength)
        exempt = not EXEMPT_FROM_ABSTENTION.isdisjoint(candidate.raw)
        if exempt or strength >= threshold * abstain_factor(candidate.row):
            good.append((candidate, strength))
        if len(good) == question.limit:
            break
    rows = reading.hydrate([candidate.passage for candidate, _ in good])
    return tuple(_hit(one, strength, *rows[one.passage]) for one, strength in good if one.passage in rows), best


def _hit(found: Found, strength: float, source: Memory | DocumentChunk, text: str) -> Hit:
    why = Why(found.ranks, {**found.all_factors(), "evidence": strength})
    return Hit.of(source, text, round(found.score, 4), why)


def _since(started: float) -> float:
    return (time.perf_counter() - started) * 1000


@lru_cache(maxsize=8)
def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in words(text))


def with_episodes(question: Question) -> Question:
    """The same query over messages only, for use when memories and documents gave no answer."""
    return replace(question, filters=replace(question.filters, types=(EPISODE,)))
