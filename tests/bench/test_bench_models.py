"""The benchmark of the embedding models, on a few texts and a model of random vectors."""

from __future__ import annotations

import contextlib
import gzip
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bench.evaluation_sets import part_of
from bench.models import pools, quality
from bench.models.variants import OLD_FOLDER, find_variants
from tests.models.own_files import write_model

from holdfast.bench import run

TURNS = ["The ferry leaves at nine.", "Miso is the cat.", "Juno is the horse.", "The crane loads at pier 7."]
TEST = next(f"d{n}" for n in range(100) if part_of(f"d{n}") == "test")
MEETING = next(f"m{n}" for n in range(100) if part_of(f"m{n}") == "test")
TRAINED = next(f"d{n}" for n in range(100) if part_of(f"d{n}") == "train")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data sets with four texts each, and a model without the size base."""
    folder = tmp_path_factory.mktemp("models")
    write_data(folder / "data")
    write_model(folder / "model")
    (folder / "model" / "base.onnx").unlink()
    return folder


@pytest.fixture(scope="module")
def told(folder: Path) -> Any:
    return _run(folder, "--data", str(folder / "data"))


def test_it_measures_recall_of_every_pair_of_installed_sizes(told: Any) -> None:
    recall = _section(told, "Recall@10 by vectors alone")
    names = {row["name"] for row in recall["rows"]}

    assert {f"{pair}, {name}" for pair in ("small/static", "static/small") for name in quality.COLUMNS} <= names
    assert all(row["p50"] == 1.0 for row in recall["rows"]), "every pool has fewer than ten passages"


def test_it_measures_speed_and_size_with_their_budgets(told: Any) -> None:
    rows = {row["name"]: row for section in told["sections"] for row in section["rows"]}

    assert rows["query to vector, static"]["budget"] == 0.3
    assert rows["the same, static, numpy imported before"]["budget"] == 15.0
    assert rows["texts, small"]["unit"] == "texts/s"
    assert rows["files of static"]["p50"] > 1
    assert [row["budget"] for row in _section(told, "Size")["rows"]][-1] == 40.0


def test_missing_models_are_named_in_the_table_and_the_notes(folder: Path, told: Any) -> None:
    assert any(note.startswith("old is not installed and was not measured") for note in told["notes"])
    assert any(note.startswith("base is not installed and was not measured") for note in told["notes"])

    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        run.main(["models", *_options(folder), "--data", str(folder / "absent")])
    assert "base (not installed)" in printed.getvalue()


def test_without_data_sets_speed_is_measured_all_the_same(folder: Path) -> None:
    told = _run(folder, "--data", str(folder / "absent"))

    assert [section["title"].split()[0] for section in told["sections"]] == ["Recall@10,", "Speed", "Size"]
    assert any("so recall was not measured" in note for note in told["notes"])


def test_a_run_without_full_keeps_the_answers_and_some_other_passages(folder: Path) -> None:
    full = {pool.set: pool for pool in pools.load(folder / "data", full=True)}
    some = {pool.set: pool for pool in pools.load(folder / "data", full=False)}

    assert set(full) == set(some) == set(pools.SETS.values())
    assert len(full[pools.CHATS].passages) == 4
    chosen = some[pools.CHATS]
    answers = [chosen.passages[row] for gold in chosen.gold for row in gold]
    assert (list(chosen.passages), answers) == ([f"user: {TURNS[0]}", f"user: {TURNS[1]}"], [f"user: {TURNS[1]}"])


def test_only_dialogues_of_the_test_part_are_searched(folder: Path) -> None:
    passages = {text for pool in pools.load(folder / "data", full=True) for text in pool.passages}

    assert "Ann: Miso is the cat." in passages
    assert not any("trained" in text for text in passages)


def test_recall_is_the_share_of_the_answers_in_the_first_ten() -> None:
    scores = np.array([np.arange(20.0), np.arange(20.0)], np.float32)

    assert quality.recall(scores, [frozenset({19, 3}), frozenset(range(5, 20))]) == [0.5, 1.0]


def test_differences_are_compared_with_their_budgets() -> None:
    old = dict.fromkeys(quality.COLUMNS, 0.5)
    small = {**old, quality.CONVERSATIONS: 0.56, "CoSQA": 0.47}

    section = quality.differences({"old/old": old, "small/small": small})

    assert [(row.name, row.holds) for row in section.rows] == [
        ("small, FriendsQA + QMSum", True),
        ("small, LongMemEval", True),
        ("small, CoSQA", False),
        ("small, markdown-qa", True),
    ]
    assert section.cells[3] == ("small, CoSQA", "-0.030", "≥ -0.020", "MISSED")


def test_the_old_model_embeds_from_a_folder_without_a_card(tmp_path: Path) -> None:
    if not OLD_FOLDER.is_dir():
        pytest.skip("the old model is not here")
    found, _ = find_variants(None, OLD_FOLDER, tmp_path)

    old = found["old"].open(1)

    assert old.id == "snowflake-arctic-embed-s-int8@f93ff2253206:384"
    assert float(np.asarray(old.embed_query("cat")) @ old.embed(["a cat"])[0]) > 0.6


def write_data(data: Path) -> None:
    """Each set has one question, which its second text answers."""
    asked = {"question": "Who is the cat?", "query": "Who is the cat?", "gold": 1, "evidence": [1]}
    dialogues = [
        {"id": TEST, "source": "friendsqa", "turns": _said(TURNS)},
        {"id": MEETING, "source": "qmsum", "turns": _said(TURNS)},
        {"id": TRAINED, "source": "friendsqa", "turns": _said(["trained on"])},
    ]
    _write(data / "dialogue-qa" / "dialogues.jsonl.gz", dialogues)
    questions = [{**asked, "dialogue": dialogue["id"]} for dialogue in dialogues[:2]]
    _write(data / "dialogue-qa" / "questions.jsonl.gz", questions)
    turns = [{"role": "user", "content": text, "has_answer": n == 1} for n, text in enumerate(TURNS)]
    _write(data / "longmemeval" / "sessions.jsonl.gz", [{"session_id": "s", "turns": turns}])
    of_chats = {**asked, "question_id": "q", "answer_session_ids": ["s"]}
    _write(data / "longmemeval" / "questions.jsonl.gz", [of_chats])
    _write(data / "code-search" / "functions.jsonl.gz", [{"code": text} for text in TURNS])
    _write(data / "code-search" / "queries.jsonl.gz", [asked])
    _write(data / "markdown-qa" / "corpora.jsonl.gz", [{"corpus_id": "c", "text": "\n".join(TURNS)}])
    references = json.dumps([{"start_index": 26, "end_index": 40}])
    _write(data / "markdown-qa" / "questions.jsonl.gz", [{**asked, "corpus_id": "c", "references": references}])


def _said(texts: list[str]) -> list[dict[str, str]]:
    return [{"speaker": "Ann", "text": text} for text in texts]


def _write(file: Path, rows: list[Any]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(file, "wt", encoding="utf-8") as opened:
        opened.writelines(json.dumps(row) + "\n" for row in rows)


def _options(folder: Path) -> list[str]:
    places = {"--model": "model", "--old-model": "absent", "--folder": "kept"}
    return [*(word for name, place in places.items() for word in (name, str(folder / place))), "--repeat", "1"]


def _run(folder: Path, *more: str) -> Any:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        run.main(["models", *_options(folder), *more, "--json"])
    return json.loads(printed.getvalue())


def _section(told: Any, title: str) -> Any:
    return next(section for section in told["sections"] if section["title"].startswith(title))
