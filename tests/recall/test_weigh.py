"""The weighted score, on cases worked out by hand."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.answer import Filters
from holdfast.core.cosine_scale import CosineScale, CosineScales
from holdfast.core.vector_size import VectorSize
from holdfast.recall.query.query_spelling import Wordings
from holdfast.recall.question import Embedded, Question, RecallCandidate
from holdfast.recall.weigh import measure_weights as table
from holdfast.recall.weigh.context_words import session_scores
from holdfast.recall.weigh.measure_weights import GROUPS, Weights, learned
from holdfast.recall.weigh.weighing import Weigh, weighed
from tests.recall.world import MODEL, SCALES, World
from tests.store.database import delete_bags

STATIC, SMALL = VectorSize.STATIC, VectorSize.SMALL
NOW = datetime(2024, 3, 13, 12, tzinfo=UTC)
DAY = timedelta(days=1)
FACTS = ("fact",) * 3
EVEN = Weights({kind: {"bm25": 1.0, "meaning": 1.0, "time": 1.0, "speaker": 1.0, "reply": 1.0} for kind in GROUPS})


def found(*passages: int) -> tuple[RecallCandidate, ...]:
    return tuple(RecallCandidate(passage, {}, {}) for passage in passages)


def question(text: str = "where is the kettle") -> Question:
    return Question(text, "p", Filters(), 8, NOW)


def array(*values: float) -> Any:
    return np.array(values, np.float32)


def scores(candidates: tuple[RecallCandidate, ...]) -> dict[int, float]:
    return {one.passage: round(one.score, 4) for one in candidates}


def test_measures_are_scaled_and_weighted() -> None:
    weights = Weights({"memory": {"bm25": 3.0, "meaning": 1.0}})
    measures = {"bm25": array(0, 1.1, 2.2), "meaning": array(8, -1, 4)}
    ranked = weighed(found(1, 2, 3), FACTS, measures, weights)
    # bm25 0, ½, 1; meaning 1, 0, ½
    assert scores(ranked) == {3: 0.875, 2: 0.375, 1: 0.25}
    assert [one.passage for one in ranked] == [3, 2, 1]
    assert ranked[0].all_factors() == {"bm25": 1.0, "meaning": pytest.approx(0.5)}
    assert [ranked[0].measure("bm25"), ranked[0].measure("meaning")] == pytest.approx([2.2, 4])


def test_a_passage_without_its_vector_is_judged_by_the_rest() -> None:
    measures = {"bm25": array(10, 0, 1.1), "meaning": array(np.nan, 0, 16)}
    ranked = weighed(found(1, 2, 3), FACTS, measures, EVEN)
    assert scores(ranked) == {1: 1.0, 3: 0.75, 2: 0.0}


def test_without_any_measure_the_score_is_zero() -> None:
    ranked = weighed(found(1, 2), FACTS[:2], {"meaning": array(np.nan, np.nan)}, EVEN)
    assert scores(ranked) == {1: 0.0, 2: 0.0}


def test_a_score_does_not_depend_on_the_other_candidates() -> None:
    alone = weighed(found(1), FACTS[:1], {"time": array(0.5), "bm25": array(1.1)}, EVEN)
    among = weighed(found(1, 2), FACTS[:2], {"time": array(0.5, 0.25), "bm25": array(1.1, 2.2)}, EVEN)
    assert scores(alone) == {1: 0.5}
    assert scores(among) == {1: 0.5, 2: 0.625}


def test_each_group_of_types_has_its_weights() -> None:
    weights = Weights({"memory": {"bm25": 1.0}, "code": {"meaning": 1.0}, "episode": {}, "document": {}})
    measures = {"bm25": array(2.2, 2.2, 0), "meaning": array(0, 8, 8)}
    ranked = weighed(found(1, 2, 3), ("gotcha", "code", "episode"), measures, weights)
    assert scores(ranked) == {1: 1.0, 2: 1.0, 3: 0.0}


def test_ties_are_ordered_by_passage() -> None:
    kinds, measures = ("fact",) * 4, {"bm25": array(1, 1, 1, 1)}
    ranked = weighed(found(5, 2, 9, 1), kinds, measures, EVEN)
    assert [one.passage for one in ranked] == [1, 2, 5, 9]
    assert [one.passage for one in weighed(found(1, 9, 2, 5), kinds, measures, EVEN)] == [1, 2, 5, 9]


numbers = st.floats(-10, 10, width=32) | st.just(float("nan"))
shares = st.floats(0, 1, width=32)


@given(st.lists(st.tuples(numbers, numbers, shares, st.sampled_from(("fact", "episode", "code"))), min_size=1))
def test_a_score_stays_between_zero_and_one(rows: list[tuple[float, float, float, str]]) -> None:
    columns = zip(*(row[:3] for row in rows), strict=True)
    measures = dict(zip(("bm25", "meaning", "time"), (array(*column) for column in columns), strict=True))
    ranked = weighed(found(*range(len(rows))), [row[3] for row in rows], measures, learned())
    assert all(0 <= one.score <= 1 + 1e-6 for one in ranked)
    assert sorted(one.passage for one in ranked) == list(range(len(rows)))
    assert [one.score for one in ranked] == sorted((one.score for one in ranked), reverse=True)


def test_the_learned_weights_cover_every_group_and_none_is_negative() -> None:
    assert set(learned().by_group) == set(GROUPS)
    assert all(weight >= 0 for kind in GROUPS for weight in learned().of(kind).values())
    assert learned().of("gotcha") == learned().of("memory")
    assert json.loads(Path(table._FILE).read_text())["weights"] == learned().by_group


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(tmp_path / "memory.db", NOW)
    yield made
    made.close()


def measured(
    world: World, text: str, *candidates: RecallCandidate, vector: tuple[float, ...] = (), **options: Any
) -> Any:
    """The measures of each candidate, by its text, the best first."""
    asked = Embedded(MODEL, array(*vector), SCALES) if vector else None
    ranked, _ = Weigh(world.reading, lambda _: asked, Wordings(world.reading).of, **options)(question(text), candidates)
    texts = {one.passage: one.row.searched.strip() for one in candidates if one.row}
    names = [one.measured.values if one.measured else () for one in ranked]
    return {texts[one.passage]: {name: one.measure(name) for name in of} for one, of in zip(ranked, names, strict=True)}


def test_words_are_measured_by_the_stored_bags(world: World) -> None:
    kettle, attic = world.put("The kettle whistles"), world.put("The attic creaks")
    told = measured(world, "where is the kettle", kettle, attic)
    assert told["The kettle whistles"]["share"] == pytest.approx(1)
    assert told["The attic creaks"]["share"] == 0
    assert list(told) == ["The kettle whistles", "The attic creaks"]


def test_without_a_bag_the_text_is_read(world: World) -> None:
    kettle, attic = world.put("The kettle whistles"), world.put("The attic creaks")
    before = measured(world, "where is the kettle", kettle, attic)
    delete_bags(world.store)
    assert measured(world, "where is the kettle", kettle, attic) == before


def test_meaning_is_the_cosine_and_missing_without_a_vector(world: World) -> None:
    near, far = world.put("Near", (0.8, 0.6)), world.put("Far", (0.0, 1.0))
    new = world.put("New")
    told = measured(world, "x", near, far, new, vector=(1.0, 0.0))
    assert told["Near"]["meaning"] == pytest.approx(0.8, abs=1e-3)
    assert told["Far"]["meaning"] == pytest.approx(0, abs=1e-3)
    assert np.isnan(told["New"]["meaning"])
    assert "meaning" not in measured(world, "x", near, far, new)["Near"]


def test_a_single_speaker_is_not_measured(world: World) -> None:
    mine = world.put("Mine", type="episode", session="s", source_role="user")
    note = world.put("Note")
    assert "speaker" not in measured(world, "what did I say", mine, note)["Mine"]


def test_the_user_is_preferred_in_chats_with_a_model(world: World) -> None:
    said = [world.put(f"Mine {n}", type="episode", session="s", source_role="user") for n in range(3)]
    replied = [
        world.put(f"Reply {n} " + "at length " * 9, type="episode", session="s", source_role="assistant")
        for n in range(3)
    ]
    plain = measured(world, "which film was it", *said, *replied)
    speakers = {text.split()[0]: told["speaker"] for text, told in plain.items()}
    assert speakers == {"Mine": 1, "Reply": 0}


def test_the_assistant_is_preferred_if_the_query_asks_for_its_words(world: World) -> None:
    mine = world.put("Mine", type="episode", session="s", source_role="user")
    reply = world.put("Reply", type="episode", session="s", source_role="assistant")
    turned = measured(world, "which film did you recommend", mine, reply)
    assert (turned["Mine"]["reply"], turned["Reply"]["reply"]) == (0, 1)
    assert "speaker" not in turned["Mine"]
    assert "speaker" not in measured(world, "which film was it", mine, reply)["Mine"]


def test_time_is_measured_if_the_query_names_one(world: World) -> None:
    then = world.put("Then", at=NOW - DAY)
    told_later = world.put("Told later", at=NOW, event_time=NOW - DAY)
    before = world.put("Before", at=NOW - 3 * DAY)
    told = measured(world, "what happened yesterday", then, told_later, before)
    assert [told[text]["time"] for text in ("Then", "Told later", "Before")] == [1, 1, 0.5]
    assert "time" not in measured(world, "what happened", then, before)["Then"]


def test_a_candidate_has_the_best_score_of_its_session() -> None:
    assert session_scores([0.9, 0.5, 0.4, 0.3], ["a", "a", "b", "a"]) == [0.9, 0.9, 0.4, 0.9]


def test_a_candidate_without_a_session_gets_the_mean_of_the_others() -> None:
    assert session_scores([0.8, 0.6, 0.4, 0.9], ["a", "a", "b", None]) == pytest.approx([0.8, 0.8, 0.4, 2 / 3])
    assert session_scores([0.8], [None]) == [0.0]


def test_messages_of_one_session_support_each_other(world: World) -> None:
    said = (("Kettle", "s"), ("Kettle tea", "s"), ("Attic", "t"))
    kettle, tea, attic = (
        world.put(text, type="episode", source_role="user", session=session) for text, session in said
    )
    told = measured(world, "kettle", kettle, tea, attic)
    assert told["Kettle"]["session"] == told["Kettle tea"]["session"] > told["Attic"]["session"]
    assert "session" not in measured(world, "kettle", kettle, tea)["Kettle"]


def test_measures_can_be_left_out(world: World) -> None:
    kettle, attic = world.put("Kettle"), world.put("Attic")
    assert set(measured(world, "kettle", kettle, attic, without=frozenset({"bm25"}))["Kettle"]) == {"share"}


def test_no_candidates_are_not_weighed(world: World) -> None:
    assert Weigh(world.reading, lambda _: None, Wordings(world.reading).of)(question(), ()) == ((), {})


def test_vectors_of_several_sizes_are_judged_by_their_own_scales(world: World) -> None:
    # Cosines with static vectors are higher, also between unrelated texts.
    scales = CosineScales(
        {(STATIC, STATIC): CosineScale(0.6, 0.1), (STATIC, SMALL): CosineScale(0.1, 0.1)},
        {(SMALL, SMALL): CosineScale(0.1, 0.1)},
    )
    asked = Embedded(MODEL, array(1, 0), scales, STATIC)
    static = world.put("Static", (0.8, 0.6), size=STATIC)
    small = world.put("Small", (0.6, 0.8), size=SMALL)
    found = Weigh(world.reading, lambda _: asked, Wordings(world.reading).of)(question("x"), (static, small))[0]
    assert [one.passage for one in found] == [small.passage, static.passage]
    assert [one.measure("meaning") for one in found] == [pytest.approx(5, abs=0.02), pytest.approx(2, abs=0.02)]


def test_only_unusual_sizes_are_read(world: World) -> None:
    small, none = world.put("Small", (0.6, 0.8), size=SMALL), world.put("None")
    passages = [small.passage, none.passage]
    assert world.reading.vector_sizes(MODEL, passages, SMALL) == {}
    static = world.put("Static", (0.8, 0.6), size=STATIC)
    assert world.reading.vector_sizes(MODEL, [*passages, static.passage], SMALL) == {static.passage: STATIC}
    assert world.reading.vector_sizes(MODEL, passages, STATIC) == {small.passage: SMALL}
    assert world.reading.vector_sizes("another", passages, SMALL) == {}
