"""Erased text is in no file: the bytes of every file are searched. Forgotten text leaves the generated files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import holdfast
from holdfast import Workspace
from holdfast.agents import journal
from holdfast.agents.event import USER, Event
from holdfast.core.errors import InvalidInput
from holdfast.store.sqlite.backups import back_up
from holdfast.store.sqlite.sqlite_statements import statements
from tests.journals import journals
from tests.store.database import text_columns

TOLD = "From now on the quagmire42 gate must be locked with the brass zephyrkey."
RARE = ("quagmire42", "zephyrkey", "brass")


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    (tmp_path / "project").mkdir()
    return holdfast.open(db=str(tmp_path / "data" / "m.db"), project=str(tmp_path / "project"))


def found(folder: Path, *words: str) -> list[str]:
    """The files with one of the words, in any case."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [str(path) for path in files if any(word.encode() in path.read_bytes().lower() for word in words)]


def lived_in(ws: Workspace) -> list[str]:
    """Stores the text in every place it can get to; returns the ids of the message and of what was learned from it."""
    session = ws.session("s1")
    message = session.say("user", TOLD).memory
    session.say("user", "Gulls nest on the north cliff.")
    session.set_title(f"About: {TOLD}")
    session.end()
    ws.consolidate()
    assert message is not None
    learned = next(memory for memory in ws.list() if "quagmire42" in memory.content and memory.type != "episode")
    ws.remember(learned.content, source="agent_explicit")
    ws.flag(learned.id, f"Not sure that {learned.content}")
    ws.confirm(learned.id)
    ws.remember("Tides turn twice a day.")
    ws.add_entity("Zephyrkey")
    ws.sync_memory()
    events = [Event(USER, 1.0, text=TOLD), Event(USER, 2.0, text="Gulls nest.")]
    journal.append(journal.journal_file(journals(ws), "claude", "s9"), events)
    back_up(ws.db, "v1")
    return [message.id, learned.id]


def test_no_file_contains_an_erased_memory(ws: Workspace, tmp_path: Path) -> None:
    _, learned = lived_in(ws)
    assert len(found(tmp_path, *RARE)) > 4
    report = ws.erase([learned])
    assert report.memories == (learned,)
    assert report.cleaned
    assert report.log_emptied
    assert [Path(path).name for path in report.backups] == ["m.db.backup-v1"]
    assert found(tmp_path, "quagmire42", "brass") == []
    ws.close()
    assert found(tmp_path, "quagmire42", "brass") == []


def test_a_message_takes_along_what_was_learned_from_it(ws: Workspace, tmp_path: Path) -> None:
    message, learned = lived_in(ws)
    assert learned in ws.erase([message]).cleaned
    assert found(tmp_path, "quagmire42", "brass") == []


def test_everything_else_stays(ws: Workspace) -> None:
    message, learned = lived_in(ws)
    ws.erase([learned, message])
    assert {"Tides turn twice a day.", "Gulls nest on the north cliff."} <= {memory.content for memory in ws.list()}
    assert ws.recall("When do the tides turn?").hits[0].text == "Tides turn twice a day."
    assert ws.recall("quagmire42 gate", abstain=False).hits == ()
    assert ws.get(learned).content == "[erased]"
    assert ws.history(learned)[-1].verb == "erase"
    assert all(finding.level.name != "BAD" for finding in ws.doctor().findings)
    assert [event.text for _, event in journal.read(journal.journal_file(journals(ws), "claude", "s9"))] == [
        "",
        "Gulls nest.",
    ]
    assert json.loads(ws.export())["format"] == "holdfast"


def test_an_erased_memory_cannot_be_restored(ws: Workspace) -> None:
    _, learned = lived_in(ws)
    ws.erase([learned])
    with pytest.raises(InvalidInput, match="was erased"):
        ws.restore(learned)
    assert ws.get(learned).forgotten


def test_the_text_before_a_correction_stays_and_is_named(ws: Workspace) -> None:
    before = ws.remember("The staging server is called anemone and listens on port 8443.").memory
    assert before is not None
    after = ws.correct(before.id, "The staging server is called anemone and listens on port 9443.").memory
    assert after is not None
    report = ws.erase([after.id])
    assert (report.cleaned, report.earlier) == ((), (before.id,))
    assert ws.get(before.id).citation == before.citation
    assert ws.erase([before.id]).earlier == ()


def test_erasing_twice_is_harmless(ws: Workspace) -> None:
    _, learned = lived_in(ws)
    ws.erase([learned])
    assert ws.erase([learned]).cleaned == ()


def test_every_text_column_is_erased_or_has_no_text_of_a_memory(ws: Workspace) -> None:
    """A new column must be added to erasure.sql, or here if no text of a memory can get into it."""
    erased = " ".join(statements("erasure").values())
    unhandled = [
        f"{table}.{name}"
        for table, name in text_columns(ws.container.store)
        if table.partition("_")[0] not in ("code", "sqlite")
        and table not in _WITHOUT
        and name not in _COLUMNS_WITHOUT
        and f"clean({name})" not in erased
        and f"clean_json({name})" not in erased
        and f"{table}.{name}" not in _OTHERWISE
    ]
    assert unhandled == []


# Tables of ids, settings and counts; documents, whose text is in the person's own files;
# memories, which are emptied.
_WITHOUT = {
    "metadata", "projects", "project_roots", "embedders", "co_access", "leases", "job_runs", "model_usage",
    "document_links",
    "documents", "chunks", "removed_chunks", "document_titles", "passage_files", "supplied", "enriched",
    "promotions", "memory_uses",
    "observed_files", "embedding_cache", "memories",
}  # fmt: skip
_COLUMNS_WITHOUT = {
    "id", "project_id", "session_id", "memory_id", "owner_id", "kind", "type", "label", "verb", "at", "created_at",
    "last_at", "written_at", "how", "first_id", "last_id", "tools", "said_to", "consolidated_to", "consolidated_at",
    "trimmed_to", "archived_at", "signal", "key", "taint", "branches", "kept_id", "merged_id", "memories",
    "gained_memories", "relation", "role", "session", "untrusted",
}  # fmt: skip
# Emptied with the memory, rebuilt from other rows, or deleted when no memory uses them.
_OTHERWISE = {
    "passages.body", "passages.tags", "passages.files", "passages.terms", "vocabulary.word", "entities.name",
    "entity_names.name", "name_words.word", "entity_merges.name", "entity_merges.aliases", "entity_merges.gained_names",
    "pages.name", "observations.files", "items.key", "items.space", "items.updated_at",
    "items.expires_at", "erasures.texts",
}  # fmt: skip


def test_forgotten_text_leaves_the_generated_files_at_once(ws: Workspace, tmp_path: Path) -> None:
    project = tmp_path / "project"
    message, learned = lived_in(ws)
    assert {Path(path).suffix for path in found(project, "quagmire42")} == {".md", ".jsonl"}
    ws.forget_all([message, learned])
    assert found(project, "quagmire42") == []
    assert found(project, "gulls nest")
    ws.sync_memory()
    ws.consolidate()
    assert found(project, "quagmire42") == []


def test_what_undo_or_restore_forgets_leaves_the_generated_files_at_once(ws: Workspace, tmp_path: Path) -> None:
    taught = ws.remember("The quagmire42 gate opens at noon.").memory
    assert taught is not None
    ws.sync_memory()
    ws.correct(taught.id, "The marsh43 gate opens at noon.")
    ws.sync_memory()
    assert found(tmp_path / "project", "marsh43")
    ws.restore(taught.id)
    assert found(tmp_path / "project", "marsh43") == []
    assert found(tmp_path / "project", "quagmire42")
    ws.remember("The bog44 path is closed.")
    ws.sync_memory()
    assert found(tmp_path / "project", "bog44")
    assert ws.undo().verb == "remember"
    assert found(tmp_path / "project", "bog44") == []


def test_a_lost_history_file_comes_back_without_what_was_forgotten(ws: Workspace, tmp_path: Path) -> None:
    message, learned = lived_in(ws)
    session = ws.session("s2")
    session.say("user", "We decided that the ferry leaves at nine.")
    session.end()
    ws.consolidate()
    ws.forget_all([message, learned])
    for path in (tmp_path / "project").rglob("HISTORY*.md"):
        path.unlink()
    ws.sync_memory()
    assert found(tmp_path / "project", "ferry")
    assert found(tmp_path / "project", "quagmire42") == []


def test_a_line_deleted_from_the_page_leaves_the_history_too(ws: Workspace, tmp_path: Path) -> None:
    _, learned = lived_in(ws)
    page = Path(ws.memory_file)
    lines = page.read_text().splitlines(keepends=True)
    page.write_text("".join(line for line in lines if "quagmire42" not in line))
    assert [change.id for change in ws.sync_memory(confirm=True).changes if change.what == "forgotten"] == [learned]
    assert [path for path in found(tmp_path / "project", "quagmire42") if "HISTORY" in path] == []


def test_nothing_is_created_for_a_project_without_files(ws: Workspace, tmp_path: Path) -> None:
    memory = ws.remember("Tides turn twice a day.").memory
    assert memory is not None
    ws.forget(memory.id)
    ws.erase([memory.id])
    assert list((tmp_path / "project").iterdir()) == []
