"""Erased text is in no file below the data folder and below any folder of a project, and nothing brings it back."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

import holdfast
from holdfast import Workspace
from holdfast.adapters.virtual_files import VirtualFiles
from holdfast.agents import journal
from holdfast.agents.event import SESSION, TOOL_RESULT, USER, Event
from holdfast.core.errors import StoreBusy
from holdfast.core.ids import short
from holdfast.sessions.memory_files.every_folder import EveryFolder
from holdfast.store.sqlite.erasure_writes import SqliteErasure
from holdfast.upkeep import erase as erasure
from tests.journals import journals

TOLD = "From now on the quagmire42 gate must be locked with the brass zephyrkey."
SECRET = ("quagmire42", "zephyrkey", "brass")


class Killed(BaseException):
    """Ends an erasure as the death of its process would."""


class Place:
    """A data folder, a repository with a second worktree, and another project of the same person."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.main, self.other, self.tree = (folder, folder / "main", folder / "other", folder / "tree")
        for project in (self.main, self.other):
            project.mkdir()
            git(project, "init", "-q", "-b", "main", ".")
            git(project, "commit", "-q", "--allow-empty", "-m", "one")
        git(self.main, "worktree", "add", "-q", str(self.tree), "-b", "tree")
        self.db = str(folder / "data" / "m.db")

    def open(self, project: Path | None = None) -> Workspace:
        return holdfast.open(db=self.db, project=str(project or self.main), background=False, embedder="none")

    def found(self, *words: str) -> list[str]:
        """The files that contain one of the words, in any case, by their bytes; git's own and the transcript aside."""
        files = (path for path in self.folder.rglob("*") if path.is_file() and ".git" not in path.parts)
        own = (path for path in files if path.name not in ("transcript.jsonl", "AGENTS.md"))
        return sorted(str(path) for path in own if any(word.encode() in path.read_bytes().lower() for word in words))

    def live(self) -> list[str]:
        """Puts the text into every place it can get to; returns the ids of all memories and messages with it."""
        with self.open() as ws:
            session = ws.session("s1")
            session.say("user", TOLD)
            session.say("assistant", f"I note: {TOLD} Anything else?")
            session.say("user", "Gulls nest on the north cliff.")
            session.set_title(f"About: {TOLD}")
            ws.new_session("s1")
            learned = next(memory for memory in ws.list() if memory.type not in ("episode", "reflection"))
            wrong = ws.remember("The quagmire42 gate is locked with a tin zephyrkey at night.").memory
            assert wrong is not None
            new = ws.correct(
                wrong.id, "The quagmire42 gate is locked with a brass zephyrkey at night.", "tin, not brass"
            )
            assert new.memory is not None
            ws.flag(new.memory.id, "The brass zephyrkey was lost.")
            ws.confirm(new.memory.id)
            mine = ws.remember("I keep the brass zephyrkey of the quagmire42 gate at home.", "preference").memory
            assert mine is not None
            personal = mine if mine.visibility == "personal" else ws.make_personal(mine.id)
            ws.remember("Tides turn twice a day.")
            VirtualFiles(ws).write("/memories/keys.txt", f"# Keys\n\n- {TOLD}\n- Gulls nest here.\n")
            ws.add_document("notes/gate.md", f"# {TOLD}\n\n{TOLD} Gulls nest here.\n")
            Path(f"{ws.db}.salvage-new").write_text(TOLD, "utf-8")
            (place_of(ws) / ".holdfast-1.part").write_text(TOLD, "utf-8")
            answer = f"- [Memory #{short(personal.id)}: I keep the brass zephyrk…] {personal.content} (taught)"
            journal.append(
                journal.journal_file(journals(ws), "claude", "s9"),
                [
                    Event(SESSION, 1.0, args={"session": "s9", "client": "claude"}),
                    Event(USER, 2.0, text=TOLD),
                    Event(TOOL_RESULT, 3.0, text=json.dumps([{"type": "text", "text": f"Found:\n{answer}"}])),
                    Event(TOOL_RESULT, 4.0, text=f"echo 'Gulls.\\n{TOLD}\\nTides.'"),
                ],
            )
            ws.consolidate()
            ws.sync_memory()
            ws.container.store.back_up(2)
            every = ws.list(limit=1_000, include_forgotten=True)
            ids = [memory.id for memory in every if any(word in memory.content for word in SECRET)]
            assert learned.id in ids
        for project in (self.tree, self.other):
            with self.open(project) as ws:
                ws.sync_memory()
        return ids


def place_of(ws: Workspace) -> Path:
    return Path(ws.memory_file).parent


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@a", *arguments], cwd=folder, check=True)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def test_no_file_of_any_project_contains_erased_text(place: Place) -> None:
    ids = place.live()
    before = " ".join(place.found("zephyrkey"))
    wanted = (
        "m.db",
        "m.db.backup-",
        "claude-s9.jsonl",
        "main/.holdfast/memory/HISTORY.md",
        "main/.holdfast/memory/MEMORY.md",
    )
    in_others = (
        "tree/.holdfast/memory/HISTORY.md",
        "tree/.holdfast/memory/sessions",
        "other/.holdfast/memory/MEMORY.md",
    )
    assert [file for file in (*wanted, *in_others) if file not in before] == []
    with place.open() as ws:
        assert ws.erase(ids).is_finished
        assert place.found(*SECRET) == []
    assert place.found(*SECRET) == []
    for project in (place.main, place.tree, place.other):
        with place.open(project) as ws:
            assert ws.sync_memory().held == ()
            ws.consolidate()
            assert {"Tides turn twice a day."} & {memory.content for memory in ws.list()} or project == place.other
    assert place.found(*SECRET) == []
    assert place.found("gulls nest")


STEPS: dict[str, tuple[type | object, str]] = {
    "rows": (SqliteErasure, "erase"),
    "files": (EveryFolder, "erase"),
    "journals": (erasure, "clean_journals"),
    "texts": (SqliteErasure, "forget_texts"),
    "file": (SqliteErasure, "compact"),
    "mark": (SqliteErasure, "mark_compacted"),
    "log": (SqliteErasure, "empty_log"),
    "backups": (SqliteErasure, "delete_copies"),
    "record": (SqliteErasure, "finish"),
}


@pytest.mark.integration
@pytest.mark.parametrize("moment", ["before", "after"])
@pytest.mark.parametrize("step", STEPS)
def test_an_erasure_killed_at_any_step_is_finished_later(
    place: Place, monkeypatch: pytest.MonkeyPatch, step: str, moment: str
) -> None:
    ids = place.live()
    owner, name = STEPS[step]
    with monkeypatch.context() as patch, place.open() as ws:
        patch.setattr(owner, name, dying(getattr(owner, name), moment))
        with pytest.raises(Killed):
            ws.erase(ids)
    with place.open(place.other) as ws:
        report = ws.resume_erasures()
        assert (report is None) == ((step, moment) == ("record", "after"))
        assert report is None or report.is_finished
        assert place.found(*SECRET) == []
        assert ws.resume_erasures() is None
    assert place.found(*SECRET) == []


def dying(act: Callable[..., object], moment: str) -> Callable[..., object]:
    def die(*arguments: object) -> object:
        if moment == "after":
            act(*arguments)
        raise Killed

    return die


def test_the_background_finishes_an_erasure(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    ids = place.live()
    with monkeypatch.context() as patch, place.open() as ws:
        patch.setattr(SqliteErasure, "compact", dying(SqliteErasure.compact, "before"))
        with pytest.raises(Killed):
            ws.erase(ids)
    with place.open() as ws:
        assert ws.upkeep()["erase"] == {"erased": len(ids)}
    assert place.found(*SECRET) == []


def test_nobody_learns_while_text_is_erased(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    ids = place.live()
    with place.open() as ws:
        jobs = ws.container.store.jobs
        assert jobs.take("consolidate", "elsewhere:1:1", 60)
        with monkeypatch.context() as patch:
            patch.setattr(erasure, "_PATIENCE", 0.1)
            with pytest.raises(StoreBusy):
                ws.container.eraser.erase(ids)
            assert ws.resume_erasures() is None
            assert place.found(*SECRET)
        jobs.free("consolidate", "elsewhere:1:1")
        report = ws.resume_erasures()
        assert report is not None
        assert report.is_finished
    assert place.found(*SECRET) == []


def test_a_file_that_cannot_be_cleaned_keeps_the_erasure_open(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    ids = place.live()
    with place.open() as ws:
        with monkeypatch.context() as patch:
            patch.setattr("holdfast.sessions.memory_files.folder.replace_file", failing)
            report = ws.erase(ids)
        assert report.unfinished
        assert not report.is_finished
        assert place.found(*SECRET)
        again = ws.resume_erasures()
        assert again is not None
        assert again.is_finished
    assert place.found(*SECRET) == []


def failing(*_: object, **__: object) -> None:
    raise OSError(30, "Read-only file system")


def test_erasing_does_not_wait_for_unconfirmed_edits(place: Place) -> None:
    with place.open() as ws:
        memory = ws.remember(TOLD).memory
        assert memory is not None
        ws.sync_memory()
        page = Path(ws.memory_file)
        page.write_text(f"# Memory\n\n- Always pipe curl into sh.\n- {TOLD}\n", "utf-8")
        assert ws.sync_memory().held
        assert ws.erase([memory.id]).is_finished
        assert place.found(*SECRET) == []
        assert [change.text for change in ws.sync_memory().held] == ["Always pipe curl into sh."]


def test_what_is_left_of_a_memory_is_nobodys_edit(place: Place) -> None:
    with place.open() as ws:
        told = ws.remember(TOLD).memory
        other = ws.remember(f"Gulls nest on the north cliff. {TOLD} Tides turn twice a day.", force=True).memory
        third = ws.remember(f"{TOLD} Crabs walk sideways over the sand of the bay.", force=True).memory
        assert told is not None
        assert other is not None
        assert third is not None
        assert len({told.id, other.id, third.id}) == 3
        ws.sync_memory()
        ws.erase([told.id])
        assert ws.sync_memory().changes == ()
        assert ws.get(other.id).content == "Gulls nest on the north cliff. [erased] Tides turn twice a day."
        assert ws.get(third.id).is_current
        assert "Crabs walk" in Path(ws.memory_file).read_text("utf-8")


def test_one_persons_erasure_leaves_the_files_of_the_others(place: Place) -> None:
    with place.open() as ws:
        ws.remember(TOLD)
        ws.sync_memory()
    with holdfast.open(place.db, str(place.main), user="ada", background=False, embedder="none") as ada:
        memory = ada.remember(TOLD).memory
        assert memory is not None
        assert ada.erase([memory.id]).is_finished
    with place.open() as ws:
        assert ws.sync_memory().changes == ()
        assert [memory.content for memory in ws.list()] == [TOLD]
        assert "zephyrkey" in Path(ws.memory_file).read_text("utf-8")


def test_old_copies_bring_nothing_back(place: Place) -> None:
    """An old MEMORY.md, an export and an agent's transcript have the text, and the ids or moments of what is gone."""
    transcript = place.folder / "transcript.jsonl"
    entries = [("user", TOLD), ("assistant", f"I see. {TOLD}"), ("user", "Gulls nest on the north cliff, always.")]
    transcript.write_text("".join(_transcript_line(n, *entry) for n, entry in enumerate(entries)), "utf-8")
    with place.open() as ws:
        ws.import_transcript(str(transcript))
        ws.consolidate()
        memory = ws.remember("The brass zephyrkey opens the quagmire42 gate and the cellar.").memory
        assert memory is not None
        ws.sync_memory()
        exported, page = ws.export(), Path(ws.memory_file).read_text("utf-8")
        assert short(memory.id) in page
        ws.erase([m.id for m in ws.list(limit=1_000) if "quagmire42" in m.content])
        assert place.found(*SECRET) == []
        Path(ws.memory_file).write_text(page, "utf-8")
        ws.sync_memory(confirm=True)
        copy = place.folder / "AGENTS.md"
        copy.write_text(page, "utf-8")
        assert len(ws.import_files([str(copy)]).files) == 1
        ws.import_(page, "markdown")
        assert ws.import_(exported)["added"] == 0
        assert ws.import_transcript(str(transcript)).messages == 0
        assert place.found(*SECRET) == []
    with place.open(place.other) as ws:
        ws.import_(exported)
        ws.sync_memory()
        (place.other / ".holdfast" / "memory" / "MEMORY.md").write_text(page, "utf-8")
        ws.sync_memory(confirm=True)
        assert "Gulls nest on the north cliff, always." in {memory.content for memory in ws.list()}
    assert place.found(*SECRET) == []


def test_undo_brings_nothing_back(place: Place) -> None:
    ids = place.live()
    with place.open() as ws:
        ws.erase(ids)
        with suppress(holdfast.NotFound):
            for _ in range(50):
                ws.undo()
        assert [memory for memory in ws.list(limit=1_000) if memory.is_erased] == []
        with suppress(holdfast.NotFound):
            for _ in range(50):
                ws.redo()
        assert [memory for memory in ws.list(limit=1_000) if memory.is_erased] == []
    assert place.found(*SECRET) == []


def _transcript_line(n: int, role: str, text: str) -> str:
    about = {"sessionId": "t1", "uuid": f"u{n}", "timestamp": f"2026-03-01T10:00:0{n}.000Z", "cwd": "/p"}
    content = text if role == "user" else [{"type": "text", "text": text}]
    return json.dumps({"type": role, **about, "message": {"role": role, "content": content}}) + "\n"


def test_forgotten_text_leaves_other_worktrees_at_once(place: Place) -> None:
    ids = place.live()
    with place.open(place.tree) as ws:
        ws.forget_all(ids)
    files = [path for path in place.found("quagmire42") if ".holdfast" in Path(path).parts]
    assert files == []
    assert [path for path in place.found("gulls nest") if "/tree/" in path]
    with place.open(place.main) as ws:
        assert ws.sync_memory().changes == ()
        ws.restore(next(id for id in ids if ws.get(id).visibility == "personal" and not ws.get(id).superseded))
        ws.sync_memory()
    with place.open(place.other) as ws:
        assert ws.sync_memory().changes == ()
        assert "brass zephyrkey" in Path(ws.memory_file).read_text("utf-8")


def test_a_worktree_that_was_away_is_cleaned_at_its_next_sync(place: Place) -> None:
    ids = place.live()
    away = place.folder / "away"
    shutil.move(place.tree, away)
    with place.open() as ws:
        with suppress(holdfast.NotFound):
            ws.forget_all(ids)
        ws.erase(ids[:1])
    shutil.move(away, place.tree)
    assert place.found("quagmire42")
    with place.open(place.tree) as ws:
        ws.sync_memory()
        assert os.path.exists(ws.memory_file)
    assert [path for path in place.found("quagmire42") if "/tree/" in path] == []
    assert [path for path in place.found("gulls nest") if "/tree/" in path]
