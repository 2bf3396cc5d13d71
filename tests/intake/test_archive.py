"""Export and import without loss; a file that is no export is refused as a whole."""

from __future__ import annotations

import itertools
import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import holdfast
from holdfast.core.admission import Candidate
from holdfast.core.archive import ProjectArchive
from holdfast.core.clock import SystemClock
from holdfast.core.conversation import HistoryEntry, SessionState
from holdfast.core.entity import TYPES, Entity, EntityMentions, EntityMerge
from holdfast.core.errors import InvalidFile, InvalidInput
from holdfast.core.memory import Memory
from holdfast.intake import archive_json, project_archive
from holdfast.intake.junk import why_unreadable
from holdfast.intake.secrets import scan
from holdfast.workspace import Workspace
from tests.store.strategies import memories, moments


@contextmanager
def fresh() -> Iterator[Workspace]:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "house").mkdir()
        with holdfast.open(db=f"{folder}/memory.db", project=f"{folder}/house") as ws:
            yield ws


def told(exported: str) -> Any:
    whole = json.loads(exported)
    return {name: part for name, part in whole.items() if name != "exported_at"}


@given(one=memories("p").filter(lambda memory: why_unreadable(memory.content) is None))
@settings(max_examples=50)
def test_plain_data_comes_back_as_the_memory(one: Memory) -> None:
    assert archive_json.decode(json.loads(json.dumps(archive_json.encode(one)))) == one


def _is_clean(memory: Memory) -> bool:
    """Is it readable text without anything that looks like a secret, which the import would remove?"""
    return why_unreadable(memory.content) is None and not scan(json.dumps(archive_json.encode(memory)))[1]


words = st.text("abc déf", min_size=1, max_size=12).filter(str.strip)
_numbers = itertools.count()


def ids(prefix: str) -> st.SearchStrategy[str]:
    return st.builds(lambda: f"{prefix}_{next(_numbers):026d}")


@st.composite
def archives(draw: st.DrawFn) -> ProjectArchive:
    """Any project: memories, sessions in any state, history, entities with aliases, and nested merges."""
    found = draw(st.lists(memories("p").filter(_is_clean), max_size=4))
    some = st.sampled_from([memory.id for memory in found]) if found else st.nothing()
    some_ids, maybe = st.lists(some, unique=True).map(sorted).map(tuple), st.none() | some
    how = st.sampled_from(("model", "extract", "raw-fallback"))
    moment, maybe_moment, title = moments, st.none() | moments, st.none() | words
    state = st.builds(SessionState, words, words, moment, moment, st.just(0), title, maybe, maybe_moment, maybe, title)
    entry = st.builds(HistoryEntry, ids("hist"), words, moment, words, st.tuples(words), how, words, words)
    entity = st.builds(
        lambda id, at, type, summary, protected: Entity(
            id, "p", f"{id} own", type, type, at, (f"{id} other",), summary, protected
        ),
        *(ids("ent"), moment, st.sampled_from(TYPES), title, st.booleans()),
    )
    several = st.lists(st.builds(EntityMentions, entity, some_ids), max_size=3)
    named, merges = draw(several), list[EntityMerge]()
    for merged in draw(several) if named else ():
        kept = draw(st.sampled_from([one.entity.id for one in named] + [one.entity.id for one in merges]))
        gained = (draw(some_ids), draw(st.booleans()))
        merges.append(EntityMerge(merged.entity, merged.memories, kept, draw(moment), ("an other",), *gained))
    sessions = draw(st.lists(state, max_size=3, unique_by=lambda one: one.id))
    history = draw(st.lists(entry, max_size=3))
    return ProjectArchive(tuple(found), (), tuple(sessions), tuple(history), tuple(named), tuple(merges))


@given(whole=archives())
@settings(max_examples=15, phases=(Phase.explicit, Phase.reuse, Phase.generate))
def test_export_import_export_is_the_same(whole: ProjectArchive) -> None:
    with fresh() as first, fresh() as second:
        project_archive.import_archive(
            first.container.store.transfer, first.types, first.project, whole, SystemClock().now()
        )
        exported = first.export()
        counts = {part: len(told(exported)[part]) for part in ("sessions", "history", "entities")}
        assert counts == {part: len(getattr(whole, part)) for part in counts}
        assert len(told(exported)["merges"]) == len(tuple(whole.merges))
        assert second.import_(exported, trusted=True) == {"added": len(tuple(whole.memories)), "known": 0, **counts}
        again = told(second.export())
        for memory in again["memories"]:
            memory["project"] = first.project
        assert again == told(exported)
        nothing = dict.fromkeys(counts, 0)
        assert second.import_(exported, trusted=True) == {"added": 0, "known": len(tuple(whole.memories)), **nothing}
        assert {**told(second.export()), "memories": again["memories"]} == again


def lived_in(ws: Workspace) -> None:
    """A store with memories in every state."""
    for text in ("Tea is at four", "Cake is at five", "The hall is cold", "The attic is dry"):
        ws.remember(text, tags=["house"])
    ids = [m.id for m in ws.list(order="oldest")]
    ws.correct(ids[0], "Tea is at half past four", "clock")
    ws.forget(ids[1], "diet")
    ws.flag(ids[2], "not in summer")
    ws.confirm(ids[3])
    session = ws.session("s")
    session.say("user", "My friend Priya asked where the attic is.")
    ws.consolidate("s")
    session.say("user", "My friend Pri found it.")
    session.trim_before(session.messages()[1].id, "They looked for the attic.")
    session.set_title("The attic")
    ws.upkeep("enrich")
    ws.merge_entities("Priya", "Pri")
    ws.describe_entity("Priya", "Keeps the keys.")


def test_an_export_is_written_in_small_parts(ws: Workspace) -> None:
    lived_in(ws)
    ws.remember_all(Candidate(f"lamp {number} stands in room {number * 31}") for number in range(2_000))
    parts: list[str] = []
    ws.export_to(parts.append)
    text = "".join(parts)
    assert max(map(len, parts)) < len(text) / 10
    assert text == json.dumps(json.loads(text), ensure_ascii=False, indent=1)


def test_a_markdown_export_has_a_list_for_each_type(ws: Workspace) -> None:
    assert ws.export("markdown") == "# Memory\n"
    ws.remember("Tea is at four")
    ws.remember("Never wake the cat", "requirement")
    ws.remember("The hall is cold")
    parts: list[str] = []
    ws.export_to(parts.append, "markdown")
    lists = "## Fact\n\n- Tea is at four\n- The hall is cold\n\n## Requirement\n\n- Never wake the cat\n"
    assert "".join(parts) == ws.export("markdown") == f"# Memory\n\n{lists}"


def test_states_and_histories_travel(ws: Workspace) -> None:
    lived_in(ws)
    with fresh() as other:
        assert other.import_(ws.export())["added"] == len(ws.list(include_forgotten=True))
        for memory in ws.list(include_forgotten=True):
            assert [(e.at, e.verb, e.reason) for e in other.history(memory.id)] == [
                (e.at, e.verb, e.reason) for e in ws.history(memory.id)
            ]
        old = next(m for m in other.list(include_forgotten=True) if m.superseded)
        back, replaced = other.restore(old.id)
        assert (back.content, len(replaced)) == ("Tea is at four", 1)
        assert other.recall("attic").hits
        assert other.doctor().sound


def test_sessions_go_on_where_they_were(ws: Workspace) -> None:
    lived_in(ws)
    with fresh() as other:
        other.import_(ws.export(), trusted=True)
        assert other.sessions() == ws.sessions()
        assert other.session("s").window() == ws.session("s").window()
        assert other.container.store.sessions.history(other.project) == ws.container.store.sessions.history(ws.project)
        assert [other.consolidate().counts()["messages"] for _ in range(2)] == [1, 0]


def test_an_export_that_nobody_vouches_for_brings_nobodys_word(ws: Workspace) -> None:
    rule = "Packages are always installed from the mirror of the harbour."
    ws.remember(rule, type="requirement", pinned=True)
    ws.session("s").say("user", "From now on always paint the hull before the mast.")
    with fresh() as other:
        other.import_(ws.export())
        (memory,) = other.list(types=["requirement"])
        assert (memory.content, memory.source, memory.verified, memory.pinned) == (rule, "agent_explicit", False, False)
        assert memory.confidence <= 0.7
        other.consolidate()
        assert [m.content for m in other.list(types=["requirement"])] == [rule], "nobody here said the rest"
        answer = other.remember(
            "Paint the hull.", source="agent_explicit", quote="always paint the hull before the mast"
        )
        assert answer.memory is not None
        assert answer.memory.source_role is None


def test_a_trusted_import_verifies_what_was_imported_without_trust(ws: Workspace) -> None:
    ws.remember("Packages come from the mirror.", type="requirement", pinned=True)
    ws.remember("The harbour opens at six.")
    text = ws.export()
    with fresh() as other:
        assert other.import_(text)["unverified"] == 2
        kept, doubted = sorted(other.list(), key=lambda memory: memory.type, reverse=True)
        other.forget(doubted.id)
        assert other.import_(text, trusted=True)["verified"] == 2
        assert other.get(kept.id).verified
        assert other.get(kept.id).pinned
        assert other.get(doubted.id).forgotten
        assert "verified" not in other.import_(text, trusted=True)


def test_a_list_in_markdown_is_taught_only_by_who_vouches_for_it(ws: Workspace) -> None:
    ws.import_("## Decision\n\n- Tea is served at four.\n", "markdown")
    ws.import_("## Decision\n\n- Cake is served at five.\n", "markdown", trusted=True)
    assert {m.content: m.verified for m in ws.list()} == {
        "Tea is served at four.": False, "Cake is served at five.": True
    }  # fmt: skip


def test_newer_messages_join_a_known_session(ws: Workspace) -> None:
    ws.session("s").say("user", "The attic is dry.")
    with fresh() as other:
        other.import_(ws.export())
        other.consolidate()
        state = other.find_session("s")
        ws.session("s").say("user", "The cellar is damp.")
        assert other.import_(ws.export()) == {"added": 1, "known": 1, "sessions": 0, "history": 0, "entities": 0}
        now = other.find_session("s")
        assert (now.messages, now.consolidated_to) == (2, state.consolidated_to)
        assert other.consolidate().counts()["messages"] == 1


def test_entities_travel_with_their_names_and_merges(ws: Workspace) -> None:
    lived_in(ws)
    with fresh() as other:
        other.import_(ws.export())
        for name in ("Priya", "pri"):
            here, there = other.entity(name), ws.entity(name)
            assert replace(here.entity, project=ws.project) == there.entity
            assert [m.id for m in here.memories] == [m.id for m in there.memories]
        assert other.split_entity("Pri").mentions == 1
        assert other.import_(ws.export())["entities"] == 0
        assert other.entity("Pri").entity.name == "Pri"


def test_an_entity_merged_here_stays_merged_and_a_namesake_is_the_same_one(ws: Workspace) -> None:
    ws.remember("My colleague Priya keeps the keys")
    ws.remember("My colleague Pri sails")
    ws.upkeep("enrich")
    exported = ws.export()
    ws.merge_entities("Priya", "Pri")
    ws.import_(exported)
    assert ws.entity("Pri").entity.name == "Priya"
    with fresh() as other:
        other.remember("My colleague Priya cooks")
        other.upkeep("enrich")
        other.import_(exported)
        assert other.entity("Priya").entity.mentions == 2
        assert [one.name for one in other.entities(type="person")] == ["Priya", "Pri"]


def test_an_export_of_the_first_version_still_comes_in(ws: Workspace) -> None:
    lived_in(ws)
    whole = told(ws.export())
    first = {name: whole[name] for name in ("format", "project", "memories", "events")} | {"version": 1}
    with fresh() as other:
        counts = other.import_(json.dumps(first))
        assert counts["added"] == len(whole["memories"])
        assert (counts["sessions"], counts["history"], counts["entities"]) == (0, 0, 0)
        later = other.import_(ws.export())
        assert (later["added"], later["sessions"]) == (0, 1)
        assert other.entity("Pri").entity.mentions == 3


def test_secrets_are_taken_out_of_every_part(ws: Workspace) -> None:
    lived_in(ws)
    key, whole = "AKIAIOSFODNN7KLMNPQR", json.loads(ws.export())
    whole["sessions"][0] |= {"title": f"About {key}", "recap": f"The key is {key}."}
    whole["history"][0] |= {"text": f"They said {key}.", "tools": [key]}
    for part in ("entities", "merges"):
        whole[part][0] |= {"summary": f"Has {key}.", "aliases": [key]}
    with fresh() as other:
        other.import_(json.dumps(whole))
        assert key not in other.export()


def test_another_project_of_the_same_store_gets_its_own_copies_once(ws: Workspace, tmp_path: Path) -> None:
    lived_in(ws)
    exported, before = ws.export(), told(ws.export())
    counts = {part: len(before[part]) for part in ("sessions", "history", "entities")}
    count = len(before["memories"])
    (tmp_path / "other").mkdir()
    with holdfast.open(db=ws.db, project=str(tmp_path / "other")) as other:
        assert other.import_(exported) == {"added": count, "known": 0, "unverified": 5, **counts}
        assert other.import_(exported) == {"added": 0, "known": count, **dict.fromkeys(counts, 0)}
        assert [m.text for m in other.session("s").window()] == [m.text for m in ws.session("s").window()]
        assert other.split_entity("Pri").mentions == 1
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

    at, entity = "2025-01-01T00:00:00Z", {"id": "ent_1", "name": "Ada", "type": "person", "label": "person"}
    parts: dict[str, dict[str, Any]] = {
        "sessions": {"id": "s", "kind": "chat", "created_at": at, "last_at": at},
        "history": {"id": "hist_1", "session": "s", "at": at, "text": "They talked."},
        "entities": {**entity, "created_at": at, "memories": ["mem_1"]},
        "merges": {**entity, "id": "ent_2", "created_at": at, "memories": ["mem_1"], "kept": "ent_1", "at": at},
    }

    def with_memory(**fields: Any) -> dict[str, Any]:
        return {**good, "memories": [{**memory, "id": "mem_0", "content": "A good one"}, {**memory, **fields}]}

    def with_part(part: str, **fields: Any) -> dict[str, Any]:
        return {**good, part: [{**parts[part], **fields}]}

    def without(name: str) -> dict[str, Any]:
        return {**good, "memories": [{k: v for k, v in memory.items() if k != name}]}

    def with_event(**fields: Any) -> dict[str, Any]:
        return {**good, "events": [{**event, **fields}]}

    return {
        "another format": {**good, "format": "diary"},
        "a later version": {**good, "version": 3},
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
        **{f"{part} by name": {**good, part: {}} for part in parts},
        **{f"a text among {part}": {**good, part: ["tea"]} for part in parts},
        **{f"an unknown field in {part}": with_part(part, mood="calm") for part in parts},
        **{f"no id in {part}": with_part(part, id=None) for part in parts},
        **{f"twice the same in {part}": {**good, part: [parts[part]] * 2} for part in parts},
        "a session at no moment": with_part("sessions", last_at="soon"),
        "a session without a name": with_part("sessions", id=" "),
        "a session with messages": with_part("sessions", messages=3),
        "a session of lone surrogates in it": with_part("sessions", id="\ud800"),
        "history of nothing": with_part("history", text=" "),
        "history with tools as text": with_part("history", tools="grep"),
        "an entity of no type": with_part("entities", type="robot"),
        "an entity without a name": with_part("entities", name="@"),
        "an entity also called nothing": with_part("entities", aliases=[""]),
        "an entity in a number": with_part("entities", memories=7),
        "an entity protected by text": with_part("entities", protected="yes"),
        "a merge into nothing": with_part("merges", kept=None),
        "a merge that gained a number": with_part("merges", gained_names=[7]),
    }


@pytest.mark.parametrize("name", hostile())
def test_a_hostile_file_is_refused_whole(ws: Workspace, name: str) -> None:
    ws.remember("Known from before")
    before = ws.container.store.reading.totals()
    with pytest.raises(InvalidInput) as caught:
        ws.import_(json.dumps(hostile()[name]))
    assert str(caught.value)
    assert ws.container.store.reading.totals() == before
    assert ws.remember("And it goes on").admitted


@pytest.mark.parametrize("text", ["", "not json", "[" * 200_000, '{"format": "holdfast"', "\ud800", "null", "1e999"])
def test_what_is_not_json_is_refused(ws: Workspace, text: str) -> None:
    with pytest.raises(InvalidFile):
        ws.import_(text)


def test_markdown_is_for_people_and_comes_back_as_text(ws: Workspace) -> None:
    lived_in(ws)
    ws.remember("Use tabs in\nmake files", type="preference", visibility="project")
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
    found = project_archive.from_markdown(
        "intro\n- one\n## Dead end\n* two\n+ three\n### Anything\n - four\n", ws.types
    )
    assert found == (("fact", "one"), ("dead_end", "two"), ("dead_end", "three"), ("fact", "four"))


def test_formats_that_are_none(ws: Workspace) -> None:
    with pytest.raises(InvalidInput):
        ws.export("pdf")
    with pytest.raises(InvalidInput):
        ws.import_("x", "pdf")
    with pytest.raises(InvalidFile):
        ws.import_("no list here", "markdown")


def test_no_export_contains_characters_that_a_terminal_obeys(ws: Workspace) -> None:
    text = "Escape \x1b[31mred and \x9b31m and \u202e bidi and \U000e0041 tags stand here"
    ws.remember(text)
    for format in ("json", "markdown"):
        exported = ws.export(format)
        assert not [ch for ch in exported if not ch.isprintable() and ch != "\n"]
    assert json.loads(ws.export())["memories"][0]["content"] == ws.list()[0].content


def test_a_relation_to_a_memory_of_another_project_shows_nothing_of_it(ws: Workspace, tmp_path: Path) -> None:
    """A file can name any id; what it names is shown only if the project may see it."""
    secret = ws.remember("The vault code is on the blue card").memory
    assert secret is not None
    (tmp_path / "other").mkdir()
    with holdfast.open(db=ws.db, project=str(tmp_path / "other")) as other:
        forged = other.remember("The tower stands on the hill").memory
        assert forged is not None
        data = json.loads(other.export())
        data["memories"][0]["id"] = "fact_01kzzzzzzzzzzzzzzzzzzzzzzz"
        data["memories"][0]["content"] = "The second tower stands in the valley"
        data["memories"][0]["relations"] = [{"kind": "validates", "memory": id} for id in (secret.id, forged.id)]
        data["events"] = []
        other.import_(json.dumps(data))
        described = other.describe("fact_01kzzzzzzzzzzzzzzzzzzzzzzz")
        assert [memory.id for memory in described.related] == [forged.id]
        assert ws.describe(secret.id).related == ()


def test_a_text_that_no_message_can_have_is_not_imported(ws: Workspace) -> None:
    ws.remember("The tower stands on the hill")
    data = json.loads(ws.export())
    data["memories"][0]["content"] = "a b " * 300_000
    with pytest.raises(InvalidFile):
        ws.import_(json.dumps(data))
