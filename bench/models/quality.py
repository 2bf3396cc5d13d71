"""Search quality by vectors alone: the share of the answering passages among the first ten."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from bench.models.pools import CHATS, CODE, FRIENDS, MARKDOWN, MEETINGS, RetrievalPool
from bench.models.variants import BASE, OLD, SMALL, STATIC, ModelVariant
from bench.recall.tables import Share, by_row, share
from bench.recall.vectors import KeptVectors
from holdfast.bench.measure import show_progress
from holdfast.bench.reports import Section

if TYPE_CHECKING:
    from holdfast.models.protocols import Vectors

FIRST = 10
# The questions of both sets count alike.
CONVERSATIONS = "FriendsQA + QMSum"
COLUMNS = (FRIENDS, MEETINGS, CONVERSATIONS, CHATS, CODE, MARKDOWN)
# The size of the model that embeds queries, and of the one that embeds passages.
PAIRS = ((OLD, OLD), (BASE, BASE), (SMALL, SMALL), (SMALL, STATIC), (STATIC, SMALL), (STATIC, STATIC))
# The least difference from the old model.
BUDGETS = {
    BASE: {CONVERSATIONS: 0.06, CHATS: 0.0, CODE: -0.01, MARKDOWN: -0.01},
    SMALL: {CONVERSATIONS: 0.05, CHATS: 0.0, CODE: -0.02, MARKDOWN: -0.02},
}
_SHOWN_EVERY = 200

# The mean recall by set, by "query size/passage size".
Figures = Mapping[str, Mapping[str, float]]


def measure(pools: Sequence[RetrievalPool], variants: Mapping[str, ModelVariant], file: Path) -> Figures:
    """Searches every pool with every pair of sizes. `file` keeps the vectors for the next run."""
    found: dict[str, dict[str, list[float]]] = {}
    with ExitStack() as stack:
        models = {
            name: stack.enter_context(closing(KeptVectors(file, variant.open(os.cpu_count() or 1), variant.cache_name)))
            for name, variant in variants.items()
        }
        for number, pool in enumerate(pools):
            for pair, recalls in _of_pool(pool, models, f"{pool.set}, pool {number + 1} of {len(pools)}"):
                found.setdefault(pair, {}).setdefault(pool.set, []).extend(recalls)
    return {pair: _means(recalls) for pair, recalls in found.items()}


def recall(scores: Vectors, gold: Sequence[frozenset[int]]) -> list[float]:
    """The recall of each question; a question with more than ten answers can still reach 1."""
    import numpy as np

    best = np.argsort(-scores, axis=1, kind="stable")[:, :FIRST]
    return [
        len(right.intersection(first.tolist())) / min(len(right), FIRST)
        for first, right in zip(best, gold, strict=True)
    ]


def figures_of(figures: Figures, name: str) -> Mapping[str, float]:
    """The figures of a model that embeds both queries and passages."""
    return figures.get(f"{name}/{name}", {})


def by_pair(figures: Figures) -> Section:
    return by_row(f"Recall@{FIRST} by vectors alone, by model of the query / of the passages", COLUMNS, figures)


def differences(figures: Figures) -> Section:
    """The difference of base and small from the old model, with their budgets."""
    old = figures_of(figures, OLD)
    rows = [
        Share(f"{name}, {column}", figures_of(figures, name)[column] - old[column], budget=budget)
        for name, budgets in BUDGETS.items()
        for column, budget in budgets.items()
        if column in old and column in figures_of(figures, name)
    ]
    lines = [
        (row.name, _signed(row.p50), f"≥ {_signed(row.budget or 0.0)}", "holds" if row.holds else "MISSED")
        for row in rows
    ]
    cells = (("", "difference", "budget", ""), *lines) if lines else ()
    return Section(f"Difference in recall@{FIRST} from the old model", tuple(rows), cells=cells)


def shown(figures: Figures, name: str) -> tuple[str, ...]:
    """The cells of a model in the table of all models."""
    return tuple(share(figures_of(figures, name).get(column)) for column in (CONVERSATIONS, CHATS, CODE, MARKDOWN))


def _of_pool(pool: RetrievalPool, models: Mapping[str, KeptVectors], title: str) -> Iterator[tuple[str, list[float]]]:
    passages = {name: _passages(pool, name, model, title) for name, model in models.items()}
    questions = {name: model.questions(pool.questions) for name, model in models.items()}
    for asks, keeps in PAIRS:
        if asks in models and keeps in models:
            yield f"{asks}/{keeps}", recall(questions[asks] @ passages[keeps].T, pool.gold)


def _passages(pool: RetrievalPool, name: str, model: KeptVectors, title: str) -> Vectors:
    return model.passages(pool.passages, partial(_show, f"{title}: {name}", len(pool.passages)))


def _show(title: str, count: int, done: int) -> None:
    if done % _SHOWN_EVERY == 0 or done == count:
        show_progress(f"{title}, {done:,} of {count:,} texts")


def _means(recalls: Mapping[str, Sequence[float]]) -> dict[str, float]:
    both = [*recalls.get(FRIENDS, ()), *recalls.get(MEETINGS, ())]
    every = {**recalls, CONVERSATIONS: both}
    return {name: sum(numbers) / len(numbers) for name, numbers in every.items() if numbers}


def _signed(figure: float) -> str:
    return f"{figure:+.3f}"
