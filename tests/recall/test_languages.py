"""Queries in French, Chinese and other languages, answered by words alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import holdfast
from holdfast.workspace import Workspace

SETS = Path(__file__).parents[2] / "bench" / "sets"


def kept(ws: Workspace, language: str) -> tuple[dict[str, str], list[Any]]:
    """Stores the memories of a set; returns their texts by id, and the queries of the set."""
    given = json.loads((SETS / f"{language}.json").read_text("utf-8"))
    ws.remember_all([holdfast.Candidate(memory["text"], type=memory["type"]) for memory in given["memories"]])
    return {memory["id"]: memory["text"] for memory in given["memories"]}, given["questions"]


@pytest.mark.integration
@pytest.mark.parametrize("language", ["french", "chinese"])
def test_four_of_five_questions_are_answered_by_words_alone(ws: Workspace, language: str) -> None:
    texts, questions = kept(ws, language)
    answered = 0
    for asked in questions:
        hits = ws.recall(asked["question"], limit=5, recipe="keyword", abstain=False).hits
        answered += texts[asked["answer"]] in [hit.text for hit in hits]
    assert answered >= 0.8 * len(questions)


@pytest.mark.parametrize("language", ["french", "chinese"])
def test_every_question_of_a_set_names_a_memory_of_it(language: str) -> None:
    given = json.loads((SETS / f"{language}.json").read_text("utf-8"))
    ids = [memory["id"] for memory in given["memories"]]
    assert len(ids) == len(set(ids)) >= 70
    assert {asked["answer"] for asked in given["questions"]} <= set(ids)


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Théo est allergique aux arachides", "a-t-il une allergie, et à quoi ?"),
        ("Les commentaires du code sont en anglais", "dans quelle langue commenter le code ?"),
        ("L'équipe déploie le mardi", "le déploiement de l'équipe, c'est quand ?"),
        ("Cafe\u0301 noir sans sucre", "du café ?"),
        ("Die Tür zum Gewächshaus klemmt", "Tür"),
        ("Die Tür zum Gewächshaus klemmt", "tur zum gewachshaus"),
        ("El jardín se riega los lunes", "jardin"),
        ("Ключ от сада лежит под камнем", "где ключ"),
        ("我的猫叫饼干", "猫"),
        ("我的猫叫饼干", "你的猫叫什么?"),
        ("使用Redis缓存会话", "Redis怎么用?"),
        ("庭の水やりは月曜日です", "水やりはいつ?"),
        ("정원 문은 항상 잠가 둔다", "정원"),
    ],
)
def test_a_word_is_found_whatever_the_language(ws: Workspace, text: str, asked: str) -> None:
    for decoy in ("The lamp in the hall needs a new bulb", "La lampe du couloir est cassée", "走廊的灯坏了"):
        ws.remember(decoy, type="fact")
    ws.remember(text, type="fact")
    hits = ws.recall(asked, recipe="keyword", abstain=False).hits
    assert [hit.text for hit in hits][:1] == [text]
