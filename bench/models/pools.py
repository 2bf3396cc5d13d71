"""The texts that are searched, and the questions with the texts that answer them. Our model was trained on none."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench import evaluation_sets

FRIENDS, MEETINGS, CHATS, CODE, MARKDOWN = "FriendsQA", "QMSum", "LongMemEval", "CoSQA", "markdown-qa"
SETS = {"friendsqa": FRIENDS, "qmsum": MEETINGS, "longmemeval": CHATS, "cosqa": CODE, "markdown": MARKDOWN}
# Pairs were made of the other dialogues of these sets; the other sets have no part to train on.
_SPLIT = (FRIENDS, MEETINGS)
# Without --full, one of this many meetings is measured, and one of this many passages that answer no question.
_MEETINGS = 4
_OTHERS = {CHATS: 8, CODE: 2}
_CHARACTERS = 1_000


@dataclass(frozen=True, slots=True)
class RetrievalPool:
    """Passages, and questions about them; `gold` has the rows of the passages that answer each question."""

    set: str
    passages: Sequence[str]
    questions: Sequence[str]
    gold: Sequence[frozenset[int]]


def load(data: Path, full: bool) -> list[RetrievalPool]:
    """Reads the sets; raises FileNotFoundError if one is not there."""
    made: dict[tuple[str, tuple[str, ...]], RetrievalPool] = {}
    for row in evaluation_sets.pools(data):
        name = SETS[row["set"]]
        if name in _SPLIT and row["part"] != "test":
            continue
        pool = _with_answers(name, row)
        before = made.get((name, tuple(pool.passages)))
        made[name, tuple(pool.passages)] = _joined(before, pool) if before else pool
    pools = [pool for pool in made.values() if pool.questions]
    return pools if full else _some(pools)


def sizes(pools: Iterable[RetrievalPool]) -> dict[str, tuple[int, int, int]]:
    """Returns the number of pools, passages and questions of each set."""
    counts: dict[str, tuple[int, int, int]] = {}
    for pool in pools:
        number, passages, questions = counts.get(pool.set, (0, 0, 0))
        counts[pool.set] = number + 1, passages + len(pool.passages), questions + len(pool.questions)
    return counts


def _with_answers(name: str, row: Any) -> RetrievalPool:
    asked = [(question, frozenset(gold)) for question, gold in row["questions"] if gold]
    return RetrievalPool(name, row["passages"], [question for question, _ in asked], [gold for _, gold in asked])


def _joined(one: RetrievalPool, other: RetrievalPool) -> RetrievalPool:
    return RetrievalPool(one.set, one.passages, [*one.questions, *other.questions], [*one.gold, *other.gold])


def _some(pools: Sequence[RetrievalPool]) -> list[RetrievalPool]:
    meetings = [pool for pool in pools if pool.set == MEETINGS]
    rest = [pool for pool in pools if pool.set != MEETINGS]
    return [_fewer(pool) for pool in (*rest, *meetings[::_MEETINGS])]


def _fewer(pool: RetrievalPool) -> RetrievalPool:
    """Keeps every passage that answers a question and some of the others, and the beginning of each."""
    answers = frozenset().union(*pool.gold)
    every = _OTHERS.get(pool.set, 1)
    kept = [row for row in range(len(pool.passages)) if row in answers or row % every == 0]
    place = {row: number for number, row in enumerate(kept)}
    passages = [pool.passages[row][:_CHARACTERS] for row in kept]
    return RetrievalPool(
        pool.set, passages, pool.questions, [frozenset(place[row] for row in gold) for gold in pool.gold]
    )
