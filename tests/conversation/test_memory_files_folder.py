"""HISTORY.md and the JSONL of sessions: views that are added to, never lost, and made right from the rows."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import holdfast
from holdfast.conversation.memory_files.folder import Folder
from holdfast.conversation.memory_files.history import HistoryFiles, entry_text
from holdfast.conversation.memory_files.session_log import LogHeader, SessionLog, safe_name
from holdfast.core.conversation import HistoryEntry, Message
from holdfast.core.errors import InvalidFile
from holdfast.workspace import Workspace

T0 = datetime(2026, 1, 30, 14, 30, tzinfo=UTC)
texts = st.text(st.characters(codec="utf-8"), max_size=40)


@pytest.fixture(autouse=True)
def _unsettled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are torn here by the hundred; no power is cut, so the disk need not be waited for."""
    monkeypatch.setattr(os, "fsync", lambda handle: None)


def entry(number: int, text: str = "", **fields) -> HistoryEntry:
    at = T0 + timedelta(days=number)
    return HistoryEntry(f"{number:026d}", "s1", at, text or f"Day {number}: nets were mended.", **fields)


def message(number: int, text: str = "", **fields) -> Message:
    return Message(f"ep_{number:026d}", "user", text or f"message {number}", T0 + timedelta(minutes=number), **fields)


def files(folder: Folder) -> dict[str, bytes]:
    return {f.name: f.read_bytes() for f in folder.path.iterdir() if not f.name.startswith(".")}


# -- history --------------------------------------------------------------------------------------------------------


def test_an_entry_has_its_moment_its_tools_and_a_hidden_end():
    said = entry_text(entry(0, "Mended <!-- entry x --> nets.\n## Not a heading", tools=("bash", "read_file")))
    assert said == (
        "## 2026-01-30T14:30:00.000Z\n\nMended &lt;!-- entry x --> nets.\n&#x23;# Not a heading\n\n"
        "Tools: bash, read_file\n\nSession: s1\n\n<!-- entry 00000000000000000000000000 -->\n\n"
    )


def test_a_fallback_says_so():
    assert "\n[raw-fallback]\nuser: hello\n" in entry_text(entry(0, "user: hello", how="raw-fallback"))


def test_each_entry_stands_in_the_main_file_and_in_its_month(tmp_path: Path):
    folder = Folder(tmp_path)
    assert HistoryFiles(folder).add([entry(n) for n in range(4)]) == 4
    written = files(folder)
    assert set(written) == {"HISTORY.md", "HISTORY-2026-01.md", "HISTORY-2026-02.md"}
    assert written["HISTORY.md"] == written["HISTORY-2026-01.md"] + written["HISTORY-2026-02.md"]


@given(st.lists(texts, max_size=6), st.integers(0, 6))
def test_adding_equals_writing_anew(tmp_path_factory, said, cut):
    entries = [entry(n * 9, text) for n, text in enumerate(said)]
    added, anew = Folder(tmp_path_factory.mktemp("added")), Folder(tmp_path_factory.mktemp("anew"))
    for part in (entries[:cut], entries, entries):
        HistoryFiles(added).add(part)
    HistoryFiles(anew).add(entries)
    assert files(added) == files(anew)


def test_a_torn_end_is_kept_and_its_entry_written_again(tmp_path: Path):
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
        assert all(entry_text(one).encode() in mended for one in entries)
        assert HistoryFiles(folder).add(entries) == 0


def test_what_a_person_wrote_into_the_history_stays(tmp_path: Path):
    folder = Folder(tmp_path)
    HistoryFiles(folder).add([entry(0)])
    with (folder.path / "HISTORY.md").open("a") as opened:
        opened.write("my own note")
    HistoryFiles(folder).add([entry(0), entry(1)])
    assert b"my own note\n\n## 2026-01-31" in files(folder)["HISTORY.md"]


# -- journal --------------------------------------------------------------------------------------------------------

OPENING = LogHeader("s1", "chat", T0)


def log(tmp_path: Path, session: str = "s1") -> SessionLog:
    return SessionLog(Folder(tmp_path).subfolder("sessions"), session)


def lines(one: SessionLog) -> list[dict[str, object]]:
    content = one.folder.read(one.name) or b""
    return [json.loads(line) for line in content.splitlines()]


def test_the_first_line_is_about_the_session(tmp_path: Path):
    one = log(tmp_path)
    one.append(lambda: OPENING, [message(0, tools=("bash",))])
    one.append(lambda: pytest.fail("asked only once"), [message(1)])
    first, *rest = lines(one)
    assert first == {"type": "session", "id": "s1", "kind": "chat", "created_at": "2026-01-30T14:30:00.000Z"}
    assert [line["text"] for line in rest] == ["message 0", "message 1"]
    assert rest[0]["tools"] == ["bash"]


@given(st.lists(texts, max_size=5))
def test_appending_equals_writing_anew_and_reading_gives_it_back(tmp_path_factory, said):
    messages = [message(n, text) for n, text in enumerate(said)]
    one, other = log(tmp_path_factory.mktemp("one")), log(tmp_path_factory.mktemp("other"))
    for each in messages:
        one.append(lambda: OPENING, [each])
    other.catch_up(OPENING, messages)
    assert one.catch_up(OPENING, messages) == 0
    assert one.folder.read(one.name) == other.folder.read(other.name)
    assert one.read().messages == tuple(messages)
    assert one.read().unknown == ()


def test_a_journal_torn_at_any_byte_is_made_whole(tmp_path: Path):
    messages = [message(n, "tide\u2028 é") for n in range(3)]
    good = log(tmp_path, "s1")
    good.catch_up(OPENING, messages)
    whole = good.folder.read(good.name) or b""
    for end in range(len(whole)):
        good.folder.write(good.name, whole[:end])
        good.append(lambda: OPENING, [message(9)])
        assert good.read().messages[-1] == message(9)
        good.catch_up(OPENING, [*messages, message(9)])
        assert good.read().messages == (*messages, message(9))
        assert good.read().header == OPENING


def test_strange_lines_are_told_and_put_aside(tmp_path: Path):
    one = log(tmp_path)
    one.catch_up(OPENING, [message(0)])
    one.folder.append(one.name, b'garbage\n{"type": "message", "id": 7}\n[[[[\n\xff\xfe\n')
    assert len(one.read().unknown) == 4
    assert one.catch_up(OPENING, [message(0), message(1)]) == 4
    assert one.read().unknown == ()
    assert b"garbage\n" in (one.folder.read(one.name.replace(".jsonl", ".strange")) or b"")


def test_an_archived_journal_has_a_name_of_its_own(tmp_path: Path):
    one = log(tmp_path)
    assert one.archive(T0) is None
    names = []
    for n in range(2):
        one.append(lambda: OPENING, [message(n)])
        names.append(one.archive(T0))
    assert names == [f"{safe_name('s1')}.20260130T143000000Z{end}.jsonl" for end in ("", "-2")]
    assert one.read().messages == ()


@pytest.mark.parametrize("id", ["../../etc/passwd", "a/b\\c", "CON", "…", "x" * 5000, "a\0b", "\ud800", " ", "-rf"])
def test_a_hostile_id_gives_a_tame_name(tmp_path: Path, id: str):
    one = log(tmp_path, id)
    one.append(lambda: LogHeader("x", "chat", T0), [message(0)])
    assert [f.parent.name for f in tmp_path.rglob("*.jsonl")] == ["sessions"]
    assert len(one.name) < 80


@given(st.text(), st.text())
def test_no_two_sessions_share_a_file(one, other):
    assert (safe_name(one) == safe_name(other)) == (one == other)


def test_another_sessions_file_is_not_believed(tmp_path: Path):
    one = log(tmp_path)
    one.folder.write(
        one.name, b'{"type": "session", "id": "s2", "kind": "chat", "created_at": "2020-01-01T00:00:00Z"}\n'
    )
    assert one.read().header is None
    one.catch_up(OPENING, [message(0)])
    assert one.read().header == OPENING


# -- in a workspace -------------------------------------------------------------------------------------------------


def test_the_views_follow_a_session(ws: Workspace, project: Path):
    views = ws.container.conversation.views
    session = ws.session("build/7")
    for n in range(3):
        session.say("user", f"The tide is at {n} o'clock.")
    one = views.log("build/7")
    state = session.state()
    assert state is not None
    assert one.read().messages == session.messages()
    assert one.read().header == LogHeader.of(state)
    session.trim_before(session.messages()[2].id, "tides")
    views.refresh(["build/7"])
    assert [m.text for m in one.read().messages] == ["The tide is at 2 o'clock."]
    header = one.read().header
    assert header is not None
    assert header.created_at == state.created_at


def test_a_session_that_is_over_is_put_by_whole(ws: Workspace, project: Path):
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
    assert [m.text for m in ws.container.conversation.views.log("build/7").read().messages] == ["A new day begins."]


def test_a_session_is_kept_where_no_file_can_be(ws: Workspace, project: Path):
    (project / ".holdfast").write_text("not a folder", "utf-8")
    assert ws.session("s1").say("user", "The tide is at four.").memory is not None
    assert ws.consolidate("s1").files != ""


def test_without_the_setting_there_are_no_files(tmp_path: Path, project: Path):
    with holdfast.open(db=str(tmp_path / "m.db"), project=str(project), memory_files=False) as ws:
        ws.session("s1").say("user", "We always deploy on Tuesdays.")
        ws.new_session("s1")
    assert not (project / ".holdfast").exists()


def test_a_project_whose_folder_is_gone_gets_no_files(tmp_path: Path):
    with pytest.raises(InvalidFile, match="does not exist"):
        Folder(tmp_path / "gone").write("MEMORY.md", b"x")
    assert not (tmp_path / "gone").exists()
