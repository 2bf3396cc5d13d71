"""The container: each component is built once, and a change of settings builds all of them again."""

from __future__ import annotations

import os
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import holdfast
from holdfast.container import Container
from holdfast.core.built_once import built_once
from holdfast.system.data_folder import DataFolder


def opened(tmp_path: Path, **settings: Any) -> holdfast.Workspace:
    project = tmp_path / "project"
    project.mkdir(exist_ok=True)
    return holdfast.open(db=str(tmp_path / "m.db"), project=str(project), background=False, **settings)


def embedder_of(container: Container) -> object:
    """The embedder by which consolidation compares statements."""
    similar: Any = container.consolidation.extractor.similar
    return similar.resources.embed._choose()


def test_switching_the_model_replaces_it_in_every_component(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOLDFAST_SETTINGS", str(tmp_path / "settings.toml"))
    with opened(tmp_path, embedder="fake") as ws:
        ws.session("s").say("user", "We deploy on Tuesdays from now on.")
        ws.consolidate()
        before = ws.container
        assert embedder_of(before) is not None
        ws.use_model("none")
        assert ws.settings.embedder == "none"
        assert embedder_of(ws.container) is None
        assert ws.container.store is before.store
        assert ws.remember("Tea is at four").admitted
        assert [hit.text for hit in ws.recall("tea").hits] == ["Tea is at four"]


def test_usage_counts_survive_a_switch_of_the_model(tmp_path: Path) -> None:
    with opened(tmp_path, embedder="none") as ws:
        ws.remember("Tea is at four")
        ws.recall("tea")
        ws.container = ws.container.with_settings(replace(ws.settings, per_session=1))
        assert [memory.access_count for memory in ws.list()] == [1]


def test_only_the_store_takes_its_address_for_a_file(ws: holdfast.Workspace, tmp_path: Path) -> None:
    """With another engine, the address is none, and the local files lie elsewhere."""
    before = {path.name for path in tmp_path.iterdir()}
    store: Any = ws.container.store
    store.address, store.data_folder = "engine://house", DataFolder(str(tmp_path / "local"), "house")
    secret = ws.remember("The safe opens with quagmire42.").memory
    assert secret is not None
    with ws.session("s") as session:
        session.say("user", "The safe opens with quagmire42.")
        session.report(qa=True)
    assert ws.has_journal("s")
    ws.upkeep()
    ws.erase([secret.id])
    assert ws.stats().db == ws.identity().db == "engine://house"
    assert ws.doctor().sound
    assert os.listdir(tmp_path / "local") == ["house-journals"]
    others = {path.name for path in tmp_path.iterdir()} - before - {"local"}
    assert all(name.startswith(Path(ws.db).name) for name in others)


class Slow:
    """Counts how often its component is built; building takes long enough for every thread to request it."""

    def __init__(self) -> None:
        self.builds = 0

    @built_once
    def part(self) -> object:
        self.builds += 1
        time.sleep(0.05)
        return object()


def test_threads_that_ask_together_get_one_component() -> None:
    slow, start, found = Slow(), threading.Barrier(8), []

    def ask() -> None:
        start.wait()
        found.append(slow.part)

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert slow.builds == 1
    assert len(set(map(id, found))) == 1


def test_a_component_says_whether_it_was_built() -> None:
    slow = Slow()
    assert not Slow.part.is_built(slow)
    assert slow.part is slow.part
    assert Slow.part.is_built(slow)


def test_threads_that_open_every_component_of_a_workspace_share_them(tmp_path: Path) -> None:
    with opened(tmp_path, embedder="fake") as ws:
        start, seen = threading.Barrier(8), []

        def use(turn: int) -> None:
            start.wait()
            ws.remember(f"The kettle number {turn} whistles at five")
            ws.recall("kettle")
            ws.session(f"s{turn}").say("user", "good morning")
            ws.context("kettle")
            parts = ws.container
            seen.append((parts.intake, parts.recaller, parts.messages, parts.context))

        threads = [threading.Thread(target=use, args=(turn,)) for turn in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(seen) == 8
        assert {tuple(map(id, parts)) for parts in seen} == {tuple(map(id, seen[0]))}
