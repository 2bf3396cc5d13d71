"""Messages of other programs are imported once, checked like all others, into the project they belong to."""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import holdfast
from holdfast import Workspace
from holdfast.agents.transcript_reasons import TranscriptCode
from holdfast.core.errors import InvalidFile, InvalidInput, NotFound
from holdfast.intake.message_intake import IncomingMessage
from holdfast.system.project import read_identity
from holdfast.system.project_lookup import HASHED_PATH, belongs_to


def chat(path: Path, *messages: tuple[str, str], id: str = "s-1", cwd: str = "", title: str = "") -> Path:
    """A transcript of Claude Code with these messages, one minute apart."""
    records = [
        {
            "type": role,
            "uuid": f"{id}-{n}",
            "sessionId": id,
            "isSidechain": False,
            "timestamp": (datetime(2026, 3, 1, 9, tzinfo=UTC) + timedelta(minutes=n)).isoformat(),
            "message": {"role": role, "content": text},
            **({"cwd": cwd} if cwd else {}),
        }
        for n, (role, text) in enumerate(messages)
    ]
    named = [{"type": "custom-title", "customTitle": title, "sessionId": id}] if title else []
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(record) + "\n" for record in (*records, *named)), "utf-8")
    return path


TALK = (("user", "Which lamp is to port?"), ("assistant", "The red one."), ("user", "Thanks."), ("user", "Thanks."))


def test_messages_are_kept_in_order_with_their_times(ws: Workspace, tmp_path: Path) -> None:
    report = ws.import_transcript(str(chat(tmp_path / "a.jsonl", *TALK, title="Lamps")))
    assert (report.files, report.sessions, report.messages, report.known, report.skipped) == (1, 1, 4, 0, {})
    messages = ws.session("s-1").messages()
    assert tuple((m.role, m.text) for m in messages) == TALK
    assert messages[1].at == datetime(2026, 3, 1, 9, 1, tzinfo=UTC)
    state = ws.sessions()[0]
    assert (state.id, state.title, state.messages, state.kind) == ("s-1", "Lamps", 4, "build")
    assert state.created_at == messages[0].at
    assert ws.recall("red lamp to port", types=["episode"]).hits


def test_a_session_without_a_title_gets_that_of_its_first_request(ws: Workspace, tmp_path: Path) -> None:
    plan = "Implement the following plan:\n\n# Plan: Paint both lamps\n\n## Context\n\nThey are pale."
    long = "The lamp " + "very " * 20 + "near AKIAIOSFODNN7KLMNPQR is pale."
    for id, said in (("s-1", plan), ("s-2", long)):
        ws.import_transcript(str(chat(tmp_path / f"{id}.jsonl", ("user", said), id=id)))
    titles = {state.id: state.title or "" for state in ws.sessions()}
    assert titles["s-1"] == "Paint both lamps"
    assert titles["s-2"].endswith("very…")
    assert len(titles["s-2"]) <= 80


def test_importing_twice_adds_nothing(ws: Workspace, tmp_path: Path) -> None:
    path = chat(tmp_path / "a.jsonl", *TALK, ("user", "The key is AKIAIOSFODNN7KLMNPQR, keep it."))
    first = ws.import_transcript(str(path))
    again = ws.import_transcript(str(path))
    assert (first.messages, again.messages, again.known) == (5, 0, 5)
    assert len(ws.session("s-1").messages()) == 5


def _import_at_once(db: str, root: str, path: str, barrier: Any) -> None:
    with holdfast.open(db=db, project=root) as ws:
        barrier.wait(60)
        ws.import_transcript(path)


@pytest.mark.integration
def test_two_processes_at_once_keep_each_message_once(ws: Workspace, tmp_path: Path) -> None:
    path = chat(tmp_path / "a.jsonl", *(("user", f"Lamp {n} is to port.") for n in range(1500)))
    spawn = multiprocessing.get_context("spawn")
    barrier = spawn.Barrier(2)
    both = [spawn.Process(target=_import_at_once, args=(ws.db, ws.root, str(path), barrier)) for _ in range(2)]
    for process in both:
        process.start()
    for process in both:
        process.join(120)
    assert [process.exitcode for process in both] == [0, 0]
    assert [m.text for m in ws.session("s-1").messages(limit=5000)] == [f"Lamp {n} is to port." for n in range(1500)]


def test_a_transcript_that_grew_adds_what_is_new(ws: Workspace, tmp_path: Path) -> None:
    ws.import_transcript(str(chat(tmp_path / "a.jsonl", *TALK[:2])))
    report = ws.import_transcript(str(chat(tmp_path / "moved.jsonl", *TALK, ("user", "Which lamp is to port?"))))
    assert (report.messages, report.known) == (3, 2)
    assert [m.text for m in ws.session("s-1").messages()] == [*(text for _, text in TALK), TALK[0][1]]


def test_forgotten_messages_are_not_imported_again(ws: Workspace, tmp_path: Path) -> None:
    path = chat(tmp_path / "a.jsonl", *TALK)
    ws.import_transcript(str(path))
    ws.forget(ws.session("s-1").messages()[1].id)
    assert ws.import_transcript(str(path)).known == 4
    assert [m.text for m in ws.session("s-1").messages()] == ["Which lamp is to port?", "Thanks.", "Thanks."]


def test_secrets_are_redacted_in_messages_and_titles(ws: Workspace, tmp_path: Path) -> None:
    key = "AKIAIOSFODNN7KLMNPQR"
    ws.import_transcript(str(chat(tmp_path / "a.jsonl", ("user", f"My key is {key}."))))
    ws.import_transcript(str(chat(tmp_path / "b.jsonl", ("user", "hello there"), id="s-2", title=f"About {key}")))
    assert key not in ws.session("s-1").messages()[0].text
    assert [key in (state.title or "") for state in ws.sessions()] == [False, False]
    assert all(state.title for state in ws.sessions())


def test_the_title_of_the_program_has_precedence_over_the_first_message(ws: Workspace, tmp_path: Path) -> None:
    ws.import_transcript(str(chat(tmp_path / "a.jsonl", *TALK)))
    assert ws.sessions()[0].title == "Which lamp is to port?"
    ws.import_transcript(str(chat(tmp_path / "a.jsonl", *TALK, title="Lamps")))
    assert ws.sessions()[0].title == "Lamps"
    ws.import_transcript(str(chat(tmp_path / "a.jsonl", *TALK)))
    assert ws.sessions()[0].title == "Lamps"


def test_messages_refused_by_the_intake_are_counted(ws: Workspace, tmp_path: Path) -> None:
    path = chat(tmp_path / "a.jsonl", ("user", "fine"), ("user", "a\0b"), ("user", "word " * 200_001))
    report = ws.import_transcript(str(path))
    assert report.messages == 1
    assert report.skipped[TranscriptCode.MESSAGE_TOO_LONG] == 1
    assert list(report.skipped.values()) == [1, 1]


def test_a_folder_import_takes_only_this_project(ws: Workspace, tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    chat(folder / "2026" / "a.jsonl", *TALK, id="here", cwd=f"{ws.root}/src")
    chat(folder / "b.jsonl", *TALK, id="there", cwd=str(tmp_path / "other"))
    chat(folder / "c.jsonl", *TALK, id="somewhere")
    (folder / "settings.json").write_text('{"theme": "dark"}', "utf-8")
    (folder / "notes.txt").write_text("not looked at", "utf-8")
    report = ws.import_transcript(str(folder))
    assert {state.id for state in ws.sessions()} == {"here", "somewhere"}
    assert (report.files, report.sessions, report.messages) == (3, 2, 8)
    assert report.skipped == {TranscriptCode.OTHER_PROJECT: 4, TranscriptCode.NOT_A_TRANSCRIPT: 1}
    assert ws.import_transcript(str(folder), everywhere=True).messages == 4
    assert ws.import_transcript(str(folder / "b.jsonl")).known == 4


def test_gemini_sessions_of_other_projects_are_skipped(ws: Workspace, tmp_path: Path) -> None:
    """Gemini CLI records only the hash of the folder it was started in."""
    folder = tmp_path / "logs"
    folder.mkdir()
    for name, hash in {"here": _sha256(ws.root), "there": _sha256(str(tmp_path / "other")), "unknown": "f00"}.items():
        said = {"id": "1", "type": "user", "timestamp": "2026-03-01T11:00:00Z", "content": f"We sail {name}."}
        head = {"sessionId": name, "projectHash": hash, "messages": [said]}
        (folder / f"{name}.json").write_text(json.dumps(head), "utf-8")
    report = ws.import_transcript(str(folder))
    assert {state.id for state in ws.sessions()} == {"here", "unknown"}
    assert report.skipped == {TranscriptCode.OTHER_PROJECT: 1}
    assert ws.import_transcript(str(folder / "there.json")).messages == 1


def test_a_gemini_session_in_a_worktree_belongs_to_this_project(tmp_path: Path) -> None:
    main, side = tmp_path / "main", tmp_path / "side"
    git = ["git", "-C", str(main)]
    subprocess.run(["git", "init", "-q", str(main)], check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "begin"], check=True)
    subprocess.run([*git, "worktree", "add", "-q", str(side)], check=True)
    project = read_identity(str(main))
    assert belongs_to(HASHED_PATH + _sha256(str(side.resolve())), project, "git")
    assert belongs_to(HASHED_PATH + _sha256(str(main.resolve())), read_identity(str(side)), "git")
    assert not belongs_to(HASHED_PATH + _sha256(str(tmp_path)), project, "git")


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def test_another_worktree_belongs_to_this_project(tmp_path: Path) -> None:
    main, side = tmp_path / "main", tmp_path / "side"
    git = ["git", "-C", str(main)]
    subprocess.run(["git", "init", "-q", str(main)], check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "begin"], check=True)
    subprocess.run([*git, "worktree", "add", "-q", str(side)], check=True)
    chat(tmp_path / "logs" / "a.jsonl", *TALK, cwd=str(side))
    with holdfast.open(db=str(tmp_path / "memory.db"), project=str(main)) as ws:
        assert ws.import_transcript(str(tmp_path / "logs")).messages == 4


def test_a_single_file_that_cannot_be_read_is_an_error(ws: Workspace, tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text("nothing", "utf-8")
    with pytest.raises(InvalidFile, match="not a transcript of a known format"):
        ws.import_transcript(str(tmp_path / "x.jsonl"))
    with pytest.raises(InvalidInput, match="format 'word'"):
        ws.import_transcript(str(tmp_path / "x.jsonl"), "word")


def test_sessions_that_alternate_in_a_file_lose_nothing(ws: Workspace, tmp_path: Path) -> None:
    first, second = chat(tmp_path / "1", *TALK), chat(tmp_path / "2", *TALK, id="s-2")
    pairs = zip(first.read_text("utf-8").splitlines(), second.read_text("utf-8").splitlines(), strict=True)
    mixed = tmp_path / "mixed"
    mixed.write_text("\n".join(line for pair in pairs for line in pair), "utf-8")
    assert ws.import_transcript(str(mixed)).messages == 8
    assert ws.import_transcript(str(mixed)).known == 8


def test_tools_are_stored_with_their_message(ws: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    call = {"content": "It is blue.", "toolRequests": [{"name": "view"}, {"name": "bash"}]}
    path.write_text(json.dumps({"type": "assistant.message", "data": call}), "utf-8")
    ws.import_transcript(str(path))
    ws.session("s").say("assistant", "Painted.", tools=["brush"])
    assert [message.tools for message in ws.session("events").messages()] == [("view", "bash")]
    assert [message.tools for message in ws.session("s").messages()] == [("brush",)]


# -- sessions ---------------------------------------------------------------------------------------------------------


def test_trimmed_messages_leave_only_the_window(ws: Workspace) -> None:
    session = ws.session("s")
    assert (session.state(), session.recap(), session.window()) == (None, None, ())
    session.say_all([IncomingMessage("user", text) for text in ("one", "two", "three")])
    ids = [message.id for message in session.messages()]
    session.trim_before(ids[0], "nothing yet")
    assert session.recap() is None
    session.trim_before(ids[2], "They counted.")
    assert [message.text for message in session.window()] == ["three"]
    assert [message.text for message in session.messages()] == ["one", "two", "three"]
    assert session.recap() == "They counted."
    with pytest.raises(NotFound, match="message nobody"):
        session.trim_before("nobody")


def test_a_session_that_is_ended_is_archived(ws: Workspace) -> None:
    session = ws.session("s")
    session.say("user", "goodbye then")
    session.end()
    state = session.state()
    assert state is not None
    assert state.archived_at is not None


def test_a_session_is_found_by_its_first_characters(ws: Workspace) -> None:
    for id in ("abc-1", "abd-2", "ab"):
        ws.session(id).say("user", "hello there")
    assert ws.find_session("abc").id == "abc-1"
    assert ws.find_session("ab").id == "ab"
    with pytest.raises(InvalidInput, match="3 sessions begin with 'a'"):
        ws.find_session("a")
    for unknown in ("x", ""):
        with pytest.raises(NotFound):
            ws.find_session(unknown)


def test_sessions_in_a_deleted_worktree_are_recognised_by_its_remote(tmp_path: Path) -> None:
    main, gone = tmp_path / "main", str(tmp_path / "main__worktrees" / "fix")
    subprocess.run(["git", "init", "-q", str(main)], check=True)
    url = "git@github.com:harbour/kelp.git"
    subprocess.run(["git", "-C", str(main), "remote", "add", "origin", url], check=True)
    folder = tmp_path / "logs"
    folder.mkdir()
    said = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "We sail at dawn."}]}
    for name, repository in {"ours": "https://github.com/harbour/kelp", "other": "https://github.com/a/b"}.items():
        git = {"repository_url": repository}
        head = {"type": "session_meta", "payload": {"id": name, "cwd": gone, "git": git}}
        item = {"type": "response_item", "timestamp": "2026-03-01T11:00:00Z", "payload": said}
        (folder / f"{name}.jsonl").write_text(f"{json.dumps(head)}\n{json.dumps(item)}\n", "utf-8")
    context = {"cwd": gone, "repository": "harbour/kelp", "repositoryHost": "github.com"}
    start = {"type": "session.start", "data": {"sessionId": "copilot", "context": context}}
    message = {"type": "user.message", "id": "1", "data": {"content": "And come back at night."}}
    (folder / "events.jsonl").write_text(f"{json.dumps(start)}\n{json.dumps(message)}\n", "utf-8")
    with holdfast.open(db=str(tmp_path / "m.db"), project=str(main), background=False, embedder="none") as ws:
        assert ws.import_transcript(str(folder)).skipped == {TranscriptCode.OTHER_PROJECT: 1}
        assert {state.id for state in ws.sessions()} == {"ours", "copilot"}
        assert {report.session for report in ws.observe(str(folder))} == {"ours", "copilot"}


def test_a_session_is_named_after_the_first_message_that_says_something(ws: Workspace, tmp_path: Path) -> None:
    chat(tmp_path / "a.jsonl", ("user", "14"), ("user", "Move the red buoy north."), ("user", "yes"), id="s1")
    chat(tmp_path / "b.jsonl", ("user", "ahoy"), ("user", "yes"), id="s2")
    for name in ("a", "b"):
        ws.import_transcript(str(tmp_path / f"{name}.jsonl"))
    titles = {state.id: state.title for state in ws.sessions()}
    assert titles == {"s1": "Move the red buoy north", "s2": "ahoy"}


def test_a_forked_session_stores_only_its_own_messages(ws: Workspace, tmp_path: Path) -> None:
    """Claude Code begins the file of a resumed or forked session with a copy of the other one."""
    folder = tmp_path / "logs"
    folder.mkdir()

    def record(session: str, uuid: str, text: str) -> str:
        about = {"type": "user", "uuid": uuid, "parentUuid": None, "sessionId": session}
        when = {"timestamp": f"2026-03-01T09:00:0{uuid}Z"}
        return json.dumps({**about, **when, "message": {"role": "user", "content": text}})

    original = [record("first", "1", "We sail."), record("first", "2", "Yes.")]
    (folder / "z.jsonl").write_text("\n".join(original), "utf-8")
    os.utime(folder / "z.jsonl", (1, 1))
    copied = [record("fork", "1", "We sail."), record("fork", "2", "Yes."), record("fork", "3", "We stay.")]
    (folder / "a.jsonl").write_text("\n".join(copied), "utf-8")
    report = ws.import_transcript(str(folder))
    assert (report.messages, report.skipped) == (3, {TranscriptCode.REPEATED: 2})
    assert [message.text for message in ws.session("fork").messages()] == ["We stay."]
    again = ws.import_transcript(str(folder))
    assert (again.messages, again.known) == (0, 3)


def test_the_session_that_specstory_saved_again_adds_nothing(tmp_path: Path) -> None:
    id = "5c7d5c23-0691-4467-b98e-0fb865b4a639"
    about = {"type": "user", "sessionId": id, "uuid": "u", "timestamp": "2026-07-13T13:40:49.512Z"}
    original, copy = tmp_path / "a.jsonl", tmp_path / "a.md"
    original.write_text(json.dumps({**about, "message": {"role": "user", "content": "Paint the hull."}}), "utf-8")
    head = f"<!-- Generated by SpecStory, Markdown v2.1.0 -->\n\n<!-- Claude Code Session {id} (2026-07-13) -->\n\n"
    copy.write_text(f"{head}_**User (2026-07-13 13:40:49Z)**_\n\nPaint the hull.\n", "utf-8")
    with holdfast.open(db=":memory:", embedder="none", background=False) as ws:
        assert ws.import_transcript(str(original)).messages == 1
        report = ws.import_transcript(str(copy))
    assert (report.messages, report.known) == (0, 1)
