"""A changed embedder: whatever is done next starts the process that makes the new vectors."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import holdfast
from holdfast import Workspace
from holdfast.system import settings_file as settings
from holdfast.system.platform_folders import settings_file
from tests.models.servers import ModelServer


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


def _noted(started: list[Any]) -> int:
    started.append("process")
    return 1


@pytest.mark.parametrize(
    "read",
    [
        lambda ws: ws.recall("kettle"),
        lambda ws: ws.search_documents("kettle"),
        lambda ws: ws.context("Where is the kettle?"),
        lambda ws: ws.stats(),
    ],
    ids=["recall", "documents", "context", "stats"],
)
def test_reading_starts_the_embedding_once_it_is_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: ModelServer, read: Callable[[Workspace], Any]
) -> None:
    started: list[Any] = []
    monkeypatch.setattr("holdfast.upkeep.background.start", lambda *arguments: _noted(started))
    named: dict[str, Any] = {"db": str(tmp_path / "m.db"), "project": str(tmp_path), "background": True}
    with holdfast.open(**named, embedder="fake") as ws:
        ws.remember("The kettle whistles at five")
        ws.upkeep()
        started.clear()
        read(ws)
        assert started == []
    changed: dict[str, Any] = {"embedder": "http", "embed_url": f"{server.url}/v1", "embed_model": "other"}
    with holdfast.open(**named, **changed) as ws:
        for _ in range(3):  # The process needs a moment to begin: it is started once.
            read(ws)
        assert len(started) == 1
        ws.upkeep()
        started.clear()
        read(ws)
        assert started == []


def test_a_list_starts_it_after_the_settings_file_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: ModelServer
) -> None:
    started: list[Any] = []
    monkeypatch.setattr("holdfast.upkeep.background.start", lambda *arguments: _noted(started))
    named: dict[str, Any] = {"db": str(tmp_path / "m.db"), "project": str(tmp_path), "background": True}
    with holdfast.open(**named) as ws:
        ws.remember("The kettle whistles at five")
        ws.upkeep()
        started.clear()
        ws.list()
        assert started == []
    for name, value in (("embed_url", f"{server.url}/v1"), ("embed_model", "other"), ("embedder", "http")):
        settings.save(settings_file(os.environ), name, value)
    monkeypatch.delenv("HOLDFAST_EMBEDDER")
    with holdfast.open(**named) as ws:
        ws.list()
        assert len(started) == 1
