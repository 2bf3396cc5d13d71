"""Every error is one line that says what to do, and stored data stays unchanged."""

from __future__ import annotations

import errno
import hashlib
import io
import os
import sys
from pathlib import Path

import pytest

from holdfast.core.errors import InvalidInput
from holdfast.interfaces.cli.command_arguments import piped_in
from holdfast.interfaces.cli.main import run
from holdfast.workspace import open as open_workspace
from tests.store.database import make_foreign, make_newer


def fails(ran, code, *words):
    assert ran.code == code, ran
    assert ran.out == ""
    assert ran.err.startswith("holdfast: ")
    assert ran.err.count("\n") == 1
    assert "Traceback" not in ran.err
    assert "Internal error" not in ran.err
    for word in words:
        assert word in ran.err


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (("remember", "Tides turn.", "--type", "wisdom"), ("wisdom", "gotcha")),
        (("remember", "Tides turn.", "--confidence", "7"), ("between 0 and 1",)),
        (("remember", "Tides turn.", "--confidence", "nan"), ("between 0 and 1",)),
        (("remember", "Tides turn.", "--confidence", "high"), ("--confidence",)),
        (("remember", "Tides turn.", "--source", "rumour"), ("rumour",)),
        (("remember", "Tides turn.", "--scope", "world"), ("world",)),
        (("remember", "Tides turn.", "--when", "soon"), ("soon", "2026-07-01")),
        (("remember", "Tides turn.", "--field", "why"), ("name=JSON",)),
        (("memory",), ("Missing command", "edit, show, sync", "holdfast memory --help")),
        (("connect", "kelp"), ("AGENT", "claude-code")),
        (("erase", "kelp"), ("did you mean 'forget --erase'?",)),
        (("help", "search"), ("did you mean '--help'?",)),
        (("backup",), ("did you mean 'export'?",)),
        (("remember", "Tides turn.", "--type", "rul"), ("Did you mean 'rule'?",)),
        (("connect",), ("AGENT", "claude-code")),
        (("remember", "Tides turn.", "--field", "why=because"), ("not JSON", "double quotes")),
        (("remember", "Tides turn.", "--field", "why=" + "[" * 100_000), ("not JSON",)),
        (("remember", "Tides turn.", "--field", "why=1"), ("fact has no structured fields",)),
        (("remember", "Tides turn.", "--file", "/etc/passwd"), ("outside the project",)),
        (("remember",), ("Give a text", "holdfast remember --help")),
        (("remember", "Tides turn.", "--lines"), ("Give a text",)),
        (("remember", "Tides \udcff turn."), ("not UTF-8",)),
        (("search",), ("QUERY", "holdfast search --help")),
        (("search", ""), ("the query is empty", "Ask")),
        (("search", "  ", "--mode", "keyword"), ("the query is empty",)),
        (("search", "tides", "--recipe", "soup"), ("soup", "keyword")),
        (("search", "tides", "--recipe", "soup", "--mode", "hybrid"), ("soup", "keyword")),
        (("search", "tides", "--recipe", "keyword", "--mode", "vector"), ("mode 'vector'", "recipe 'keyword'")),
        (("search", "tides", "--mode", "hybrid", "--phase", "define"), ("--phase", "documents")),
        (("search", "tides", "--label", "spec", "--temporal", "trend:3"), ("--temporal", "documents")),
        (("search", "tides", "--type", "wisdom"), ("wisdom",)),
        (("search", "tides", "--since", "31/12"), ("31/12",)),
        (("search", "tides", "--limit", "0"), ("--limit", "'0' is not a whole number from 1 to 10000.")),
        (("search", "tides", "--limit", "many"), ("'many' is not a whole number from 1 to 10000.",)),
        (("search", "tides", "--min-confidence", "7"), ("'7' is not a number from 0 to 1.",)),
        (("context", "tides", "--budget", "0"), ("'0' is not a whole number of at least 1.",)),
        (("search", "tides", "--limit", "9" * 30), ("--limit",)),
        (("search", "tides", "--file", "/etc"), ("outside the project",)),
        (("context", "tides", "--phase", "party"), ("party", "Use one of: define, implement")),
        (("search", "tides", "--phase", "party"), ("party", "Use one of: define, implement")),
        (("search", "tides", "--temporal", "lately"), ("lately", "Write it like recent:5")),
        (("list", "--order", "beauty"), ("beauty",)),
        (("export", "--format", "pdf"), ("pdf",)),
        (("export", "-o", "no/such/folder/out.json"), ("cannot be written",)),
        (("import", "missing.json"), ("missing.json", "cannot be read")),
        (("upkeep", "laundry"), ("laundry", "embed")),
        (("models",), ("holdfast models --help",)),
        (("models", "use", "a/b/c"), ("a/b/c",)),
        (("completion", "tcsh"), ("tcsh",)),
        (("--lang", "tlh", "list"), ("tlh",)),
        (("--bogus",), ("--bogus",)),
        (("dance",), ("dance",)),
        (("search", "tides", "--explian"), ("--explain", "See `holdfast search --help`.")),
    ],
)
def test_invalid_arguments_are_usage_errors(holdfast, argv, words):
    fails(holdfast(*argv), 2, *words)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"", ("empty",)),
        (b" \n\t ", ("empty",)),
        (b"a\0b", ("NUL",)),
        (b"tides turn twice a day " * 90_000, ("characters long", "document")),
    ],
)
def test_text_that_cannot_be_a_memory_is_refused(holdfast, text, words):
    fails(holdfast("remember", "-", stdin=text), 1, *words)
    assert holdfast("list", "--json").json == []


@pytest.mark.parametrize("argv", [("remember", "-"), ("remember", "--lines"), ("context", "-")])
def test_no_more_than_a_limit_is_read_from_standard_input(holdfast, argv):
    fails(holdfast(*argv, stdin=b"a " * 4_000_001), 2, "8,000,000 bytes")


def test_a_closed_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(InvalidInput, match="closed"):
        piped_in()


@pytest.mark.parametrize("argv", [("import",), ("session", "import"), ("validate",)])
@pytest.mark.parametrize("name", ["a\0b", "a" * 10_000, "pipe", "/dev/zero"])
def test_a_file_that_cannot_be_read_is_one_clear_line(holdfast, tmp_path, monkeypatch, argv, name):
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    fails(holdfast(*argv, name), 1 if argv == ("validate",) else 2)


@pytest.mark.parametrize("argv", [("remember", "-"), ("remember", "--lines"), ("context", "-"), ("import", "-")])
def test_broken_utf8_on_standard_input(holdfast, argv):
    fails(holdfast(*argv, stdin=b"tides \xff\xfe turn"), 2, "not UTF-8", "byte 7")


@pytest.mark.parametrize("verb", ["show", "confirm", "flag", "pin", "forget", "restore"])
@pytest.mark.parametrize("id", ["zzzzzzzz", "x", "mem_' or 1=1"])
def test_an_id_nobody_has(holdfast, verb, id):
    fails(holdfast(verb, id), 1, "memory")


def test_an_invalid_line_keeps_none_of_the_lines(holdfast):
    fails(holdfast("remember", "--lines", "--confidence", "3", stdin=b"Tides turn.\nGulls nest.\n"), 2)
    assert holdfast("list", "--json").json == []


def test_a_project_nobody_knows(holdfast):
    fails(holdfast("list", "--project", "atlantis"), 1, "atlantis")


def test_an_invalid_setting(holdfast, monkeypatch):
    monkeypatch.setenv("HOLDFAST_BUSY_SECONDS", "soon")
    fails(holdfast("list"), 2, "busy_seconds")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"garbage",
        b"\xff\xfe\x00",
        b"[]",
        b'{"format": "other"}',
        b'{"format": "holdfast", "version": 99, "memories": []}',
        b'{"format": "holdfast", "version": 1, "memories": 3}',
        b'{"format": "holdfast", "version": 1, "memories": [3]}',
        b'{"format": "holdfast", "version": 1, "memories": [{"id": "mem_1"}]}',
        b'{"format": "holdfast", "version": 1, "memories": [], "events": [3]}',
        b'{"format": "holdfast", "version": 1, "memories": ' + b"[" * 200_000,
    ],
)
def test_garbage_is_not_imported(holdfast, tmp_path, content):
    holdfast("remember", "Tides turn twice a day.")
    before = holdfast("export").json
    file = tmp_path / "in.json"
    file.write_bytes(content)
    fails(holdfast("import", str(file)), 2, "The file cannot be used")
    after = holdfast("export").json
    assert (after["memories"], after["events"]) == (before["memories"], before["events"])


def test_markdown_without_a_list_is_not_imported(holdfast, tmp_path):
    (tmp_path / "in.md").write_text("Nothing here.\n", "utf-8")
    fails(holdfast("import", str(tmp_path / "in.md")), 2, "list items")


def test_a_folder_that_cannot_be_made(holdfast, tmp_path):
    (tmp_path / "file").write_text("I am no folder.", "utf-8")
    fails(holdfast("remember", "Tides turn.", "--db", str(tmp_path / "file" / "memory.db")), 1, "--db")


def _truncated(path: Path) -> None:
    os.truncate(path, 6_000)


def _text(path: Path) -> None:
    path.write_text("Dear diary, " * 400, "utf-8")


def _one_word(path: Path) -> None:
    path.write_text("hello", "utf-8")


@pytest.mark.parametrize("spoil", [make_newer, _truncated, make_foreign, _text, _one_word])
@pytest.mark.parametrize("argv", [("remember", "Gulls nest."), ("list",), ("doctor",)])
def test_a_database_that_is_not_ours_to_touch(holdfast, database, spoil, argv):
    holdfast("remember", "Tides turn twice a day.")
    spoil(database)
    before = hashlib.sha256(database.read_bytes()).hexdigest()
    fails(holdfast(*argv), 1, str(database.name))
    assert hashlib.sha256(database.read_bytes()).hexdigest() == before


def test_an_internal_error_is_one_line_too(holdfast, monkeypatch):
    def break_down(*_, **__):
        raise RuntimeError("the sea\nrose")

    monkeypatch.setattr("holdfast.workspace.open", break_down)
    ran = holdfast("list")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.count("\n") == 1
    assert "the sea rose" in ran.err
    monkeypatch.setenv("HOLDFAST_TRACEBACK", "1")
    with pytest.raises(RuntimeError):
        holdfast("list")


def test_ctrl_c_is_quiet(holdfast, monkeypatch):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("holdfast.workspace.open", interrupt)
    ran = holdfast("list")
    assert (ran.code, ran.out, ran.err) == (130, "", "")


def test_a_person_who_starts_the_mcp_server_is_told_who_should(world, monkeypatch, capsys):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.setattr("holdfast.interfaces.mcp.server.serve", lambda **_: None)
    monkeypatch.setattr(sys, "stdin", Terminal())
    assert run(["mcp"]) == 0
    said = capsys.readouterr()
    assert said.out == ""
    assert "holdfast connect AGENT" in said.err


@pytest.mark.parametrize("command", [("list",), ("init",)])
def test_an_address_is_no_database(holdfast, command):
    said = holdfast("--db", "postgresql://host/memory", *command)
    assert said.code == 2
    assert "is no file" in said.err
    assert not Path("postgresql:").exists()


def test_a_file_that_does_not_fit_on_the_disk_is_no_internal_error(holdfast, monkeypatch):
    with open_workspace(project=".", background=False) as ws:
        ws.after_tool("monday", "Edit", {"file_path": "tide.py"}, "done")

    def full(_handle):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    fails(holdfast("observe"), 1, "The disk is full. Free some disk space and try again.")
