"""Runs the steps of a recipe and turns the best candidates into hits, or abstains when the evidence is weak."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from holdfast.core.answer import Hit, Recall, Repeat, StepTrace, Trace, Why
from holdfast.core.memory import REFLECTION, Memory
from holdfast.recall.evidence.agreement import pooled
from holdfast.recall.paths import EXEMPT_FROM_ABSTENTION
from holdfast.recall.question import Question, RecallCandidate
from holdfast.recall.source_trust import abstain_factor
from holdfast.recall.wordings import STRICTER, merged

if TYPE_CHECKING:
    from holdfast.core.document import DocumentChunk
    from holdfast.recall.steps import Candidates, Step
    from holdfast.store.reading import PassageReading

# A hit that scores less than this share of the first hit is left out.
_FAR_BELOW = 0.4
# The number of repeats that a hit names; it counts them all.
_REPEATS = 5


def ask(
    question: Question,
    recipe: str,
    steps: Sequence[Step],
    reading: PassageReading,
    abstain_below: float | None,
    *,
    also: Sequence[Question] = (),
    order: Sequence[Step] = (),
) -> Recall:
    """Runs the steps and reads the best candidates. With `abstain_below`, abstains if all evidence is weaker.

    `also` are other wordings of the query: the steps run for each, and what they found is merged. The steps of `order`
    run at last, once.
    """
    found, traces = _run_all(steps, question, ())
    threshold = abstain_below or 0.0
    if also:
        found, trace = _with_wordings(question, found, also, steps)
        traces.append(trace)
        threshold *= STRICTER
    found, ordered = _run_all(order, question, found)
    started = time.perf_counter()
    hits, best = _read(question, found, reading, threshold)
    traces += ordered
    traces.append(StepTrace("read", len(found), len(hits), _since(started), {"best evidence": round(best, 3)}))
    trace_of_all = Trace(recipe, tuple(traces))
    return Recall(question.text, hits, trace_of_all, abstained=bool(found) and not hits, confidence=round(best, 4))


def _with_wordings(
    question: Question, found: Candidates, also: Sequence[Question], steps: Sequence[Step]
) -> tuple[Candidates, StepTrace]:
    """Runs the steps for other wordings, and merges what they found with the candidates of the query."""
    started = time.perf_counter()
    others = [(wording, _run_all(steps, wording, ())[0]) for wording in also]
    after = merged(((question, found), *others))
    notes = {"also": {wording.text: len(candidates) for wording, candidates in others}}
    return after, StepTrace("wordings", len(found), len(after), _since(started), notes)


def _run_all(steps: Sequence[Step], question: Question, found: Candidates) -> tuple[Candidates, list[StepTrace]]:
    traces = []
    for step in steps:
        found, trace = _run(step, question, found)
        traces.append(trace)
    return found, traces


def _run(step: Step, question: Question, candidates: Candidates) -> tuple[Candidates, StepTrace]:
    started = time.perf_counter()
    after, notes = step(question, candidates)
    return after, StepTrace(step.name, len(candidates), len(after), _since(started), notes)


def _read(
    question: Question, candidates: Candidates, reading: PassageReading, threshold: float
) -> tuple[tuple[Hit, ...], float]:
    """Returns the best candidates as hits, and the strongest evidence.

    With a threshold: none if no candidate has enough evidence; otherwise those that score not far below the first.
    One good hit is enough, because the evidence of each single hit is low where many passages are alike.
    """
    first = _reflections_last(question, candidates)[: question.limit]
    strengths = [candidate.evidence for candidate in first]
    exempt = [not EXEMPT_FROM_ABSTENTION.isdisjoint(candidate.raw) for candidate in first]
    pairs = zip(first, strengths, strict=True)
    enough = any(strength >= threshold * abstain_factor(candidate.row) for candidate, strength in pairs)
    floor = _FAR_BELOW * first[0].score if first and threshold else 0.0
    good = [
        (candidate, strength)
        for candidate, strength, kept in zip(first, strengths, exempt, strict=True)
        if kept or (enough and candidate.score >= floor)
    ]
    rows = reading.hydrate([candidate.passage for candidate, _ in good])
    shown = [(candidate, strength) for candidate, strength in good if candidate.passage in rows]
    words = _words(shown)
    hits = tuple(
        _hit(
            candidate,
            strength,
            word,
            _then(rows[candidate.passage][0], candidate, question),
            rows[candidate.passage][1],
        )
        for (candidate, strength), word in zip(shown, words, strict=True)
    )
    return hits, max(strengths, default=0.0)


def _then(source: Memory | DocumentChunk, candidate: RecallCandidate, question: Question) -> Memory | DocumentChunk:
    """What was found; a memory as it was known at the time that the query names."""
    at = question.filters.as_of
    if at is None or candidate.row is None or not isinstance(source, Memory):
        return source
    return source.as_known(at, candidate.row.confidence)


def _words(shown: Sequence[tuple[RecallCandidate, float]]) -> list[float]:
    """The evidence that the words about each hit come from; an order by time says nothing about it."""
    strengths = [strength for _, strength in shown]
    by_score = all(one.score >= other.score for (one, _), (other, _) in pairwise(shown))
    return pooled(strengths) if by_score else strengths


def _reflections_last(question: Question, candidates: Candidates) -> Candidates:
    """Moves reflections behind the memories they summarise, unless the query asks for reflections alone."""
    if question.filters.types == (REFLECTION,):
        return candidates
    later = tuple(c for c in candidates if c.row is not None and c.row.type == REFLECTION)
    if not later:
        return candidates
    return (*(c for c in candidates if c.row is None or c.row.type != REFLECTION), *later)


def _hit(candidate: RecallCandidate, strength: float, word: float, source: Memory | DocumentChunk, text: str) -> Hit:
    why = Why(candidate.ranks, {**candidate.all_factors(), "evidence": strength, "certainty": word})
    row = candidate.row
    if row is not None and row.freshness is not None and isinstance(source, Memory) and row.anchors != source.anchors:
        source = replace(source, anchors=row.anchors)  # The code was checked after the row was stored.
    hit = Hit.of(source, text, round(candidate.score, 4), why)
    return _with_repeats(hit, candidate) if candidate.repeats else hit


def _with_repeats(hit: Hit, candidate: RecallCandidate) -> Hit:
    repeats = [Repeat(row.id, row.session, row.when) for row in candidate.repeats]
    newest = sorted(repeats, key=lambda repeat: (repeat.when, repeat.id), reverse=True)[:_REPEATS]
    return replace(hit, repeats=tuple(newest), repeat_count=len(repeats))


def _since(started: float) -> float:
    return (time.perf_counter() - started) * 1000
