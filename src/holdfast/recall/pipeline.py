"""Asking: the steps run in order, the best candidates become hits, and silence is an answer too."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from holdfast.core.answer import Hit, Recall, StepTrace, Trace, Why
from holdfast.core.memory import EPISODE
from holdfast.recall.evidence import evidence
from holdfast.recall.question import Found, Question
from holdfast.recall.tables import abstain_factor
from holdfast.text.words import stem, words

if TYPE_CHECKING:
    from holdfast.core.document import DocumentChunk
    from holdfast.core.memory import Memory
    from holdfast.recall.steps import Candidates, Step
    from holdfast.store.reading import PassageReading

# How many times the number asked for is looked at before recall gives up on finding more good hits.
_MORE = 3
# Paths that answer a question for a file with what its neighbours know: nothing in it need resemble the question.
_OF_FILES = frozenset({"graph", "causal"})


def ask(
    question: Question, recipe: str, steps: Sequence[Step], reading: PassageReading, abstain_below: float | None
) -> Recall:
    """The answer to a question. With a threshold, hits of weaker evidence are left out: silence is an answer too."""
    found: Candidates = ()
    traces: list[StepTrace] = []
    for step in steps:
        found, trace = _run(step, question, found)
        traces.append(trace)
    started = time.perf_counter()
    hits, best = _read(question, found, reading, abstain_below or 0.0)
    traces.append(StepTrace("read", len(found), len(hits), _since(started), {"best evidence": round(best, 3)}))
    whole = Trace(recipe, tuple(traces))
    return Recall(question.text, hits, whole, abstained=bool(found) and not hits, confidence=round(best, 4))


def sure(question: Question, found: Found) -> float:
    """How likely a candidate answers the question, 0 to 1: as judged, or by a plain sign where nobody judged."""
    assert found.of is not None
    if "evidence" in found.parts:
        return found.parts["evidence"]
    return evidence(_stems(question.text), found.of.searched, found.raw)


def _run(step: Step, question: Question, found: Candidates) -> tuple[Candidates, StepTrace]:
    started = time.perf_counter()
    after, notes = step(question, found)
    return after, StepTrace(step.name, len(found), len(after), _since(started), notes)


def _read(
    question: Question, found: Candidates, reading: PassageReading, threshold: float
) -> tuple[tuple[Hit, ...], float]:
    """The best candidates as hits, and the best evidence seen. Weak ones in front do not crowd out good ones behind."""
    good: list[tuple[Found, float]] = []
    best = 0.0
    for one in found[: _MORE * question.limit]:
        sign = sure(question, one)
        best = max(best, sign)
        if sign >= threshold * abstain_factor(one.of) or not _OF_FILES.isdisjoint(one.raw):
            good.append((one, sign))
        if len(good) == question.limit:
            break
    rows = reading.hydrate([one.passage for one, _ in good])
    return tuple(_hit(one, sign, *rows[one.passage]) for one, sign in good if one.passage in rows), best


def _hit(found: Found, sign: float, of: Memory | DocumentChunk, text: str) -> Hit:
    return Hit.of(of, text, round(found.score, 4), Why(found.ranks, {**found.factors(), "evidence": sign}))


def _since(started: float) -> float:
    return (time.perf_counter() - started) * 1000


@lru_cache(maxsize=8)
def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in words(text))


def with_episodes(question: Question) -> Question:
    """The same question put to what was merely said, when nothing better answered."""
    return replace(question, filters=replace(question.filters, types=(EPISODE,)))
