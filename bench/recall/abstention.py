"""Measures abstention: does the confidence separate questions with and without an answer in the store?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from bench.recall.figures import Signs, auroc, auroc_between
from bench.recall.ours import Built, Holdfast
from bench.recall.pool import Answers, Pool, Question
from bench.recall.systems import Stores
from holdfast.bench.measure import show_progress

_SEED = 940


@dataclass(frozen=True, slots=True)
class Between:
    """A figure with its 95 % interval."""

    figure: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class AnsweredSet:
    """A data set, its stores, and the answers to its own questions."""

    pool: Pool
    stores: Stores
    answers: Answers

    @property
    def built(self) -> Built:
        """The store of a set that has only one."""
        (_, built) = self.stores[0]
        return built

    def own(self) -> Signs:
        return [(answer.confidence, True) for answer in self.answers.values()]

    def foreign(self, questions: Sequence[Question]) -> Signs:
        """Asks the questions of another set in this store, today."""
        with Holdfast(self.pool, self.built) as holdfast:
            answers = (holdfast.ask(replace(question, at=None), self.pool.limit) for question in questions)
            return [(answer.confidence, False) for answer in answers]


def foreign_questions(one: AnsweredSet, other: AnsweredSet) -> Mapping[str, float]:
    """Compares own questions with those of the other set: in both stores together, and in each alone."""
    here, there = one.foreign(other.pool.questions), other.foreign(one.pool.questions)
    return {
        "unrelated questions, both stores": auroc([*one.own(), *here, *other.own(), *there]),
        f"unrelated questions, {one.pool.name} alone": auroc([*one.own(), *here]),
        f"unrelated questions, {other.pool.name} alone": auroc([*other.own(), *there]),
    }


def withheld_evidence(pool: Pool, built: Built, repeats: int) -> Between:
    """Removes the evidence of a random half of the questions and measures how well that half is recognised.

    Questions that lost only part of their evidence, because another question needs the same session, are left out.
    """
    chance = Random(_SEED)
    signs: dict[str, list[tuple[float, bool]]] = {}
    for repeat in range(repeats):
        show_progress(f"{pool.name}: evidence removed, {repeat + 1} of {repeats}")
        half = chance.sample(pool.answerable, len(pool.answerable) // 2)
        gone = {session for question in half for session in question.groups}
        with Holdfast(pool, built, without=sorted(gone)) as holdfast:
            for question in pool.answerable:
                left = set(question.groups) - gone
                if left and left != set(question.groups):
                    continue
                answer = holdfast.ask(question, pool.limit)
                signs.setdefault(question.id, []).append((answer.confidence, bool(left)))
    return Between(*auroc_between(signs))


def unanswerable(answered: AnsweredSet) -> float:
    """Measures the questions that the data set marks as unanswerable."""
    with Holdfast(answered.pool, answered.built) as holdfast:
        without = [holdfast.ask(q, answered.pool.limit) for q in answered.pool.questions if not q.is_answerable]
    return auroc([*answered.own(), *((answer.confidence, False) for answer in without)])
