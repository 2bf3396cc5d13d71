"""The questions that a memory answers: searched beside its text, never shown as it."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

import pytest

import holdfast
from holdfast import InvalidFile, InvalidMemory, Memory, Workspace

TEXT = "Relevance judgments are collected by a panel of 14 librarians."
ASKED = "Who decides whether results are good?"
SYMPTOM = "Two people rate the same page differently, whom do I ask?"
KEY = "AKIAIOSFODNN7KLMNPQR"


def remember(ws: Workspace, *questions: str, text: str = TEXT) -> Memory:
    memory = ws.remember(text, type="fact", questions=questions).memory
    assert memory is not None
    return memory


def found(ws: Workspace, query: str) -> list[str]:
    return [hit.text for hit in ws.recall(query).hits]


def test_a_memory_is_found_by_a_question_that_shares_no_word_with_its_text(ws: Workspace) -> None:
    for text in ("The lighthouse is painted in May.", "Ferries leave every forty minutes.", "The pump runs at night."):
        ws.remember(text, type="fact")
    remember(ws)
    assert found(ws, "who says which results are good?") == []
    ws.remember(TEXT, type="fact", questions=[ASKED])
    assert found(ws, "who says which results are good?")[0] == TEXT


def test_the_vectors_of_questions_find_it_too(ws: Workspace) -> None:
    for n in range(40):
        ws.remember(f"Ferry {n} leaves at {n} minutes past the hour.", type="fact")
    remember(ws, ASKED, SYMPTOM)
    ws.upkeep("embed")
    reading, models = ws.container.store.reading, ws.container.models
    assert models.embedder is not None
    vector = models.embedder.embed([ASKED])[0]
    [(passage, cosine), *_] = reading.find_near(ws.project, models.embedder.id, vector, holdfast.Filters(), 5)
    [(own, _)] = list(reading.hydrate([passage]).values())
    assert getattr(own, "content", "") == TEXT
    assert reading.similar(models.embedder.id, vector, [passage])[passage] == cosine


def test_questions_are_not_shown_as_the_text(ws: Workspace) -> None:
    memory = remember(ws, ASKED)
    assert (memory.content, memory.questions) == (TEXT, (ASKED,))
    assert ASKED not in ws.recall(ASKED).hits[0].text
    assert ASKED not in ws.context(ASKED).text


@pytest.mark.parametrize("wrong", [("a?", "b?", "c?", "d?", "e?"), ("x" * 201,), (" ",), ("two\nlines",)])
def test_questions_are_few_and_short(ws: Workspace, wrong: tuple[str, ...]) -> None:
    with pytest.raises(InvalidMemory, match="questions"):
        remember(ws, *wrong)
    assert ws.list() == ()


def test_one_text_is_one_question(ws: Workspace) -> None:
    memory = ws.remember(TEXT, questions=ASKED).memory
    assert memory is not None
    assert memory.questions == (ASKED,)


def test_secrets_are_removed_from_questions(ws: Workspace) -> None:
    memory = remember(ws, f"Why does {KEY} not work?")
    assert KEY not in memory.questions[0]
    assert memory.redacted


def test_the_same_text_again_adds_its_questions(ws: Workspace) -> None:
    memory = remember(ws, ASKED)
    remember(ws, SYMPTOM, ASKED, "a?", "b?")
    assert ws.get(memory.id).questions == (ASKED, SYMPTOM, "a?", "b?")


def test_a_correction_and_another_type_keep_them(ws: Workspace) -> None:
    memory = remember(ws, ASKED)
    corrected = ws.correct(memory.id, "Relevance judgments are collected by a panel of 20 librarians.", how="outdated")
    assert corrected.memory is not None
    assert corrected.memory.questions == (ASKED,)


def test_an_export_brings_them_back_byte_for_byte(ws: Workspace, tmp_path: Path) -> None:
    remember(ws, ASKED, SYMPTOM)
    exported = ws.export("json")
    (tmp_path / "other").mkdir()
    with holdfast.open(db=str(tmp_path / "other.db"), project=str(tmp_path / "other")) as other:
        other.import_(exported)
        assert other.list()[0].questions == (ASKED, SYMPTOM)
        assert found(other, ASKED)[0] == TEXT
        first = other.export("json")
        other.import_(first)
        # The time of the export stands before the memories.
        assert other.export("json").partition('"memories"')[2] == first.partition('"memories"')[2]


def test_a_forged_export_cannot_bring_in_more(ws: Workspace) -> None:
    remember(ws, ASKED)
    with pytest.raises(InvalidFile, match="questions"):
        ws.import_(ws.export("json").replace(ASKED, "x" * 201))


def test_erasing_a_memory_erases_them(ws: Workspace) -> None:
    memory = remember(ws, "Is the xylophone in tune?")
    ws.upkeep("embed")
    ws.erase(memory.id)
    assert ws.get(memory.id).questions == ()
    assert found(ws, "Is the xylophone in tune?") == []
    with contextlib.closing(sqlite3.connect(ws.db)) as connection:
        assert connection.execute("select count(*) from sentences").fetchone() == (0,)
    assert b"xylophone" not in Path(ws.db).read_bytes()


def test_the_background_and_doctor_know_them(ws: Workspace) -> None:
    ws.remember_all([holdfast.Candidate(TEXT, questions=(ASKED,)), holdfast.Candidate("The pump runs at night.")])
    ws.upkeep("embed")
    with contextlib.closing(sqlite3.connect(ws.db)) as connection:
        assert connection.execute("select count(*) from sentences where vectors is not null").fetchone() == (1,)
        with connection:
            connection.execute("delete from sentences")
    ws.container.store.health.repair()
    ws.upkeep("embed")
    with contextlib.closing(sqlite3.connect(ws.db)) as connection:
        assert connection.execute("select count(*) from sentences where vectors is not null").fetchone() == (1,)
