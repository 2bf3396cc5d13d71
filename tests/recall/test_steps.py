"""Fusion, scoring and the cap, on cases worked out by hand."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from holdfast.core.answer import Filters
from holdfast.core.clock import stamp
from holdfast.core.decay import current_confidence
from holdfast.core.errors import InvalidInput
from holdfast.core.memory import PHASES
from holdfast.recall.pack import BUDGETS
from holdfast.recall.paths import RRF_WEIGHTS, QueryType
from holdfast.recall.question import Question, RecallCandidate
from holdfast.recall.recipes import RECIPES, named
from holdfast.recall.steps import Cap, Fuse, Score
from holdfast.store.reading import Factors

NOW = datetime(2025, 6, 1, tzinfo=UTC)
DAY = timedelta(days=1)


def question(text: str = "where is the kettle", **fields: Any) -> Question:
    return Question(text, "p", Filters(**fields.pop("filters", {})), 8, NOW, **fields)


def factors(**fields: Any) -> Factors:
    usual = {
        "passage": 1, "id": "mem_1", "type": "fact", "source": "user_taught", "confidence": 1.0, "created_at": NOW,
        "event_time": None, "last_accessed_at": None, "access_count": 0, "session": None, "role": None,
        "half_life_days": None, "pinned": False, "verified": False, "anchored": "[]", "searched": "",
    }  # fmt: skip
    given: dict[str, Any] = {**usual, **fields}
    stamps = {"created": "created_at", "event": "event_time", "accessed": "last_accessed_at"}
    told: dict[str, Any] = {name: given.pop(field) for name, field in stamps.items()}
    given |= {name: at and stamp(at) for name, at in told.items()}
    return Factors(**given)


def scored(of: Factors, asked: Question, relevance: float = 1.0) -> RecallCandidate:
    step = Score()
    return step(asked, (RecallCandidate(1, {"words": 1}, {}, relevance, row=of),))[0][0]


def test_fusion_weighs_paths_by_query_type() -> None:
    both = RecallCandidate(1, {"words": 1, "meaning": 3}, {}, row=factors())
    near = RecallCandidate(2, {"meaning": 1}, {}, row=factors())
    (first, second), notes = Fuse()(question(), (near, both))
    # (0.25/61 + 0.5/63) / (0.75/61) and (0.5/61) / (0.75/61)
    assert first.passage == 1
    assert first.score == pytest.approx(0.978836, abs=1e-6)
    assert second.passage == 2
    assert second.score == pytest.approx(2 / 3)
    assert notes == {"query type": "semantic"}


def test_rank_one_on_every_path_scores_one() -> None:
    (best,), _ = Fuse()(question(), (RecallCandidate(1, {"words": 1, "meaning": 1}, {}, row=factors()),))
    assert best.score == pytest.approx(1)
    (alone,), _ = Fuse()(question(), (RecallCandidate(1, {"words": 1}, {}, row=factors()),))
    assert alone.score == pytest.approx(1)
    (plain,), _ = Fuse()(question(), (RecallCandidate(1, {"substring": 1}, {}, row=factors()),))
    assert plain.score == pytest.approx(1)


def test_a_passage_without_a_vector_yet_does_not_lose() -> None:
    old = RecallCandidate(1, {"words": 2, "meaning": 1}, {}, row=factors())
    new = RecallCandidate(2, {"words": 1}, {}, row=factors(), lacks_vector=True)
    (first, second), _ = Fuse()(question(), (old, new))
    # new: (0.25/61 + 0.5/61) / (0.75/61); old: (0.25/62 + 0.5/61) / (0.75/61)
    assert first.passage == 2
    assert first.score == pytest.approx(1)
    assert second.passage == 1
    assert second.score == pytest.approx(0.994624, abs=1e-6)


@pytest.mark.parametrize(
    ("text", "recent", "kind"),
    [
        ("where is the kettle", (), QueryType.SEMANTIC),
        ("getUserName", (), QueryType.IDENTIFIER),
        ("max_page_count", (), QueryType.IDENTIFIER),
        ("src/store", (), QueryType.IDENTIFIER),
        ("database.py", (), QueryType.IDENTIFIER),
        ("call f()", (), QueryType.IDENTIFIER),
        ("std::move", (), QueryType.IDENTIFIER),
        ("what depends on it", ("analyze_impact",), QueryType.STRUCTURAL),
    ],
)
def test_the_query_type(text: str, recent: tuple[str, ...], kind: QueryType) -> None:
    asked = question(text, recent=recent)
    assert asked.query_type == kind
    assert sum(RRF_WEIGHTS[kind].values()) == pytest.approx(1)


def test_the_rrf_formula() -> None:
    of = factors(
        source="agent_explicit", confidence=0.8, half_life_days=60, last_accessed_at=NOW - 30 * DAY, access_count=9,
        created_at=NOW - 500 * DAY,
    )  # fmt: skip
    found = scored(of, question())
    # (0.6 + 0.25·e^-1 + 0.15·ln 10/ln 101) × 1.2/1.4 × 0.8·√½
    assert found.score == pytest.approx(0.371805, abs=1e-6)
    assert found.factors == {
        "relevance": 1.0,
        "recency": pytest.approx(0.367879, abs=1e-6),
        "frequency": pytest.approx(0.498922, abs=1e-6),
        "phase": 1.0,
        "trust": pytest.approx(0.857143, abs=1e-6),
        "confidence": pytest.approx(0.565685, abs=1e-6),
    }


def test_the_phase_raises_its_types() -> None:
    gotcha, recipe = factors(type="gotcha"), factors(type="workflow_recipe")
    asked = question(phase="implement")
    assert scored(gotcha, asked).factors["phase"] == pytest.approx(1)
    assert scored(recipe, asked).factors["phase"] == pytest.approx(1 / 1.4)
    assert scored(recipe, question(phase="define")).factors["phase"] == pytest.approx(1)


@pytest.mark.parametrize("of", [factors(access_count=10**9), factors(created_at=NOW + 9 * DAY), factors()])
@pytest.mark.parametrize("phase", [None, *PHASES])
def test_a_score_stays_between_zero_and_one(of: Factors, phase: str | None) -> None:
    assert 0 <= scored(of, question(phase=phase)).score <= 1


def test_pinned_and_verified_do_not_decay() -> None:
    old = factors(half_life_days=1, created_at=NOW - 10 * DAY)
    assert scored(old, question()).factors["confidence"] == pytest.approx(0.5**10)
    assert scored(old._replace(pinned=True), question()).factors["confidence"] == 1
    assert scored(old._replace(verified=True), question()).factors["confidence"] == 1


def test_confidence_decays_by_its_half_life() -> None:
    assert current_confidence(0.8, 10, NOW - 10 * DAY, NOW) == pytest.approx(0.4)
    assert current_confidence(0.8, 10, NOW + DAY, NOW) == 0.8
    assert current_confidence(0.8, None, NOW - 10 * DAY, NOW) == 0.8
    assert current_confidence(0.8, 10, NOW - 10 * DAY, NOW, protected=True) == 0.8


def test_the_cap_limits_messages_per_session() -> None:
    said = tuple(RecallCandidate(n, {}, {}, row=factors(type="episode", session="s")) for n in range(5))
    others = (
        RecallCandidate(5, {}, {}, row=factors(type="episode", session="t")),
        RecallCandidate(6, {}, {}, row=factors(type="episode")),
        RecallCandidate(7, {}, {}, row=factors(session="s")),
    )
    kept, notes = Cap(2)(question(), (*said, *others))
    assert [found.passage for found in kept] == [0, 1, 5, 6, 7]
    assert notes == {"dropped": 3}
    assert Cap(0)(question(), said)[0] == said
    assert Cap(2)(question(filters={"session": "s"}), said)[0] == said


def test_recipes_and_tables_are_consistent() -> None:
    for recipe in RECIPES.values():
        assert recipe.relevance + recipe.recency + recipe.frequency == pytest.approx(1)
    rrf = RECIPES["rrf"]
    assert (rrf.words, rrf.meaning, rrf.relevance, rrf.recency, rrf.frequency) == (20, 30, 0.6, 0.25, 0.15)
    assert set(BUDGETS) == set(PHASES)
    with pytest.raises(InvalidInput, match="recipe 'soup'"):
        named("soup")
