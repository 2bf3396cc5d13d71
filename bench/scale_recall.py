"""A whole recall in a large store, embedding apart: its time split as the trace of the answer tells it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from bench import scale_data as data
from bench.measure import Measurement, milliseconds

if TYPE_CHECKING:
    from holdfast.core.answer import Recall
    from holdfast.store.sqlite.store import SqliteStore

Asker = Callable[[Any, Sequence[str]], "Recall"]
_FUSED, _TOKENS, _REST, _ALL = "candidates and fusion", "token rerank", "rows, judging, reading", "all"
_PARTS = {"paths": _FUSED, "substring": _FUSED, "weigh": _FUSED, "token_rerank": _TOKENS}
# What is promised of each part, in milliseconds, up to so many passages.
_BUDGETS = {100_000: {_FUSED: 5.0, _TOKENS: 10.0}, 1_000_000: {_FUSED: 25.0, _TOKENS: 10.0}}


def measure(
    store: SqliteStore, passages: int, vectors: Any, words: Mapping[str, Sequence[Any]], samples: int
) -> list[Measurement]:
    """Questions of plain words, of common ones, and of plain ones that are narrowed; each answered from its start.

    The first `samples` are measured. The others are asked before, so that everything is in memory, as in a process that
    was asked some questions already; none of the measured was asked before.
    """
    plain, common = words["words of a question"], words["five common words"]
    asked: dict[str, tuple[Asker, Sequence[Any]]] = {
        "a question": (asker(store), plain),
        "of one type": (asker(store, types=("fact",)), plain),
        "in one file": (asker(store, files=(data.file_of(1),)), plain),
        "five common words": (asker(store), common),
    }
    budgets = next((b for most, b in _BUDGETS.items() if passages <= most), {})
    found = []
    for name, (ask, of) in asked.items():
        questions = list(zip(vectors, of, strict=False))
        found += _split(name, ask, questions[:samples], questions[samples:] or questions[:1], budgets)
    return found


def asker(store: SqliteStore, **filters: Any) -> Asker:
    """Asks the large project by the default recipe, with a vector and tokens that are there already."""
    from holdfast.core.answer import Filters
    from holdfast.recall.pipeline import ask
    from holdfast.recall.question import Embedded, Question
    from holdfast.recall.recipes import DEFAULT, RecallResources, build

    now, chosen = data.BEGIN + timedelta(days=800), Filters(**filters)

    def answer(vector: Any, words: Sequence[str]) -> Recall:
        embedded = Embedded(data.EMBEDDER, vector, data.encoded(vector))
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
        for part in (_FUSED, _TOKENS, _REST, _ALL)
    ]


def _spent(answer: Recall) -> dict[str, float]:
    """Milliseconds by part."""
    spent = dict.fromkeys((_FUSED, _TOKENS, _REST), 0.0)
    for step in answer.trace.steps:
        spent[_PARTS.get(step.step, _REST)] += step.milliseconds
    return {**spent, _ALL: sum(spent.values())}
