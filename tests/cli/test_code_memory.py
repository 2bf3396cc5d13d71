"""Memories bound to code on the command line: what is shown when their code changed."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Call

SOURCE = "def parse_config(text):\n    rows = text.splitlines()\n    return dict(row.split('=') for row in rows)\n"


def test_an_edit_is_shown_in_every_list_and_its_difference_on_request(world: Path, holdfast: Call) -> None:
    source = world / "config.py"
    source.write_text(SOURCE)
    id = holdfast("remember", "parse_config ignores comments", "--type", "gotcha", "--file", "config.py").id
    assert "config.py:parse_config  1-3  unchanged" in holdfast("show", id).out
    source.write_text(SOURCE.replace("dict(", "list(") + "\n")
    assert "code changed since" in holdfast("search", "parse_config comments").out
    assert "code changed since" in holdfast("list").out
    shown = holdfast("show", id).out
    assert "config.py:parse_config  1-3  changed, 67 % as before" in shown
    assert "--diff" in shown
    diff = holdfast("show", id, "--diff").out
    assert "-    return dict(row.split('=') for row in rows)\n+    return list(row.split('=') for row in rows)" in diff
    assert holdfast("show", id, "--diff", "--json").json["changes"][0]["diff"].startswith("--- config.py:parse_config")
    assert holdfast("confirm", id).code == 0
    assert "1-3  unchanged" in holdfast("show", id).out


def test_the_index_says_what_became_of_memories(world: Path, holdfast: Call) -> None:
    (world / "config.py").write_text(SOURCE)
    id = holdfast("remember", "parse_config ignores comments", "--type", "gotcha", "--file", "config.py").id
    (world / "config.py").rename(world / "settings.py")
    assert "memories: 1 followed code that moved" in holdfast("index", "--only", "code").out
    assert "settings.py:parse_config" in holdfast("show", id).out
    holdfast("remember", "It fails on comments", "--source", "agent_explicit", "--file", "settings.py")
    (world / "settings.py").unlink()
    said = holdfast("index", "--only", "code").out
    assert "memories: 1 of yours to review because their code is gone, 1 retired because their code is gone" in said
    assert "ignores comments" in holdfast("list", "--review").out
    assert "fails on comments" not in holdfast("search", "settings.py comments").out
    assert "stale, code deleted" in holdfast("list", "--forgotten").out


def test_fields_of_code_are_options_of_remember(world: Path, holdfast: Call) -> None:
    (world / "config.py").write_text(SOURCE)
    options = ["--node", "config.py:parse_config", "--affects", "main.py", "--chunk", "function:1-3"]
    id = holdfast("remember", "It ignores comments", *options).id
    shown = holdfast("show", id).out
    for line in ("config.py:parse_config", "main.py", "function 1-3"):
        assert line in shown
    assert holdfast("remember", "It is gone by now", "--stale-at", "2020-01-01").code == 0
    assert holdfast("list").out.count("\n") == 1
    later = holdfast("remember", "It is replaced later", "--stale-at", "2999-01-01").id
    assert "(stale)" not in holdfast("list").out
    assert "stale from" in holdfast("show", later).out
    assert "TYPE:LINE-LINE" in holdfast("remember", "It ignores comments", "--chunk", "nothing").err
