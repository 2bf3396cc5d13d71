"""Measures complete recalls in a large store without embedding, split by the steps of the trace."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from bench import scale_data as data
from holdfast.bench.measure import Measurement, milliseconds

if TYPE_CHECKING:
    from holdfast.core.answer import Recall
    from holdfast.store.sqlite.sqlite_store import SqliteStore

Asker = Callable[[Any, Sequence[str]], "Recall"]
_FUSED, _REST, _ALL = "candidates and fusion", "rows, evidence, loading", "total"
_PARTS = {"paths": _FUSED, "substring": _FUSED, "weigh": _FUSED}
# Budget of each part in milliseconds, by the maximum number of passages.
_BUDGETS = {100_000: {_FUSED: 5.0}, 1_000_000: {_FUSED: 25.0}}


def measure(
    store: SqliteStore, passages: int, vectors: Any, words: Mapping[str, Sequence[Any]], samples: int
) -> list[Measurement]:
    """Measures queries with ordinary words, with common words, and with filters.

    The first `samples` queries are measured. The others run before them, so that all data is in memory, as in a process
    that has answered some queries; no measured query runs twice.
    """
    plain, common = words["words of a query"], words["five common words"]
    workloads: dict[str, tuple[Asker, Sequence[Any]]] = {
        "query": (asker(store), plain),
        "within one type": (asker(store, types=("fact",)), plain),
        "within one file": (asker(store, files=(data.file_of(1),)), plain),
        "five common words": (asker(store), common),
    }
    budgets = next((b for most, b in _BUDGETS.items() if passages <= most), {})
    found = []
    for name, (ask, of) in workloads.items():
        questions = list(zip(vectors, of, strict=False))
        found += _split(name, ask, questions[:samples], questions[samples:] or questions[:1], budgets)
    return found


def asker(store: SqliteStore, **filters: Any) -> Asker:
    """Returns a function that queries the large project with the default recipe and precomputed vectors."""
    from holdfast.core.answer import Filters
    from holdfast.recall.pipeline import ask
    from holdfast.recall.question import Embedded, Question
    from holdfast.recall.recipes import DEFAULT, RecallResources, build
    from holdfast.recall.weigh.cosine_scales import UNKNOWN

    now, chosen = data.BEGIN + timedelta(days=800), Filters(**filters)

    def answer(vector: Any, words: Sequence[str]) -> Recall:
        embedded = Embedded(data.EMBEDDER, vector, UNKNOWN)
        question = Question(" ".join(words), data.LARGE, chosen, 8, now)
        steps = build(DEFAULT, RecallResources(store.reading, lambda _: embedded, per_session=3))
        return ask(question, DEFAULT.name, steps, store.reading, None)

    return answer


def _split(
    name: str, ask: Asker, questions: Sequence[Any], before: Sequence[Any], budgets: Mapping[str, float]
) -> list[Measurement]:
    for vector, words in before:
        ask(vector, words)
    spent = [_spent(ask(vector, words)) for vector, words in questions]
    return [
        milliseconds(f"{name}: {part}", [one[part] / 1e3 for one in spent], budgets.get(part))
        for part in (_FUSED, _REST, _ALL)
    ]


def _spent(answer: Recall) -> dict[str, float]:
    """Sums the milliseconds per part."""
    spent = dict.fromkeys((_FUSED, _REST), 0.0)
    for step in answer.trace.steps:
        spent[_PARTS.get(step.step, _REST)] += step.milliseconds
    return {**spent, _ALL: sum(spent.values())}
