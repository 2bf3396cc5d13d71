"""Asking: the steps run in order, the best candidates become hits, and silence is an answer too."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from holdfast.core.answer import Hit, Recall, StepTrace, Trace, Why
from holdfast.recall.evidence import evidence
from holdfast.recall.question import Found, Question

if TYPE_CHECKING:
    from holdfast.core.memory import Memory
    from holdfast.recall.steps import Candidates, Step
    from holdfast.store.reading import Reading


_MORE = 3


def ask(
    question: Question, recipe: str, steps: Sequence[Step], reading: Reading, abstain_below: float | None
) -> Recall:
    """The answer to a question. With a threshold, hits of weaker evidence are left out: silence is an answer too."""
    found: Candidates = ()
    traces: list[StepTrace] = []
    for step in steps:
        found, trace = _run(step, question, found)
        traces.append(trace)
    started = time.perf_counter()
    # Why more than asked for: a weak hit in front must not crowd out a good one behind it.
    read = _hits(question, found[: question.limit * (1 if abstain_below is None else _MORE)], reading)
    good = tuple(hit for hit in read if abstain_below is None or _evidence(hit) >= abstain_below)
    hits = good[: question.limit]
    notes = {"best evidence": round(max((_evidence(h) for h in read), default=0.0), 3)}
    traces.append(StepTrace("read", len(found), len(hits), _since(started), notes))
    return Recall(question.text, hits, Trace(recipe, tuple(traces)), abstained=bool(read) and not hits)


def _run(step: Step, question: Question, found: Candidates) -> tuple[Candidates, StepTrace]:
    started = time.perf_counter()
    after, notes = step(question, found)
    return after, StepTrace(step.name, len(found), len(after), _since(started), notes)


def _hits(question: Question, found: Candidates, reading: Reading) -> tuple[Hit, ...]:
    rows = reading.hydrate([f.passage for f in found])
    kept = [f for f in found if f.passage in rows]
    return tuple(_hit(question, f, *rows[f.passage]) for f in kept)


def _hit(question: Question, found: Found, memory: Memory, text: str) -> Hit:
    parts = {**found.parts, "evidence": evidence(question.words, _searched(memory, text), found.raw)}
    return Hit(memory, text, round(found.score, 4), Why(found.ranks, parts))


def _searched(memory: Memory, text: str) -> str:
    return " ".join((text, *memory.tags, *memory.files))


def _evidence(hit: Hit) -> float:
    return hit.why.factors["evidence"]


def _since(started: float) -> float:
    return (time.perf_counter() - started) * 1000


def with_episodes(question: Question) -> Question:
    """The same question put to what was merely said, when nothing better answered."""
    return replace(question, filters=replace(question.filters, types=("episode",)))
