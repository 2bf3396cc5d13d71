"""Memories about the person follow them to all of their projects; knowledge of a project stays there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import holdfast
from holdfast import Candidate, InvalidInput, InvalidMemory, NotFound, NotPermitted, Workspace
from holdfast.core.memory import Taint
from holdfast.intake.about_person import follows_person
from holdfast.store.sqlite.sqlite_light import SqliteLightStore
from tests.store.database import contains

PREFERENCE = "Answer in short sentences without small talk"
FACT = "I live in Lyon with two cats"
KNOWLEDGE = "The importer reads latin-1 files"


@pytest.fixture
def other(ws: Workspace, tmp_path: Path):
    folder = tmp_path / "other"
    folder.mkdir()
    with holdfast.open(ws.db, str(folder)) as opened:
        yield opened


@pytest.mark.parametrize(
    ("text", "type"),
    [
        (PREFERENCE, "preference"), (FACT, "fact"), ("I'm allergic to nuts", "fact"), ("My wife is called Ana", "fact"),
        ("The user prefers dark themes", "fact"), ("Prefers pytest over unittest", "preference"),
        ("J'habite à Lyon", "fact"), ("Préfère les réponses courtes", "preference"),
    ],
)  # fmt: skip
def test_what_is_about_the_person_follows_them(text, type):
    assert follows_person(Candidate(text, type))


@pytest.mark.parametrize(
    ("text", "type"),
    [
        ("Use tabs in this project", "preference"), ("We prefer small commits", "preference"), (KNOWLEDGE, "fact"),
        ("Prefer httpx in src/client.py", "preference"), ("The user table has five columns", "fact"),
        ("I have merged the branch", "fact"), ("Never push to main", "requirement"), ("Lives in Lyon", "decision"),
        ("Our server is in Lyon", "fact"), ("Préférez les tests dans ce dépôt", "preference"),
    ],
)  # fmt: skip
def test_knowledge_of_a_project_stays_there(text, type):
    assert not follows_person(Candidate(text, type))


def test_the_caller_has_the_last_word():
    assert follows_person(Candidate(KNOWLEDGE, visibility="personal"))
    assert not follows_person(Candidate(PREFERENCE, "preference", visibility="project"))
    assert not follows_person(Candidate(PREFERENCE, "preference", files=("a.py",)))


def test_other_projects_find_use_and_mark_what_is_personal(ws, other):
    mine = ws.remember(PREFERENCE, type="preference").memory
    ws.remember(FACT)
    ws.remember(KNOWLEDGE)
    assert {memory.content: memory.visibility for memory in other.list()} == {PREFERENCE: "personal", FACT: "personal"}
    assert other.recall("where do I live?").hits[0].text == FACT
    assert other.recall("which encoding does the importer read?").hits == ()
    assert PREFERENCE in other.context("write a function").text
    assert other.get(mine.id) == mine
    assert other.count(visibilities=["personal"]) == 2
    assert PREFERENCE in other.memory_page()
    assert KNOWLEDGE not in str([other.list(), other.memory_page(), other.context("importer files").text])
    assert ws.recall("which encoding does the importer read?").hits[0].memory.visibility == "project"


def test_a_project_registered_later_knows_the_person_and_so_does_one_registered_before(ws, other, tmp_path):
    other.remember(FACT)
    assert [memory.content for memory in ws.list()] == [FACT]
    with holdfast.open(ws.db, "later") as later:
        assert [memory.content for memory in later.list()] == [FACT]


def test_it_is_changed_from_any_project_and_only_once(ws, other):
    first = ws.remember(PREFERENCE, type="preference").memory
    assert other.remember(PREFERENCE, type="preference").outcome == "duplicate"
    corrected = other.correct(first.id, "Answer in long sentences").memory
    assert [memory.id for memory in ws.list()] == [corrected.id]
    assert (corrected.project, corrected.visibility) == (first.project, "personal")
    assert other.undo() is not None
    assert [memory.id for memory in ws.list()] == [first.id]
    other.forget(first.id)
    assert ws.list() == ()
    assert ws.remember(PREFERENCE, type="preference", source="agent_explicit").outcome == "refused"
    ws.restore(first.id)
    assert other.pin(first.id).pinned


def test_what_a_conversation_says_about_the_person_follows_and_later_changes_too(ws, other):
    with ws.session("s1") as session:
        session.say("user", "I live in Lyon. From now on always run make check before a commit.")
    ws.consolidate()
    assert any("Lyon" in memory.content for memory in other.list())
    assert not any("make check" in memory.content for memory in other.list())
    with other.session("s2") as session:
        session.say("user", "I moved to Paris last week, I live in Paris now.")
    other.consolidate()
    believed = [memory.content for memory in ws.list() if memory.type == "fact"]
    assert any("Paris" in text for text in believed)
    assert not any("Lyon" in text for text in believed)


def test_it_is_exported_and_imported_separately(ws, other, tmp_path):
    ws.remember(PREFERENCE, type="preference")
    ws.remember(KNOWLEDGE)
    assert PREFERENCE not in ws.export()
    text = other.export(personal=True)
    assert PREFERENCE in text
    assert KNOWLEDGE not in text
    with holdfast.open(str(tmp_path / "new.db"), "one") as one:
        with pytest.raises(InvalidInput, match="personal"):
            one.import_(text)
        assert one.import_(text, personal=True)["added"] == 1
        assert one.import_(text, personal=True)["added"] == 0
        with holdfast.open(one.db, "two") as two:
            assert [memory.content for memory in two.list()] == [PREFERENCE]
    assert PREFERENCE in ws.export("markdown", personal=True)


def test_people_in_one_project_do_not_share_what_is_personal(ws):
    with holdfast.open(ws.db, "bot", "ada") as ada, holdfast.open(ws.db, "bot", "bob") as bob:
        ada.remember(FACT)
        ws.remember(PREFERENCE, type="preference")
        assert [memory.content for memory in ada.list()] == [FACT]
        assert bob.list() == ()
        with holdfast.open(ws.db, "shop", "ada") as elsewhere:
            assert [memory.content for memory in elsewhere.list()] == [FACT]
        with pytest.raises(NotFound):
            bob.get(ada.list()[0].id)


def test_a_persons_own_memories_are_no_project(ws):
    ws.remember(FACT)
    assert [project.name for project in ws.projects()] == [ws.project_name]
    with pytest.raises(NotFound):
        holdfast.open(ws.db, "personal", create_project=False)


@pytest.mark.parametrize("source", ["agent_explicit", "mcp_auto", "commit_auto", "qa_auto"])
def test_what_a_program_stores_about_the_person_stays_in_its_project(ws, other, source):
    stored = ws.remember(PREFERENCE, type="preference", source=source).memory
    assert stored.visibility == "project"
    assert other.list() == ()
    assert [memory.id for memory in ws.personal_suggestions()] == [stored.id]
    assert PREFERENCE in ws.context("write a function").text


def test_a_tainted_statement_of_the_person_stays_in_its_project(ws, other):
    ws.remember(PREFERENCE, type="preference", taint=Taint("WebFetch"))
    assert other.list() == ()


def test_a_program_that_insists_waits_for_a_person(ws, other):
    ws.remember(PREFERENCE, type="preference", source="agent_explicit", visibility="personal")
    assert PREFERENCE not in other.context("write a function").text
    assert [memory.content for memory in other.list(needs_review=True)] == [PREFERENCE]


def test_a_program_only_proposes_a_change_of_what_is_personal(ws, other):
    with ws.session("s1") as session:
        session.say("user", "I live in Lyon.")
    ws.consolidate()
    personal = other.list()[0]
    assert not personal.is_persons
    answer = other.correct(personal.id, "The user lives in Oslo", source="agent_explicit")
    assert answer.outcome == "quarantined"
    assert other.remember("The user lives in Oslo now, not in Lyon", source="agent_explicit").superseded == ()
    with pytest.raises(NotPermitted):
        other.forget(personal.id, source="agent_explicit")
    assert ws.get(personal.id).is_current
    ws.confirm(answer.memory.id)
    assert not ws.get(personal.id).is_current


def test_files_of_a_project_and_imported_texts_stay_in_it(ws, other, tmp_path):
    rules = tmp_path / "CLAUDE.md"
    rules.write_text("# Preferences\n\n- I prefer answers in short sentences\n- The user lives in Lyon\n")
    kept = tmp_path / "mem0.json"
    kept.write_text(json.dumps([{"id": "1", "memory": "User prefers dark themes", "categories": ["preferences"]}]))
    ws.import_files([str(rules), str(kept)])
    ws.import_("## Preference\n\n- I prefer tea\n", "markdown")
    assert {memory.visibility for memory in ws.list()} == {"project"}
    assert other.list() == ()


def test_an_import_is_personal_on_request(ws, other, tmp_path):
    rules = tmp_path / "CLAUDE.md"
    rules.write_text("# Preferences\n\n- I prefer answers in short sentences\n")
    for counts in ({"stored": 1, "duplicate": 0}, {"stored": 0, "duplicate": 1}):
        assert ws.import_files([str(rules)], personal=True).files[0].counts == counts
    assert [memory.visibility for memory in other.list()] == ["personal"]


def test_a_project_archive_cannot_make_its_memories_personal(ws, other):
    ws.remember(PREFERENCE, type="preference", visibility="project")
    forged = json.loads(ws.export())
    forged["memories"][0] |= {"visibility": "personal", "project": "::", "id": "mem_00000000000000000000000000"}
    other.import_(json.dumps(forged))
    assert [memory.visibility for memory in other.list()] == ["project"]
    assert len(ws.list()) == 1


def test_a_marker_in_downloaded_files_does_not_claim_the_person(ws, tmp_path):
    ws.remember(FACT)
    hostile = tmp_path / "hostile"
    (hostile / ".holdfast").mkdir(parents=True)
    (hostile / ".holdfast" / "project").write_text("::\n")
    with holdfast.open(ws.db, str(hostile)) as opened:
        assert opened.project != "::"
        assert [memory.content for memory in opened.list()] == [FACT]
    assert [memory.content for memory in ws.list()] == [FACT]


def test_a_folder_named_like_a_user_is_not_that_user(ws, tmp_path):
    bot, folder = tmp_path / "bot", tmp_path / "bot::ada"
    for made in (bot, folder):
        made.mkdir()
    with holdfast.open(ws.db, str(bot), "ada") as ada, holdfast.open(ws.db, str(folder)) as other:
        ada.remember(FACT)
        ada.remember(KNOWLEDGE)
        assert other.list() == ()
        project = other.project
    with holdfast.open(ws.db, str(folder)) as again:
        assert again.project == project


def test_a_person_moves_a_memory_to_all_projects_and_back(ws, other):
    stored = ws.remember(PREFERENCE, type="preference", source="agent_explicit", tags=["style"]).memory
    personal = ws.make_personal(stored.id)
    assert (personal.visibility, personal.tags, personal.source) == ("personal", ("style",), "agent_explicit")
    assert [memory.id for memory in ws.list()] == [memory.id for memory in other.list()] == [personal.id]
    assert other.recall("how should answers be written?", abstain=False).hits[0].memory.id == personal.id
    assert ws.make_personal(personal.id) == personal
    back = other.make_personal(personal.id, on=False)
    assert [memory.id for memory in other.list()] == [back.id]
    assert ws.list() == ()
    other.undo()
    assert [memory.id for memory in ws.list()] == [personal.id]
    ws.undo()
    assert [memory.id for memory in ws.list()] == [stored.id]
    assert other.list() == ()


def test_what_is_about_files_or_was_said_cannot_be_personal(ws):
    stored = ws.remember(KNOWLEDGE, files=["importer.py"]).memory
    with ws.session("s1") as session:
        session.say("user", "Hello, please read the importer first")
    message = ws.list(types=["episode"])[0]
    for id in (stored.id, message.id):
        with pytest.raises(InvalidMemory):
            ws.make_personal(id)


def test_a_personal_statement_replaces_what_only_the_project_knew(ws, other):
    stored = ws.remember(PREFERENCE, type="preference", source="agent_explicit").memory
    answer = ws.remember(PREFERENCE, type="preference")
    assert (answer.outcome, answer.superseded) == ("superseded", (stored.id,))
    assert [memory.id for memory in other.list()] == [answer.memory.id]


def test_erasing_it_in_one_project_erases_it_in_all(ws, other):
    with ws.session("s1") as session:
        session.say("user", "I live in Lyon.")
    ws.consolidate()
    other.erase([other.list()[0].id])
    assert not contains(ws.container.store, "Lyon")


def test_hooks_supply_it_once(ws, other):
    ws.remember("I prefer answers about deployments in short sentences", type="preference")
    light = SqliteLightStore.open(ws.db)
    assert light is not None
    wanted = (other.project, "s1", "deployments", ["preference"], 5)
    found = [memory.id for memory in light.about_words(*wanted)]
    assert found == [memory.id for memory in ws.list()]
    light.supply(other.project, "s1", found)
    assert light.about_words(*wanted) == []
    light.close()
