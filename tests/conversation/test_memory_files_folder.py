"""HISTORY.md and the session logs: append-only views that can be restored from the rows."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import holdfast
from holdfast.core.conversation import HistoryEntry, Message
from holdfast.core.errors import InvalidFile
from holdfast.sessions.memory_files.folder import Folder
from holdfast.sessions.memory_files.history_file import HistoryFiles, entry_text
from holdfast.sessions.memory_files.session_log import LogHeader, SessionLog, safe_name
from holdfast.workspace import Workspace

T0 = datetime(2026, 1, 30, 14, 30, tzinfo=UTC)
texts = st.text(st.characters(codec="utf-8"), max_size=40)


@pytest.fixture(autouse=True)
def _without_fsync(monkeypatch: pytest.MonkeyPatch) -> None:
    """Turns off fsync: these tests write hundreds of files and cut no power."""
    monkeypatch.setattr(os, "fsync", lambda handle: None)


def entry(number: int, text: str = "", **fields) -> HistoryEntry:
    at = T0 + timedelta(days=number)
    return HistoryEntry(f"{number:026d}", "s1", at, text or f"Day {number}: nets were mended.", **fields)


def message(number: int, text: str = "", **fields) -> Message:
    return Message(f"ep_{number:026d}", "user", text or f"message {number}", T0 + timedelta(minutes=number), **fields)


def files(folder: Folder) -> dict[str, bytes]:
    return {f.name: f.read_bytes() for f in folder.path.iterdir() if not f.name.startswith(".")}


# -- history --------------------------------------------------------------------------------------------------------


def test_an_entry_has_its_time_its_tools_and_a_hidden_end():
    text = entry_text(entry(0, "Mended <!-- entry x --> nets.\n## Not a heading", tools=("bash", "read_file")))
    assert text == (
        "## 2026-01-30T14:30:00.000Z\n\nMended &lt;!-- entry x --> nets.\n&#x23;# Not a heading\n\n"
        "Tools: bash, read_file\n\nSession: s1\n\n<!-- entry 00000000000000000000000000 -->\n\n"
    )


def test_a_raw_fallback_is_marked():
    assert "\n[raw-fallback]\nuser: hello\n" in entry_text(entry(0, "user: hello", how="raw-fallback"))


def test_each_entry_is_in_the_main_file_and_in_its_month(tmp_path: Path):
    folder = Folder(tmp_path)
    assert HistoryFiles(folder).add([entry(n) for n in range(4)]) == 4
    written = files(folder)
    assert set(written) == {"HISTORY.md", "HISTORY-2026-01.md", "HISTORY-2026-02.md"}
    assert written["HISTORY.md"] == written["HISTORY-2026-01.md"] + written["HISTORY-2026-02.md"]


@given(st.lists(texts, max_size=6), st.integers(0, 6))
def test_appending_history_equals_rebuilding_it(tmp_path_factory, texts, cut):
    entries = [entry(n * 9, text) for n, text in enumerate(texts)]
    added, anew = Folder(tmp_path_factory.mktemp("added")), Folder(tmp_path_factory.mktemp("anew"))
    for part in (entries[:cut], entries, entries):
        HistoryFiles(added).add(part)
    HistoryFiles(anew).add(entries)
    assert files(added) == files(anew)


def test_a_truncated_entry_is_kept_and_written_again(tmp_path: Path):
    entries = [entry(0), entry(1)]
    for end in range(len("".join(map(entry_text, entries)))):
        folder = Folder(tmp_path / str(end))
        folder.root.mkdir()
        HistoryFiles(folder).add(entries)
        whole = (folder.path / "HISTORY.md").read_bytes()
        (folder.path / "HISTORY.md").write_bytes(whole[:end])
        HistoryFiles(folder).add(entries)
        mended = (folder.path / "HISTORY.md").read_bytes()
        assert mended.startswith(whole[:end])
        assert all(entry_text(entry).encode() in mended for entry in entries)
        assert HistoryFiles(folder).add(entries) == 0


def test_a_persons_notes_in_the_history_stay(tmp_path: Path):
    folder = Folder(tmp_path)
    HistoryFiles(folder).add([entry(0)])
    with (folder.path / "HISTORY.md").open("a") as opened:
        opened.write("my own note")
    HistoryFiles(folder).add([entry(0), entry(1)])
    assert b"my own note\n\n## 2026-01-31" in files(folder)["HISTORY.md"]


# -- session log ----------------------------------------------------------------------------------------------------

HEADER = LogHeader("s1", "chat", T0)


def log(tmp_path: Path, session: str = "s1") -> SessionLog:
    return SessionLog(Folder(tmp_path).subfolder("sessions"), session)


def lines(session_log: SessionLog) -> list[dict[str, object]]:
    content = session_log.folder.read(session_log.name) or b""
    return [json.loads(line) for line in content.splitlines()]


def test_the_first_line_is_about_the_session(tmp_path: Path):
    session_log = log(tmp_path)
    session_log.append(lambda: HEADER, [message(0, tools=("bash",))])
    session_log.append(lambda: pytest.fail("asked only once"), [message(1)])
    first, *rest = lines(session_log)
    assert first == {"type": "session", "id": "s1", "kind": "chat", "created_at": "2026-01-30T14:30:00.000Z"}
    assert [line["text"] for line in rest] == ["message 0", "message 1"]
    assert rest[0]["tools"] == ["bash"]


@given(st.lists(texts, max_size=5))
def test_appending_to_a_log_equals_rebuilding_it(tmp_path_factory, texts):
    messages = [message(n, text) for n, text in enumerate(texts)]
    appended, written = log(tmp_path_factory.mktemp("one")), log(tmp_path_factory.mktemp("other"))
    for each in messages:
        appended.append(lambda: HEADER, [each])
    written.catch_up(HEADER, messages)
    assert appended.catch_up(HEADER, messages) == 0
    assert appended.folder.read(appended.name) == written.folder.read(written.name)
    assert appended.read().messages == tuple(messages)
    assert appended.read().unknown == ()


def test_a_log_truncated_at_any_byte_is_restored(tmp_path: Path):
    messages = [message(n, "tide\u2028 é") for n in range(3)]
    good = log(tmp_path, "s1")
    good.catch_up(HEADER, messages)
    whole = good.folder.read(good.name) or b""
    for end in range(len(whole)):
        good.folder.write(good.name, whole[:end])
        good.append(lambda: HEADER, [message(9)])
        assert good.read().messages[-1] == message(9)
        good.catch_up(HEADER, [*messages, message(9)])
        assert good.read().messages == (*messages, message(9))
        assert good.read().header == HEADER


def test_unknown_lines_are_counted_and_moved_aside(tmp_path: Path):
    session_log = log(tmp_path)
    session_log.catch_up(HEADER, [message(0)])
    session_log.folder.append(session_log.name, b'garbage\n{"type": "message", "id": 7}\n[[[[\n\xff\xfe\n')
    assert len(session_log.read().unknown) == 4
    assert session_log.catch_up(HEADER, [message(0), message(1)]) == 4
    assert session_log.read().unknown == ()
    assert b"garbage\n" in (session_log.folder.read(session_log.name.replace(".jsonl", ".strange")) or b"")


def test_an_archived_log_has_a_unique_name(tmp_path: Path):
    session_log = log(tmp_path)
    assert session_log.archive(T0) is None
    names = []
    for n in range(2):
        session_log.append(lambda: HEADER, [message(n)])
        names.append(session_log.archive(T0))
    assert names == [f"{safe_name('s1')}.20260130T143000000Z{end}.jsonl" for end in ("", "-2")]
    assert session_log.read().messages == ()


@pytest.mark.parametrize("id", ["../../etc/passwd", "a/b\\c", "CON", "…", "x" * 5000, "a\0b", "\ud800", " ", "-rf"])
def test_a_hostile_id_gives_a_safe_name(tmp_path: Path, id: str):
    session_log = log(tmp_path, id)
    session_log.append(lambda: LogHeader("x", "chat", T0), [message(0)])
    assert [f.parent.name for f in tmp_path.rglob("*.jsonl")] == ["sessions"]
    assert len(session_log.name) < 80


@given(st.text(), st.text())
def test_no_two_sessions_share_a_file(first, second):
    assert (safe_name(first) == safe_name(second)) == (first == second)


def test_the_log_of_another_session_is_ignored(tmp_path: Path):
    session_log = log(tmp_path)
    session_log.folder.write(
        session_log.name, b'{"type": "session", "id": "s2", "kind": "chat", "created_at": "2020-01-01T00:00:00Z"}\n'
    )
    assert session_log.read().header is None
    session_log.catch_up(HEADER, [message(0)])
    assert session_log.read().header == HEADER


# -- in a workspace -------------------------------------------------------------------------------------------------


def test_the_views_follow_a_session(ws: Workspace, project: Path):
    views = ws.container.views
    session = ws.session("build/7")
    for n in range(3):
        session.say("user", f"The tide is at {n} o'clock.")
    session_log = views.log("build/7")
    state = session.state()
    assert state is not None
    assert session_log.read().messages == session.messages()
    assert session_log.read().header == LogHeader.of(state)
    session.trim_before(session.messages()[2].id, "tides")
    views.refresh(["build/7"])
    assert [m.text for m in session_log.read().messages] == ["The tide is at 2 o'clock."]
    header = session_log.read().header
    assert header is not None
    assert header.created_at == state.created_at


def test_the_log_of_an_ended_session_is_archived_whole(ws: Workspace, project: Path):
    session = ws.session("build/7")
    session.say("user", "We always deploy on Tuesdays, because the café is open then.")
    session.say("assistant", "I moved the deployment job to Tuesday at nine and removed the Friday run.")
    session.say("user", "Never deploy on Fridays.")
    ws.new_session("build/7")
    files = list((project / ".holdfast/memory/sessions").glob("build-7-*.jsonl"))
    assert len(files) == 1
    first, *rest = [json.loads(line) for line in files[0].read_text("utf-8").splitlines()]
    assert [line["text"] for line in rest] == [message.text for message in session.messages()]
    assert {"archived_at", "consolidated_to", "trimmed_to"} <= set(first)
    assert "café" in files[0].read_text("utf-8")
    assert "Never deploy on Fridays." in Path(ws.memory_file).read_text("utf-8")
    assert (project / ".holdfast/memory/HISTORY.md").read_text("utf-8").startswith("## 20")
    session.say("user", "A new day begins.")
    assert [m.text for m in ws.container.views.log("build/7").read().messages] == ["A new day begins."]


def test_lost_session_files_are_written_again(ws: Workspace, project: Path):
    for id in ("open", "ended"):
        ws.session(id).say("user", "We always deploy on Tuesdays, because the café is open then.")
        ws.session(id).say("assistant", "I moved the deployment job to Tuesday at nine.")
    ws.new_session("ended")
    ws.consolidate("open")
    folder = project / ".holdfast/memory/sessions"
    before = {file.name: file.read_bytes() for file in folder.glob("*.jsonl")}
    assert len(before) == 2
    for file in folder.glob("*.jsonl"):
        file.unlink()
    ws.sync_memory()
    assert {file.name: file.read_bytes() for file in folder.glob("*.jsonl")} == before
    ws.sync_memory()
    assert {file.name for file in folder.glob("*.jsonl")} == set(before)


def test_a_lost_archive_of_a_session_that_goes_on_comes_back(ws: Workspace, project: Path):
    session, folder = ws.session("build"), project / ".holdfast/memory/sessions"
    for day in ("Tuesdays", "Thursdays"):
        session.say("user", f"We always deploy on {day}, because the café is open then.")
        ws.new_session("build")
    session.say("user", "A new day begins.")
    before = {file.name: file.read_bytes() for file in folder.glob("*.jsonl")}
    first, last = sorted(name for name in before if name.count(".") > 1)
    (folder / last).unlink()
    ws.sync_memory()
    texts = {
        file.name: [json.loads(line).get("text") for line in file.read_text("utf-8").splitlines()]
        for file in folder.glob("*.jsonl")
    }
    assert texts.keys() == before.keys()
    assert texts[last][1:] == ["We always deploy on Thursdays, because the café is open then."]
    assert (folder / first).read_bytes() == before[first]


def test_lines_put_aside_do_not_keep_a_lost_file_away(ws: Workspace, project: Path):
    ws.session("open").say("user", "The tide is at four.")
    file = next((project / ".holdfast/memory/sessions").glob("*.jsonl"))
    before = file.read_bytes()
    file.with_suffix(".strange").write_text("garbage\n", "utf-8")
    file.unlink()
    ws.sync_memory()
    assert file.read_bytes() == before


def test_messages_are_stored_where_no_file_can_be_written(ws: Workspace, project: Path):
    (project / ".holdfast").write_text("not a folder", "utf-8")
    assert ws.session("s1").say("user", "The tide is at four.").memory is not None
    assert ws.consolidate("s1").files is not None


def test_without_the_setting_there_are_no_files(tmp_path: Path, project: Path):
    with holdfast.open(db=str(tmp_path / "m.db"), project=str(project), memory_files=False) as ws:
        ws.session("s1").say("user", "We always deploy on Tuesdays.")
        ws.new_session("s1")
    assert not (project / ".holdfast").exists()


def test_a_project_whose_folder_is_gone_gets_no_files(tmp_path: Path):
    with pytest.raises(InvalidFile, match="does not exist"):
        Folder(tmp_path / "gone").write("MEMORY.md", b"x")
    assert not (tmp_path / "gone").exists()
