"""A workspace that was closed refuses every operation and says what to do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import holdfast
from holdfast import StoreClosed, Workspace


@pytest.mark.parametrize(
    "act",
    [
        lambda ws: ws.remember("Tides turn twice a day."),
        lambda ws: ws.recall("when do tides turn?"),
        lambda ws: ws.context("when do tides turn?"),
        lambda ws: ws.list(),
        lambda ws: ws.stats(),
        lambda ws: ws.index(),
        lambda ws: ws.session("s1").say("user", "When do tides turn?"),
    ],
)
def test_a_closed_workspace_refuses(tmp_path: Path, act: Callable[[Workspace], object]) -> None:
    (tmp_path / "reef").mkdir()
    ws = holdfast.open(db=str(tmp_path / "a.db"), project=str(tmp_path / "reef"), embedder="none", background=False)
    ws.remember("Gulls nest on the north cliff.")
    ws.close()
    with pytest.raises(StoreClosed, match=r"The workspace is closed: .*a\.db\. Open it again with `holdfast.open\(\)`"):
        act(ws)


def test_a_session_of_a_closed_workspace_refuses_and_stores_nothing(tmp_path: Path) -> None:
    (tmp_path / "reef").mkdir()
    db, project = str(tmp_path / "a.db"), str(tmp_path / "reef")
    with holdfast.open(db=db, project=project, embedder="none", background=False) as ws:
        session = ws.session("s1")
        session.say("user", "When do tides turn?")
    with pytest.raises(StoreClosed):
        session.say("user", "And gulls?")
    with holdfast.open(db=db, project=project, embedder="none", background=False) as again:
        assert [message.text for message in again.session("s1").messages()] == ["When do tides turn?"]


def test_closing_twice_does_nothing() -> None:
    ws = holdfast.open(db=":memory:", embedder="none")
    ws.close()
    ws.close()
