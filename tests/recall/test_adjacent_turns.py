"""The user's other messages of the leading conversations are added."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import holdfast
from holdfast import Workspace
from holdfast.core.answer import Hit, Why
from holdfast.recall.search.adjacent_turns import with_adjacent_turns

START = datetime(2026, 3, 1, 9, tzinfo=UTC)


@pytest.fixture
def ws(tmp_path: Path, project: Path) -> Iterator[Workspace]:
    workspace = holdfast.open(db=str(tmp_path / "m.db"), project=str(project), background=False, embedder="none")
    for name, turns in {
        "rules": ("Round half up", "Per line", "Never per invoice"),
        "other": ("Paint it red",),
    }.items():
        for place, text in enumerate(turns):
            when = START + timedelta(minutes=2 * place)
            workspace.session(name).say("user", text, when)
            workspace.session(name).say("assistant", f"Understood: {text}", when + timedelta(minutes=1))
    yield workspace
    workspace.close()


def hit(ws: Workspace, text: str, score: float) -> Hit:
    [memory] = [m for m in ws.list(types=("episode",)) if m.content == text]
    return Hit(memory, text, score, Why({"words": 1}, {}))


def test_the_users_other_messages_follow_the_best_hit(ws: Workspace) -> None:
    hits = (hit(ws, "Per line", 0.9), hit(ws, "Understood: Paint it red", 0.3))
    texts = [one.text for one in with_adjacent_turns(hits, ws.container.reading, ws.project)]
    assert texts == ["Per line", "Round half up", "Never per invoice", "Understood: Paint it red"]


def test_a_second_conversation_is_completed_when_its_score_is_close(ws: Workspace) -> None:
    hits = (hit(ws, "Per line", 0.9), hit(ws, "Understood: Paint it red", 0.8))
    texts = [one.text for one in with_adjacent_turns(hits, ws.container.reading, ws.project)]
    assert "Paint it red" in texts


def test_no_message_is_returned_twice(ws: Workspace) -> None:
    hits = (hit(ws, "Per line", 0.9), hit(ws, "Round half up", 0.85))
    texts = [one.text for one in with_adjacent_turns(hits, ws.container.reading, ws.project)]
    assert sorted(texts) == ["Never per invoice", "Per line", "Round half up"]


def test_forgotten_messages_are_not_added(ws: Workspace) -> None:
    ws.forget(hit(ws, "Never per invoice", 0.5).id)
    texts = [one.text for one in with_adjacent_turns((hit(ws, "Per line", 0.9),), ws.container.reading, ws.project)]
    assert texts == ["Per line", "Round half up"]
    ws.forget(hit(ws, "Understood: Never per invoice", 0.5).id)
    assert "Never per invoice" not in ws.context("how do we round per line?").text


def test_no_messages_are_added_when_a_memory_ranks_first(ws: Workspace) -> None:
    kept = ws.remember("Invoices are rounded half up").memory
    assert kept is not None
    hits = (Hit(kept, kept.content, 0.9, Why({"words": 1}, {})), hit(ws, "Per line", 0.85))
    assert with_adjacent_turns(hits, ws.container.reading, ws.project) == hits


def test_a_pack_shows_a_conversation_in_order_of_time(ws: Workspace) -> None:
    pack = ws.context("how do we round per line?")
    places = [pack.text.find(text) for text in ("Round half up", "Per line", "Never per invoice")]
    assert -1 not in places
    assert places == sorted(places)


def test_where_an_agent_works_only_meaningful_messages_near_the_hit_are_added(ws: Workspace) -> None:
    turns = (
        "Move the harbour office to the pier first",
        "yes please",
        "Paint the second buoy red and white",
        "The third buoy keeps its old yellow paint",
        "8",
        "Round the invoices of the harbour half up",
        "Now order new ropes for the ferry",
    )
    for place, text in enumerate(turns):
        ws.session("work").say("user", text, START + timedelta(hours=place))
        ws.session("work").say("assistant", f"Done {place}", START + timedelta(hours=place, minutes=1), ["Edit"])
    best = hit(ws, turns[3], 0.9)
    texts = [one.text for one in with_adjacent_turns((best,), ws.container.reading, ws.project)]
    assert texts == [turns[3], turns[2], turns[5]]
