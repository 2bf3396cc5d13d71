"""The choice of weights and the model of evidence, checked with small examples."""

from __future__ import annotations

import json
import lzma
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from bench.recall.dialogues import score
from bench.recall.pool import Pool, Question, Span, Unit
from bench.recall.vectors import KeptVectors
from training.fit import evidence
from training.fit.evidence import (
    ALL,
    ASKED,
    FOREIGN,
    MODELS,
    WITHHELD,
    Asked,
    ask_all,
    drawn,
    fitted,
    logistic,
    silences,
)
from training.fit.ranking import GRID, PARTS, SetFigures, best, figure, figures_of, mean_figure, places
from training.fit.sets import load
from training.fit.stores import NAMES, Case, FitStore

from holdfast.core.cosine_scale import CosineScale
from holdfast.models.fake import FakeEmbedder
from holdfast.recall.weigh.context_words import session_scores

SCALE = CosineScale(0.0, 0.1)
SAID = (
    "Where did you put the ladder?",
    "Behind the shed.",
    "Lunch was good today.",
    "The train to Geneva leaves at nine.",
)


def talk(*texts: str) -> Pool:
    units = tuple(Unit(f"a#{place}", text, "a", "user") for place, text in enumerate(texts))
    asked = (Question("q", "where is the ladder", keys=("a#1",)), Question("r", "the train to Geneva", keys=("a#3",)))
    return Pool("talk", "talk", "said", units, asked, score)


def store(tmp_path: Path, pool: Pool) -> FitStore:
    return FitStore(pool, KeptVectors(tmp_path / "vectors.db", FakeEmbedder()), SCALE)


def _of(first: float, second: float, third: float, without_words: float = 0.0) -> SetFigures:
    """Figures of the first three weights of a choice, and of the first without words."""
    given = dict(zip(places(), (first, second, third), strict=False)) | {places("words")[0]: without_words}
    return SetFigures(tuple(given.get(place, 0.0) for place in range(len(GRID))), 0, 0)


def test_the_weights_of_a_set_are_chosen_without_it() -> None:
    sets = {"one": _of(0.9, 0.1, 0.0), "two": _of(0.2, 0.3, 0.1), "three": _of(0.3, 0.4, 0.2)}
    first, second, *_ = places()
    assert best(sets) == first
    assert best(sets, without="one") == second
    assert best(sets, without="two") == first


def test_of_equally_good_weights_the_first_is_chosen() -> None:
    assert best({"one": _of(0.1, 0.5, 0.5)}) == places()[1]


def test_weights_without_a_part_are_only_chosen_for_the_ablation() -> None:
    sets = {"one": _of(0.1, 0.2, 0.1, without_words=0.9)}
    assert best(sets) == places()[1]
    assert best(sets, part="words") == places("words")[0]
    for part, names in PARTS.items():
        assert all(not any(GRID[place][name] for name in names) for place in places(part))


def test_the_grid_has_a_weight_for_every_measure() -> None:
    assert all(
        tuple(weights) == ("meaning", "bm25", "share", "context", "session", "speaker", "reply") for weights in GRID
    )
    assert len({tuple(weights.values()) for weights in GRID}) == len(GRID)


def test_figures_count_the_first_answer_or_the_share_of_the_answers() -> None:
    assert figure([4, 7, 2], frozenset({7}), first=True) == 0.5
    assert figure([4, 7, 2], frozenset({7, 9}), first=False) == 0.5
    assert figure(list(range(20)), frozenset(range(20)), first=False) == 1.0


def test_candidates_are_ranked_by_their_weights() -> None:
    scaled = np.zeros((2, len(NAMES)))
    scaled[0, NAMES.index("meaning")], scaled[1, NAMES.index("bm25")] = 0.5, 0.9
    case = Case(np.array([10, 20]), scaled, np.zeros(2), np.zeros(2), frozenset({20}), np.arange(2))
    nothing = dict.fromkeys(NAMES, 0.0)
    assert mean_figure([case], {**nothing, "meaning": 1.0, "bm25": 0.1}, first=True) == 0.5
    assert mean_figure([case], {**nothing, "meaning": 1.0, "bm25": 1.0}, first=True) == 1.0


def test_sessions_are_scored_as_in_recall() -> None:
    chance = np.random.default_rng(3)
    scores, sessions = chance.random(40).round(1), chance.integers(0, 12, 40)
    nothing = np.zeros(40)
    case = Case(np.arange(40), np.zeros((40, len(NAMES))), nothing, nothing, frozenset(), sessions)
    assert case._by_session(scores).tolist() == session_scores(scores.tolist(), sessions.tolist())


def test_a_message_gets_context_from_the_one_before_it(tmp_path: Path) -> None:
    made = store(tmp_path, talk(*SAID))
    case = made.case("where is the ladder", frozenset({1}), made.near("where is the ladder"))
    context = dict(zip(case.rows.tolist(), case.scaled[:, NAMES.index("context")], strict=True))
    assert context[1] == pytest.approx(2 / 3)
    assert context[3] == 0


def test_a_unit_that_is_not_present_is_no_candidate_and_no_context(tmp_path: Path) -> None:
    made = store(tmp_path, talk(*SAID))
    present = np.array([False, True, True, True])
    case = made.case("where is the ladder", frozenset({1}), made.near("where is the ladder"), present)
    assert case.rows.tolist() == [1, 2, 3]
    assert not case.scaled[:, NAMES.index("context")].any()


def test_a_chunk_answers_if_it_overlaps_the_span(tmp_path: Path) -> None:
    units = (Unit("d@0", "one", "d", start=0, end=10), Unit("d@10", "two", "d", start=10, end=20))
    asked = Question("q", "two", spans=(Span("d", 12, 15),))
    assert store(tmp_path, Pool("md", "md", "markdown", units, (asked,), score)).right(asked) == {1}


def test_a_set_is_measured_with_all_weights_and_plain_hybrid(tmp_path: Path) -> None:
    vectors, pool = KeptVectors(tmp_path / "vectors.db", FakeEmbedder()), talk(*SAID)
    found = figures_of(pool, [FitStore(pool, vectors, SCALE)], vectors, GRID[0])
    assert len(found.grid) == len(GRID)
    assert found.shipped == found.grid[0] == 1.0
    assert found.hybrid == 1.0


@pytest.mark.parametrize("size", [1, 3, 10, 40, ALL])
def test_a_withheld_question_has_no_answer_left(size: int) -> None:
    right = frozenset({2, 3, 5, 8, 13})
    for seed in range(20):
        present = drawn(50, right, size, answered=False, chance=np.random.default_rng(seed))
        assert not right.intersection(np.flatnonzero(present).tolist())
        assert present.sum() == (size or 45)


@pytest.mark.parametrize(("size", "answers"), [(1, 1), (3, 1), (20, 2), (40, 3), (ALL, 3)])
def test_an_asked_question_has_up_to_three_answers(size: int, answers: int) -> None:
    right = frozenset({2, 3, 5, 8, 13})
    present = drawn(50, right, size, answered=True, chance=np.random.default_rng(0))
    assert len(right.intersection(np.flatnonzero(present).tolist())) == answers
    assert present.sum() == (size or 48)


def test_questions_are_asked_with_and_without_answer_and_to_another_set(tmp_path: Path) -> None:
    one, other = talk(*SAID), talk("Nothing about it.", "Yes.", "No.", "Perhaps.")
    stores = {"one": [store(tmp_path, one)], "other": [store(tmp_path, other)]}
    rows = ask_all(stores, dict.fromkeys(stores, GRID[0]))
    assert {(row.name, row.how) for row in rows} == {
        (name, how) for name in stores for how in (ASKED, WITHHELD, FOREIGN)
    }
    assert {row.size for row in rows} == {1, 3, ALL}
    assert not any(row.found for row in rows if row.how != ASKED)
    assert {row.model for row in rows if row.found} == {"near", "words"}


def test_hits_without_vectors_contain_a_word_of_the_query(tmp_path: Path) -> None:
    made = {"one": [store(tmp_path, talk(*SAID))], "other": [store(tmp_path, talk("Nothing about it."))]}
    rows = [row for row in ask_all(made, dict.fromkeys(made, GRID[0])) if row.model == "words"]
    assert {row.name for row in rows} == {"one"}
    assert all((row.signals[:, MODELS["words"].index("matched")] > 0).all() for row in rows)


def test_a_logistic_model_finds_the_one_that_made_the_data() -> None:
    chance = np.random.default_rng(0)
    signals = chance.normal(size=(20_000, 2))
    true = chance.random(20_000) < 1 / (1 + np.exp(-(signals @ [1.5, -0.5] - 1.0)))
    slope, bias = logistic(signals, true.astype(float), np.ones(20_000))
    assert slope == pytest.approx([1.5, -0.5], abs=0.1)
    assert bias == pytest.approx(-1.0, abs=0.1)


def asked(name: str, how: str, matched: Sequence[float], found: bool = False) -> Asked:
    return Asked("near", name, ALL, how, found, np.array([[0.0, share, 0.0, 0.0] for share in matched]))


def test_a_question_whose_answer_is_not_among_the_hits_teaches_nothing() -> None:
    rows = [asked("a", ASKED, [0.8], found=True), asked("a", WITHHELD, [0.2])]
    assert fitted([*rows, asked("a", ASKED, [0.1])]) == fitted(rows)


def test_recall_answers_if_one_of_the_hits_has_enough_evidence() -> None:
    model = {"near": 0.0, "matched": 10.0, "near above": 0.0, "matched above": 0.0, "bias": -5.0}
    rows = [
        asked("a", ASKED, [0.1, 0.9], found=True),
        asked("a", WITHHELD, [0.1, 0.2]),
        asked("a", WITHHELD, [0.9]),
        asked("a", FOREIGN, [0.1]),
    ]
    whole = silences(rows, {"a": model}, threshold=0.5)[-1]
    assert whole.size == ALL
    assert whole.shares == (0.0, 0.5, 1.0)


def test_each_set_is_judged_by_a_model_fitted_without_it() -> None:
    rows = [
        asked(name, how, [share], found=how == ASKED)
        for name, high, low in (("a", 0.9, 0.1), ("b", 0.1, 0.9))
        for how, share in ((ASKED, high), (WITHHELD, low))
    ]
    models = evidence.apart(rows)
    assert models["a"]["matched"] < 0 < models["b"]["matched"]


def test_additional_dialogues_are_one_set_per_source(tmp_path: Path) -> None:
    turns = [{"speaker": "User", "text": "I moved to Lyon."}, {"speaker": "Assistant", "text": "Congratulations!"}]
    lines = [
        {"id": "d1", "source": "somebody/Chats", "turns": turns},
        {"id": "d2", "source": "somebody/Forum", "turns": [{"speaker": "ann", "text": "Use fstab."}]},
        {"id": "d1-0", "dialogue": "d1", "question": "Where does the user live?", "evidence": [0]},
        {"id": "d2-0", "dialogue": "d2", "question": "What should one use?", "evidence": [0]},
    ]
    with lzma.open(tmp_path / "more.jsonl.xz", "wt", encoding="utf-8") as out:
        out.writelines(json.dumps(line) + "\n" for line in lines)
    sets = load(tmp_path, tmp_path / "more.jsonl.xz")
    assert list(sets) == ["Chats", "Forum"]
    assert [unit.full_text for unit in sets["Chats"].units] == [
        "user, 2024-01-01: I moved to Lyon.",
        "assistant, 2024-01-01: Congratulations!",
    ]
    assert sets["Forum"].units[0].text == "ann: Use fstab."
    assert sets["Chats"].stores[0].questions[0].keys == ("d1#0",)
