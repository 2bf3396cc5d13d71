"""Settings reach the code that they change."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

import pytest

import holdfast
from holdfast.core.clock import FixedClock, SystemClock
from holdfast.core.settings import Settings
from holdfast.documents.document_reasons import DocumentCode
from holdfast.models.choice import choose_embedder
from holdfast.workspace import Workspace
from tests.conversation.talk import HELLO, MORNING, chatter, talk
from tests.models.foreign_files import NAME, write_foreign

Opened = Callable[..., Workspace]


@pytest.fixture
def opened(tmp_path: Path, project: Path) -> Opened:
    return lambda **settings: holdfast.open(db=str(tmp_path / "m.db"), project=str(project), **settings)


def test_no_step_limit_is_above_max_steps(opened: Opened) -> None:
    with opened(max_steps=150) as ws:
        ws.record_outcome(True, {"spec": "1"}, 5, 9, modules=["src"])
        assert ws.step_limit(100, "src") == 150


def test_files_above_index_max_bytes_are_not_indexed(opened: Opened, project: Path) -> None:
    (project / "big.md").write_text("# Big\n\n" + "Tides turn. " * 50)
    (project / "small.md").write_text("# Small\n\nTides turn.")
    with opened(index_max_bytes=200) as ws:
        report = ws.index(code=False)
        assert [(problem.path, problem.reason.code) for problem in report.problems] == [
            ("big.md", DocumentCode.TOO_LARGE)
        ]
        assert [document.path for document in ws.documents()] == ["small.md"]


def test_a_prompt_holds_memory_window_messages_and_keeps_the_last_25_of_them(opened: Opened) -> None:
    with opened(memory_window=30, background=False) as ws:
        ids = talk(ws, "s", *HELLO, *chatter(15))
        assert ws.container.window.overflowing() == ()
        ids += talk(ws, "s", *chatter(1, 15))
        ws.upkeep("consolidate")
        assert [message.id for message in ws.session("s").window()] == ids[-25:]


def test_a_session_is_due_after_idle_minutes(opened: Opened) -> None:
    clock = FixedClock(MORNING)
    with opened(idle_minutes=5, clock=cast(SystemClock, clock), background=False) as ws:
        talk(ws, "s", *HELLO)
        clock.advance(timedelta(minutes=8).total_seconds())
        assert ws.container.window.due() == ()
        clock.advance(timedelta(minutes=2).total_seconds())
        assert ws.container.window.due() == ("s",)


def test_pulled_models_are_in_models_folder(opened: Opened, tmp_path: Path) -> None:
    write_foreign(tmp_path / "models" / NAME.replace("/", "--"))
    with opened(models_folder=str(tmp_path / "models")) as ws:
        assert NAME in {model.name for model in ws.models()}


def test_an_embedder_uses_embed_threads(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"embedder": str(write_foreign(tmp_path / "m")), "embed_threads": 3}
    embedder: Any = choose_embedder(Settings(**settings), tmp_path)
    assert embedder._threads == 3
