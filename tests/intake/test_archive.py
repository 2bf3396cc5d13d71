"""Out and in again without loss; what is not an export is refused whole."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import holdfast
from holdfast.core.errors import InvalidFile, InvalidInput
from holdfast.core.memory import Memory
from holdfast.intake import archive
from holdfast.intake.junk import why_unreadable
from holdfast.intake.secrets import scan
from holdfast.workspace import Workspace
from tests.store.strategies import memories


@contextmanager
def fresh() -> Iterator[Workspace]:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "house").mkdir()
        with holdfast.open(db=f"{folder}/memory.db", project=f"{folder}/house") as ws:
            yield ws


def told(exported: str) -> Any:
    whole = json.loads(exported)
    return {name: whole[name] for name in ("format", "version", "project", "memories", "events")}


@given(one=memories("p").filter(lambda memory: why_unreadable(memory.content) is None))
@settings(max_examples=50)
def test_plain_data_comes_back_as_the_memory(one: Memory) -> None:
    assert archive.decode(json.loads(json.dumps(archive.encode(one)))) == one


def _is_clean(memory: Memory) -> bool:
    """Holds nothing that looks like a secret, which is left out on the way in, and is text, as the door asks."""
    return why_unreadable(memory.content) is None and not scan(json.dumps(archive.encode(memory)))[1]


@given(found=st.lists(memories("p").filter(_is_clean), max_size=4))
@settings(max_examples=15, phases=(Phase.explicit, Phase.reuse, Phase.generate))
def test_export_import_export_is_the_same(found: list[Memory]) -> None:
    with fresh() as first, fresh() as second:
        archive.bring_in(first._store.memories, first.kinds, first.project, found, ())
        exported = first.export()
        assert len(told(exported)["memories"]) == len(found)
        assert second.import_(exported) == {"added": len(found), "known": 0}
        again = told(second.export())
        for memory in again["memories"]:
            memory["project"] = first.project
        assert again == told(exported)
        assert second.import_(exported) == {"added": 0, "known": len(found)}
        assert len(second._store.reading.export(second.project)[0]) == len(found)


def lived_in(ws: Workspace) -> None:
    """A store with every state in it."""
    for text in ("Tea is at four", "Cake is at five", "The hall is cold", "The attic is dry"):
        ws.remember(text, tags=["house"])
    ids = [m.id for m in ws.list(order="oldest")]
    ws.correct(ids[0], "Tea is at half past four", "clock")
    ws.forget(ids[1], "diet")
    ws.flag(ids[2], "not in summer")
    ws.confirm(ids[3])
    ws.session("s").say("user", "where is the attic?")


def test_states_and_histories_travel(ws: Workspace) -> None:
    lived_in(ws)
    with fresh() as other:
        assert other.import_(ws.export())["added"] == 6
        for memory in ws.list(include_forgotten=True):
            assert [(e.at, e.verb, e.reason) for e in other.history(memory.id)] == [
                (e.at, e.verb, e.reason) for e in ws.history(memory.id)
            ]
        old = next(m for m in other.list(include_forgotten=True) if m.superseded)
        back, replaced = other.restore(old.id)
        assert (back.content, len(replaced)) == ("Tea is at four", 1)
        assert other.recall("attic").hits
        assert other.doctor().sound


def test_another_project_of_the_same_store_gets_its_own_copies_once(ws: Workspace, tmp_path: Path) -> None:
    lived_in(ws)
    exported, before = ws.export(), told(ws.export())
    (tmp_path / "other").mkdir()
    with holdfast.open(db=ws.db, project=str(tmp_path / "other")) as other:
        assert other.import_(exported) == {"added": 6, "known": 0}
        assert other.import_(exported) == {"added": 0, "known": 6}
        assert {m.id for m in other.list(include_forgotten=True)}.isdisjoint(m["id"] for m in before["memories"])
        old = next(m for m in other.list(include_forgotten=True) if m.superseded)
        assert [m.content for m in other.successors(old.id)] == ["Tea is at half past four"]
        other.restore(old.id)
    assert told(ws.export()) == before


def hostile() -> dict[str, Any]:
    memory: dict[str, Any] = {
        "id": "mem_1",
        "type": "fact",
        "content": "Tea is at four",
        "created_at": "2025-01-01T00:00:00Z",
    }
    memory |= {"project": "p", "confidence": 0.5}
    good = {"format": "holdfast", "version": 1, "memories": [memory], "events": []}
    event = {"memory_id": "mem_1", "at": "2025-01-01T00:00:00Z", "verb": "flag", "reason": "", "detail": {}}

    def with_memory(**fields: Any) -> dict[str, Any]:
        return {**good, "memories": [{**memory, "id": "mem_0", "content": "A good one"}, {**memory, **fields}]}

    def without(name: str) -> dict[str, Any]:
        return {**good, "memories": [{k: v for k, v in memory.items() if k != name}]}

    def with_event(**fields: Any) -> dict[str, Any]:
        return {**good, "events": [{**event, **fields}]}

    return {
        "another format": {**good, "format": "diary"},
        "a later version": {**good, "version": 2},
        "no version": {**good, "version": None},
        "a list": [good],
        "no memories": {**good, "memories": None},
        "memories by name": {**good, "memories": {"a": memory}},
        "a text for a memory": {**good, "memories": ["tea"]},
        "a number for a memory": {**good, "memories": [7]},
        "twice the same": {**good, "memories": [memory, memory]},
        "events by name": {**good, "events": {}},
        "a text for an event": {**good, "events": ["flag"]},
        "an event at no moment": with_event(at="yesterday"),
        "an event without verb": with_event(verb=None),
        "an event without detail": with_event(detail=[]),
        **{f"no {name}": without(name) for name in ("id", "type", "content", "created_at", "project")},
        "an unknown field": with_memory(mood="calm"),
        "an unknown type": with_memory(type="rumour"),
        "empty content": with_memory(content=" "),
        "content with NUL": with_memory(content="a\0b"),
        "content of lone surrogates": with_memory(content="\ud800"),
        "a session of lone surrogates": with_memory(session="\ud800"),
        "an attribute of lone surrogates": with_memory(attributes={"a": "\ud800"}),
        "content that is a number": with_memory(content=7),
        "an id that is a list": with_memory(id=["mem_1"]),
        "no moment": with_memory(created_at="long ago"),
        "an empty moment": with_memory(created_at=""),
        "a moment that is a number": with_memory(created_at=1),
        "confidence beyond one": with_memory(confidence=2),
        "confidence as text": with_memory(confidence="high"),
        "tags as one text": with_memory(tags="tea"),
        "tags of numbers": with_memory(tags=[1]),
        "a path outside": with_memory(files=["../../etc/passwd"]),
        "an absolute path": with_memory(files=["/etc/passwd"]),
        "a count below zero": with_memory(access_count=-1),
        "a count beyond measure": with_memory(access_count=2**80),
        "a flag as text": with_memory(pinned="yes"),
        "attributes as list": with_memory(attributes=[1]),
        "attributes without end": with_memory(attributes={"a": float("inf")}),
        "fields nobody knows": with_memory(fields={"a": 1}),
        "a relation to nothing": with_memory(relations=[{"kind": "supersedes"}]),
        "a relation of lists": with_memory(relations=[{"kind": "supersedes", "memory": ["x"]}]),
        "a chunk of lists": with_memory(chunk={"type": "function", "start_line": [1]}),
        "a chunk beyond measure": with_memory(chunk={"type": "function", "start_line": 2**80}),
        "taint as text": with_memory(taint="web"),
        "half a work unit": with_memory(work_unit={"label": "x"}),
        "a citation too long": with_memory(citation="x" * 41),
    }


@pytest.mark.parametrize("name", hostile())
def test_a_hostile_file_is_refused_whole(ws: Workspace, name: str) -> None:
    ws.remember("Known from before")
    before = ws._store.reading.totals()
    with pytest.raises(InvalidInput) as caught:
        ws.import_(json.dumps(hostile()[name]))
    assert str(caught.value)
    assert ws._store.reading.totals() == before
    assert ws.remember("And it goes on").admitted


@pytest.mark.parametrize("text", ["", "not json", "[" * 200_000, '{"format": "holdfast"', "\ud800", "null", "1e999"])
def test_what_is_not_json_is_refused(ws: Workspace, text: str) -> None:
    with pytest.raises(InvalidFile):
        ws.import_(text)


def test_markdown_is_for_people_and_comes_back_as_text(ws: Workspace) -> None:
    lived_in(ws)
    ws.remember("Use tabs in\nmake files", type="preference")
    text = ws.export("markdown")
    assert text.startswith("# Memory\n")
    assert "## Preference\n\n- Use tabs in make files" in text
    assert "Cake" not in text
    assert "where is the attic?" not in text
    with fresh() as other:
        other.import_(text, "markdown")
        assert sorted(m.content for m in other.list(types="fact")) == sorted(m.content for m in ws.list(types="fact"))
        assert [m.content for m in other.list(types="preference")] == ["Use tabs in make files"]


def test_markdown_reads_headings_and_every_bullet(ws: Workspace) -> None:
    found = archive.from_markdown("intro\n- one\n## Dead end\n* two\n+ three\n### Anything\n - four\n", ws.kinds)
    assert found == (("fact", "one"), ("dead_end", "two"), ("dead_end", "three"), ("fact", "four"))


def test_formats_that_are_none(ws: Workspace) -> None:
    with pytest.raises(InvalidInput):
        ws.export("pdf")
    with pytest.raises(InvalidInput):
        ws.import_("x", "pdf")
    with pytest.raises(InvalidFile):
        ws.import_("no list here", "markdown")
