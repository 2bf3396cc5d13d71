"""The conversation that leads comes along."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import holdfast
from holdfast import Workspace
from holdfast.core.answer import Hit, Why
from holdfast.recall.adjacent_turns import with_adjacent_turns

START = datetime(2026, 3, 1, 9, tzinfo=UTC)


@pytest.fixture
def ws(tmp_path: Path, project: Path) -> Workspace:
    workspace = holdfast.open(db=str(tmp_path / "m.db"), project=str(project), background=False, embedder="none")
    for name, turns in {
        "rules": ("Round half up", "Per line", "Never per invoice"),
        "other": ("Paint it red",),
    }.items():
        for place, text in enumerate(turns):
            when = START + timedelta(minutes=2 * place)
            workspace.session(name).say("user", text, when)
            workspace.session(name).say("assistant", f"Understood: {text}", when + timedelta(minutes=1))
    return workspace


def hit(ws: Workspace, text: str, score: float) -> Hit:
    [memory] = [m for m in ws.list(types=("episode",)) if m.content == text]
    return Hit(memory, text, score, Why({"words": 1}, {}))


def test_what_else_the_user_said_follows_the_best_hit(ws: Workspace) -> None:
    hits = (hit(ws, "Per line", 0.9), hit(ws, "Understood: Paint it red", 0.3))
    texts = [one.text for one in with_adjacent_turns(hits, ws.container.reading, ws.project)]
    assert texts == ["Per line", "Round half up", "Never per invoice", "Understood: Paint it red"]


def test_a_second_conversation_comes_along_when_it_is_close(ws: Workspace) -> None:
    hits = (hit(ws, "Per line", 0.9), hit(ws, "Understood: Paint it red", 0.8))
    texts = [one.text for one in with_adjacent_turns(hits, ws.container.reading, ws.project)]
    assert "Paint it red" in texts


def test_nothing_is_told_twice(ws: Workspace) -> None:
    hits = (hit(ws, "Per line", 0.9), hit(ws, "Round half up", 0.85))
    texts = [one.text for one in with_adjacent_turns(hits, ws.container.reading, ws.project)]
    assert sorted(texts) == ["Never per invoice", "Per line", "Round half up"]


def test_what_was_forgotten_does_not_come_along(ws: Workspace) -> None:
    ws.forget(hit(ws, "Never per invoice", 0.5).id)
    texts = [one.text for one in with_adjacent_turns((hit(ws, "Per line", 0.9),), ws.container.reading, ws.project)]
    assert texts == ["Per line", "Round half up"]
    assert "Never per invoice" not in ws.context("how do we round per line?").text


def test_a_memory_that_leads_brings_no_conversation(ws: Workspace) -> None:
    kept = ws.remember("Invoices are rounded half up").memory
    assert kept is not None
    hits = (Hit(kept, kept.content, 0.9, Why({"words": 1}, {})), hit(ws, "Per line", 0.85))
    assert with_adjacent_turns(hits, ws.container.reading, ws.project) == hits


def test_a_pack_tells_a_conversation_in_its_order(ws: Workspace) -> None:
    pack = ws.context("how do we round per line?")
    places = [pack.text.find(text) for text in ("Round half up", "Per line", "Never per invoice")]
    assert -1 not in places
    assert places == sorted(places)
