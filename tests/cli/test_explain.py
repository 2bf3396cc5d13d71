"""The output of search --explain at several screen widths, in both languages."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from holdfast import recall
from holdfast.core.answer import Hit, Recall, StepTrace, Trace, Why
from holdfast.core.memory import Memory
from holdfast.interfaces import language
from holdfast.interfaces.cli.explain import _STEPS, explained
from holdfast.recall.recall_reasons import RecallCode
from tests.cli.conftest import assert_golden

WEIGHTS = {
    "episode": {"bm25": 1.5, "share": 1.5, "session": 1.3, "meaning": 3.6, "speaker": 2.6, "time": 1.6},
    "memory": {"bm25": 2.5, "share": 2.5, "session": 0.0, "meaning": 3.0, "speaker": 0.0, "time": 1.6},
}


def hit(type: str, score: float, paths: dict[str, int], **factors: float) -> Hit:
    usual = {"recency": 0.5, "frequency": 0.15, "phase": 1.0, "trust": 0.86, "confidence": 0.95, "evidence": 0.7}
    memory = Memory(f"mem_{type}", type, "Tides turn.", "p", datetime(2026, 7, 1, tzinfo=UTC), 0.9)
    return Hit(memory, "Tides turn.", score, Why(paths, {**factors, **usual}))


ANSWER = Recall(
    "when do tides trun?",
    (
        hit("episode", 0.91, {"words": 2, "meaning": 1, "time": 1}, bm25=1.0, share=1.0, session=0.8, meaning=1.0,
            speaker=1.0, time=0.5, relevance=0.93),
        hit("gotcha", 0.62, {"words": 1, "co_access": 3}, bm25=0.5, share=0.75, relevance=0.61, rerank=0.4),
        hit("pattern", 0.31, {"causal": 1}, bound=0.71, relevance=0.33),
    ),
    Trace("default", (
        StepTrace("paths", 0, 14, 3.25, {
            "words": {"found": 9, "words": ["tides", "turn"], "corrected spelling": {"trun": ("turn", "true")}},
            "meaning": {"found": 0, "skipped": RecallCode.NO_EMBEDDER},
            "time": {"found": 5, "times": ["last week"], "within": 5},
        }),
        StepTrace("substring", 14, 14, 0.0, {"skipped": RecallCode.NOT_NEEDED}),
        StepTrace("weigh", 14, 14, 1.5, {"weights": WEIGHTS}),
        StepTrace("score", 14, 14, 0.1, {"shares": {"relevance": 0.9, "recency": 0.07, "frequency": 0.03}}),
        StepTrace("newest", 14, 14, 0.2, {"moved": 1}),
        StepTrace("rerank", 14, 14, 0.0, {"skipped": RecallCode.NO_RERANKER}),
        StepTrace("read", 14, 3, 2.0, {"best evidence": 0.7}),
    )),
)  # fmt: skip


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("columns", ["60", "80", "120"])
def test_an_answer_is_explained(monkeypatch, lang, columns):
    monkeypatch.setenv("COLUMNS", columns)
    try:
        language.choose(lang, {})
        said = explained(ANSWER)
    finally:
        language.choose("en", {})
    assert max(map(len, said.splitlines())) <= int(columns)
    assert_golden(f"explain-{columns}.{lang}.txt", said + "\n")


def test_contributions_of_the_measures_add_up_to_the_weighted_mean():
    said = explained(ANSWER).splitlines()
    at = said.index(next(line for line in said if line.startswith("Relevance")))
    first = [float(cell) for cell in said[at + 5].split()[1:] if cell != "–"]
    weights, values = WEIGHTS["episode"], dict(ANSWER.hits[0].why.factors)
    mean = sum(weight * values[name] for name, weight in weights.items()) / sum(weights.values())
    assert sum(first) == pytest.approx(mean, abs=0.03)


def test_an_answer_without_hits_is_explained_by_its_steps():
    said = explained(Recall("tides", (), ANSWER.trace, abstained=True))
    assert said.startswith("Recipe default")


def test_every_step_has_a_name_for_people():
    """Steps are classes of the package recall with a default name."""
    source = "".join(file.read_text("utf-8") for file in Path(recall.__file__).parent.rglob("*.py"))
    named = set(re.findall(r'^    name: str = "([^"]+)"', source, re.MULTILINE))
    assert len(named) > 10
    assert named - set(_STEPS) == set()
