"""A newer statement ranks above the older one that it replaces, right after it was said."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

import holdfast


def first(ws: holdfast.Workspace, query: str) -> str:
    return ws.recall(query, abstain=False, count=False).hits[0].text


def steps(ws: holdfast.Workspace, query: str) -> dict[str, Mapping[str, Any]]:
    """What each step notes about a query."""
    return {step.step: step.notes for step in ws.recall(query, abstain=False, count=False).trace.steps}


@pytest.mark.parametrize(
    ("said", "query", "newest"),
    [
        (("We deploy on Tuesdays.", "From now on we deploy on Thursdays instead of Tuesdays."), "We deploy on", 1),
        (("The upload limit is 20 MB.", "No, the upload limit is 25 MB, not 20 MB."), "The upload limit is 20", 1),
        (("Dinner with Mia is on Friday at 7 pm.", "no, 8 pm"), "Dinner with Mia on Friday at 7 pm", 1),
        (("On déploie le mardi.", "Désormais on déploie le jeudi au lieu du mardi."), "On déploie le mardi", 1),
        (("The API listens on port 8080.", "The API exposes metrics on port 9090."), "The API listens on port", 0),
        (("Tier 1 tickets take 4 hours.", "Tier 2 tickets take 24 hours."), "Tier 1 tickets", 0),
    ],
)
def test_the_newer_statement_is_first(ws: holdfast.Workspace, said: tuple[str, str], query: str, newest: int) -> None:
    session = ws.session("s")
    for text in said:
        session.say("user", text)
        session.say("assistant", "Noted.")
    assert first(ws, query) == said[newest]


def test_an_assistant_and_a_query_about_the_past_change_nothing(ws: holdfast.Workspace) -> None:
    session = ws.session("s")
    session.say("user", "The upload limit is 20 MB.")
    session.say("assistant", "From now on the upload limit is 25 MB instead of 20 MB.")
    assert steps(ws, "The upload limit is 20 MB")["replaced"] == {"moved": 0}
    session.say("user", "From now on the upload limit is 25 MB instead of 20 MB.")
    assert "skipped" in steps(ws, "What was the upload limit originally?")["replaced"]


def test_the_trace_says_how_many_moved(ws: holdfast.Workspace) -> None:
    session = ws.session("s")
    session.say("user", "Dinner with Mia is on Friday at 7 pm.")
    session.say("user", "no, 8 pm")
    assert steps(ws, "Dinner with Mia on Friday at 7 pm")["replaced"] == {"moved": 1}
