"""The small modules that every hook imports: JSON, settings, events, journals, the log of failures."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.agents import event as kinds
from holdfast.agents import journal
from holdfast.agents.event import Event
from holdfast.core.light_json import read_json, write_json
from holdfast.system import hook_log, light_settings
from holdfast.system import settings_file as settings
from holdfast.system.data_folder import DataFolder
from holdfast.system.platform_folders import settings_file

plain = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**20), 10**20) | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)
events = st.builds(
    Event,
    st.sampled_from(kinds.KINDS),
    st.floats(0, 2e9),
    text=st.text(),
    tool=st.text(),
    args=st.dictionaries(st.text(), plain, max_size=3),
    id=st.text(),
    step=st.integers(0, 10**6),
    error=st.booleans(),
    agent=st.text(),
)


@given(plain)
def test_json_is_read_and_written_as_by_the_package(value):
    assert json.loads(write_json(value)) == value
    assert read_json(json.dumps(value)) == value
    assert read_json(f" \n{write_json(value)}\t ") == value
    assert write_json(value).isascii()


@pytest.mark.parametrize("text", ["", "{", "[1,]", '{"a" 1}', "nothing", "1 2", '"\\x"', "{'a': 1}", "[" * 100_000])
def test_text_that_is_not_json_is_refused(text):
    with pytest.raises((ValueError, RecursionError)):
        read_json(text)


def test_what_is_no_json_value_is_not_written():
    with pytest.raises(TypeError):
        write_json({"a": object()})


@given(st.lists(events, max_size=8))
def test_a_journal_returns_its_events(tmp_path_factory, written):
    file = str(tmp_path_factory.mktemp("journal") / "a" / "b.jsonl")
    for event in written:
        journal.append(file, [event])
    read = list(journal.read(file))
    assert [event for _, event in read] == written
    assert all(list(journal.read(file, at)) == read[place + 1 :] for place, (at, _) in enumerate(read))


def test_only_a_new_journal_begins_with_its_header(tmp_path):
    file, header = str(tmp_path / "s.jsonl"), Event(kinds.SESSION, 1.0)
    for at in (2.0, 3.0):
        journal.append(file, [Event(kinds.USER, at)], header)
    assert [event.kind for _, event in journal.read(file)] == [kinds.SESSION, kinds.USER, kinds.USER]


@pytest.mark.parametrize("damage", [b'{"kind": "user", "a', b"\xff\xfe\n", b"[1, 2]\n", b'{"kind": "new"}\n', b"\0\n"])
def test_damage_spoils_no_other_event(tmp_path, damage):
    file = tmp_path / "s.jsonl"
    first, last = Event(kinds.USER, 1.0, text="a"), Event(kinds.STOP, 2.0)
    journal.append(str(file), [first])
    with open(file, "ab") as opened:
        opened.write(damage)
    journal.append(str(file), [last])
    assert [event for _, event in journal.read(str(file))] == [first, last]
    assert journal.tail(str(file), 10_000) == [first, last]


def test_an_event_that_is_still_being_written_is_left_for_later(tmp_path):
    file = tmp_path / "s.jsonl"
    journal.append(str(file), [Event(kinds.USER, 1.0)])
    whole = len(file.read_bytes())
    line = b'\n{"kind": "stop", "at": 2.0}\n'
    file.write_bytes(file.read_bytes() + line[:-3])
    read = list(journal.read(str(file)))
    assert [event.kind for _, event in read] == [kinds.USER]
    file.write_bytes(file.read_bytes() + line[-3:])
    assert [event.kind for _, event in journal.read(str(file), read[-1][0])] == [kinds.STOP]
    assert read[-1][0] <= whole


def test_the_tail_begins_with_a_whole_event(tmp_path):
    file = str(tmp_path / "s.jsonl")
    for step in range(1, 200):
        journal.append(file, [Event(kinds.TOOL_CALL, 1.0, step=step, text="x" * step)])
    found = journal.tail(file, 3_000)
    assert found[-1].step == 199
    assert [event.step for event in found] == list(range(found[0].step, 200))


def test_a_full_journal_takes_no_more(tmp_path, monkeypatch):
    file = str(tmp_path / "s.jsonl")
    monkeypatch.setattr(journal, "MOST_BYTES", 500)
    taken = [journal.append(file, [Event(kinds.USER, 1.0, text="x" * 100)]) for _ in range(20)]
    assert taken.count(True) < 6
    assert os.path.getsize(file) < 800


def test_a_journal_belongs_to_its_owner_alone(tmp_path):
    file = journal.journal_file(DataFolder.beside(str(tmp_path / "m.db")).journals("p"), "claude-code", "s")
    journal.append(file, [Event(kinds.USER, 1.0)])
    assert stat.S_IMODE(os.stat(file).st_mode) == 0o600
    assert stat.S_IMODE(os.stat(os.path.dirname(file)).st_mode) == 0o700


@given(st.text(), st.text(), st.text())
def test_no_name_leaves_the_folder_of_journals(project, client, session):
    file = journal.journal_file(DataFolder.beside("/data/m.db").journals(project), client, session)
    assert os.path.normpath(file) == file
    assert os.path.dirname(os.path.dirname(file)) == "/data/m.db-journals"
    assert file.isascii()
    assert len(os.path.basename(file) + journal.OBSERVED) < 255


@given(st.text(min_size=1), st.text(min_size=1))
def test_two_sessions_have_two_journals(one, other):
    if one != other:
        files = [journal.journal_file("p", "c", session) for session in (one, other)]
        assert files[0] != files[1]


def test_a_link_in_place_of_a_journal_is_not_followed(tmp_path):
    target, file = tmp_path / "precious", tmp_path / "s.jsonl"
    target.write_text("mine")
    file.symlink_to(target)
    with pytest.raises(OSError, match=r"symbolic|links"):
        journal.append(str(file), [Event(kinds.USER, 1.0)])
    assert target.read_text() == "mine"


_LINES = [
    'db = "/data/a.db"',
    'db = "C:\\\\data\\\\a.db"',
    "db = '/data/a b.db'",
    'db = "/data/#a.db"  # mine',
    'identity = "folder"',
    'inject = "passive"',
    'user = "ada"',
    "trust_level = 3",
    "hook_seconds = 1.5",
    "near_duplicate = 0.8",
    "background = false",
    "# a comment = 1",
    "",
]


@given(st.lists(st.sampled_from(_LINES), unique_by=lambda line: line.split("=")[0], max_size=6))
def test_hooks_read_the_settings_that_the_workspace_reads(tmp_path_factory, lines):
    home = tmp_path_factory.mktemp("home")
    environment = {"HOME": str(home)}
    file = Path(settings_file(environment))
    file.parent.mkdir(parents=True)
    file.write_text("\n".join(lines) + "\n")
    whole, light = settings.read(str(file), environment), light_settings.read_hook_settings(environment)
    assert light.db == os.path.abspath(whole.db or home / ".local" / "share" / "holdfast" / "holdfast.db")
    assert (light.identity, light.inject, light.trust_level) == (whole.identity, whole.inject, whole.trust_level)
    assert light.seconds == whole.hook_seconds
    assert light.user == whole.user


def test_the_environment_wins_and_invalid_values_count_as_defaults(tmp_path):
    environment = {"HOME": str(tmp_path), "HOLDFAST_DB": "x.db", "HOLDFAST_INJECT": "loud", "HOLDFAST_TRUST_LEVEL": "?"}
    light = light_settings.read_hook_settings(environment)
    assert (light.db, light.inject, light.trust_level) == (os.path.abspath("x.db"), "full", 2)


def test_failures_are_logged_within_bounds(tmp_path):
    environment = {"HOME": str(tmp_path)}
    for number in range(2_000):
        hook_log.log_failure(environment, "claude-code Stop", f"error {number} " + "x" * 500)
    found = hook_log.read_failures(environment, 0)
    assert found[-1]["error"].startswith("error 1999 ")
    assert os.path.getsize(hook_log.hook_log_file(environment)) < 140_000
    assert hook_log.read_failures(environment, found[-1]["at"] + 1) == []


def test_a_log_that_cannot_be_written_is_no_error(tmp_path):
    (tmp_path / ".local").write_text("a file")
    hook_log.log_failure({"HOME": str(tmp_path)}, "a", "b")
    assert hook_log.read_failures({"HOME": str(tmp_path)}, 0) == []


@pytest.mark.program
def test_processes_that_append_at_once_do_not_mix_their_lines(tmp_path):
    file = tmp_path / "s.jsonl"
    code = (
        "import sys; from holdfast.agents import journal; from holdfast.agents.event import Event\n"
        f"for step in range(1, 201): journal.append({str(file)!r},"
        " [Event('user', 1.0, text='x' * 3_000, agent=sys.argv[1], step=step)])"
    )
    running = [subprocess.Popen([sys.executable, "-c", code, str(number)]) for number in range(4)]
    assert [process.wait() for process in running] == [0] * 4
    found = [event for _, event in journal.read(str(file))]
    for number in range(4):
        assert [event.step for event in found if event.agent == str(number)] == list(range(1, 201))


@pytest.mark.parametrize("text", ['{"torn', '{"a" 1}', '"\\u12', "[1,", ""])
def test_malformed_json_is_a_value_error_also_before_json_is_imported(text: str) -> None:
    code = f"""
import sys
from holdfast.core.light_json import read_json
assert "json" not in sys.modules
try:
    read_json({text!r})
except ValueError:
    sys.exit(7)
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 7
