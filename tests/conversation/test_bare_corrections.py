"""Corrections that name only a new value, of what was said in an earlier session."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import holdfast
from holdfast.learn.changes.bare_corrections import bare_correction
from holdfast.workspace import Workspace


@pytest.fixture
def ws(tmp_path: Path) -> Iterator[Workspace]:
    with holdfast.open(db=":memory:", project=str(tmp_path), background=False, memory_files=False) as opened:
        yield opened


def said(ws: Workspace, *turns: str) -> tuple[list[str], list[str]]:
    """Consolidates a conversation; the texts that are believed then, and those that were replaced."""
    for turn in turns:
        role, text = turn.split(": ", 1)
        ws.session("later").say({"u": "user", "a": "assistant"}[role], text)
    ws.consolidate("later")
    memories = [memory for memory in ws.list(include_forgotten=True) if memory.type != "episode"]
    believed, replaced = ([m.content for m in memories if m.is_current is state] for state in (True, False))
    return believed, replaced


@pytest.mark.parametrize(
    ("known", "turns", "new"),
    [
        (
            "The sprint review takes place on Wednesday.",
            ("a: Shall I book the sprint review for Wednesday?", "u: No, Thursday."),
            "The sprint review takes place on Thursday.",
        ),
        (
            "Set the request timeout to 10 seconds.",
            ("a: The request timeout is 10 seconds at the moment.", "u: make that 20 seconds"),
            "Set the request timeout to 20 seconds.",
        ),
        (
            "The upload limit is 20 MB.",
            ("u: What's the upload limit again?", "a: It is 20 MB.", "u: not 20, 25"),
            "The upload limit is 25 MB.",
        ),
        (
            "My flight to Oslo leaves on Monday.",
            ("u: remind me to pack", "a: Sure, before your flight on Monday.", "u: Tuesday actually"),
            "My flight to Oslo leaves on Tuesday.",
        ),
        (
            "We use tabs for indentation.",
            ("a: I'll indent with tabs.", "u: no, spaces"),
            "We use spaces for indentation.",
        ),
        (
            "We deploy on Tuesdays.",
            ("a: I scheduled the deploy for Tuesday.", "u: no, Thursday"),
            "We deploy on Thursdays.",
        ),
        (
            "Le point hebdo a lieu le mardi.",
            ("a: Je mets le point hebdo mardi ?", "u: Non, jeudi."),
            "Le point hebdo a lieu le jeudi.",
        ),
        (
            "La limite d'envoi est de 20 Mo.",
            ("u: Quelle est la limite d'envoi ?", "a: 20 Mo.", "u: non, pas 20, 25"),
            "La limite d'envoi est de 25 Mo.",
        ),
    ],
)
def test_a_bare_value_replaces_the_value_of_an_earlier_memory(
    ws: Workspace, known: str, turns: tuple[str, ...], new: str
) -> None:
    ws.remember(known, source="observer_inferred")
    assert said(ws, *turns) == ([new], [known])


def test_two_memories_that_could_be_meant_are_kept_and_queued_for_review(ws: Workspace) -> None:
    known = [
        ws.remember(f"The {name} limit is 20 MB.", source="observer_inferred").memory for name in ("upload", "avatar")
    ]
    believed, replaced = said(ws, "a: The limit is 20 MB.", "u: make that 25 MB")
    assert replaced == []
    assert {memory.content for memory in known if memory} < set(believed)
    assert {memory.id for memory in known if memory} < {memory.id for memory in ws.list(needs_review=True)}


def test_a_value_after_words_about_something_else_replaces_nothing(ws: Workspace) -> None:
    ws.remember("The retry limit is 5.")
    believed, replaced = said(ws, "u: How many apples are in a kilo?", "a: About 5.", "u: no, 6")
    assert "The retry limit is 5." in believed
    assert replaced == []


def test_a_value_after_nothing_replaces_nothing(ws: Workspace) -> None:
    ws.remember("The sprint review takes place on Wednesday.")
    assert said(ws, "u: No, Thursday.") == (["The sprint review takes place on Wednesday."], [])


@pytest.mark.parametrize("text", ["the upload limit is 25 MB", "not sure, maybe later", "actually that works for me"])
def test_other_sentences_are_no_bare_corrections(text: str) -> None:
    assert bare_correction(text, False) is None
