"""Prompts about somebody's life get what is known of the person; prompts about software do not."""

from __future__ import annotations

import pytest

from holdfast import Workspace
from holdfast.inject.personal_prompts import is_personal, limits_choices

LIFE = [
    "suggest a dinner", "what could I cook tonight?", "recommend a restaurant", "gift idea for my daughter",
    "where should we go on holiday in May?", "propose-moi un dîner", "que faire ce week-end avec ma fille ?",
]  # fmt: skip
SOFTWARE = [
    "suggest a name for the dinner component",
    "plan the migration of the restaurant table",
    "what does the recipe parser do?",
    "recommend a library for dates",
    "which test fails on the weekend?",
    "add a dinner filter to src/menu.ts",
    "book",
    "yes, please do",
    "",
    "suggest a dinner " * 50,
]


@pytest.mark.parametrize("prompt", LIFE)
def test_prompts_about_life_are_recognised(prompt: str) -> None:
    assert is_personal(prompt)


@pytest.mark.parametrize("prompt", SOFTWARE)
def test_prompts_about_software_are_not(prompt: str) -> None:
    assert not is_personal(prompt)


def test_what_limits_a_choice() -> None:
    assert all(map(limits_choices, ["I'm vegetarian", "I don’t eat meat", "allergic to nuts", "Je suis végétarienne"]))
    assert not any(map(limits_choices, ["I live in Lyon", "I prefer tabs", "I eat early"]))


def test_a_prompt_about_life_gets_what_is_known_of_the_person(ws: Workspace) -> None:
    for text in ("I live in Lyon", "I'm vegetarian", "The staging server is in Lyon"):
        ws.remember(text)
    lines = ws.context("suggest a dinner").text
    assert lines.index("I'm vegetarian") < lines.index("I live in Lyon")
    assert "staging" not in lines
    assert ws.context("fix the failing build of the parser").text == ""
    assert ws.context("suggest a name for the dinner component").text == ""


def test_what_waits_for_review_or_was_forgotten_is_not_given(ws: Workspace) -> None:
    doubtful = ws.remember("I'm vegetarian", needs_review=True).memory
    gone = ws.remember("I'm allergic to peanuts").memory
    assert doubtful is not None
    assert gone is not None
    ws.forget(gone.id)
    assert ws.context("suggest a dinner").text == ""


def test_at_most_six_are_given(ws: Workspace) -> None:
    for thing in (
        "old jazz",
        "long hikes",
        "cold soups",
        "wooden boats",
        "red roses",
        "small dogs",
        "hot baths",
        "maps",
    ):
        ws.remember(f"I love {thing}", type="fact")
    assert ws.context("where should we go on holiday?").text.count("[Memory #") == 6
