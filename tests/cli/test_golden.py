"""Golden files of help, results and JSON shapes."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime

import pytest

from holdfast import workspace
from holdfast.interfaces.cli import command_table as commands
from holdfast.recall.recipes import RECIPES
from tests.cli.conftest import assert_golden


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("argv", [(), ("--help",), ("-h",), ("--json",), ("--help", "search")])
def test_root_help(holdfast, lang, argv):
    ran = holdfast("--lang", lang, *argv)
    assert (ran.code, ran.err) == (0, "")
    assert_golden(f"help.{lang}.txt", ran.out)


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_help_of_a_command(holdfast, lang):
    assert_golden(f"search-help.{lang}.txt", holdfast("search", "--help", "--lang", lang).out)


def test_remember_explains_the_types(holdfast):
    said = holdfast("remember", "--help").out
    assert "a choice and its reason; never decays" in said
    assert "dead_end" in said


def test_search_help_names_every_recipe(holdfast):
    [said] = re.findall(r"Search recipe: ([^.]+)\.", " ".join(holdfast("search", "--help").out.split()))
    assert set(re.findall(r"\w+", said)) - {"or"} == set(RECIPES), (
        "change the help of --recipe in interfaces/cli/memory_commands.py"
    )


@pytest.mark.parametrize(("name", "help"), [(name, help) for name, help, _ in commands.COMMANDS])
def test_every_command_has_help(holdfast, name, help):
    ran = holdfast(name, "--help")
    assert ran.code == 0
    assert ran.out.startswith(f"Usage: holdfast {name}")
    assert help in " ".join(ran.out.split())


def test_version(holdfast):
    from holdfast import __version__

    assert holdfast("--version").out == f"holdfast {__version__}\n"


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_search(holdfast, lang):
    ids = _teach(holdfast)
    assert_golden(f"search.{lang}.txt", holdfast("search", "tides and gulls", "--lang", lang).out, ids)


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_search_on_a_screen(holdfast, lang, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    ids = _teach(holdfast)
    assert_golden(f"search-100.{lang}.txt", holdfast("search", "tides and gulls", "--lang", lang).out, ids)


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_search_names_when_the_same_was_said(holdfast, world, lang, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    with workspace.open(project=str(world)) as ws:
        for day in (1, 3, 5, 5, 7, 9, 11):
            ws.session(f"s{day}").say("user", "The harbour closes at nine.", datetime(2025, 3, day, 12, tzinfo=UTC))
    ran = holdfast("search", "when does the harbour close?", "--lang", lang)
    assert_golden(f"search-repeats.{lang}.txt", ran.out, [ran.id])


def test_show(holdfast):
    ids = _teach(holdfast)
    assert_golden("show.txt", holdfast("show", ids[0]).out, ids)


def test_list(holdfast):
    ids = _teach(holdfast)
    assert_golden("list.txt", holdfast("list", "--order", "oldest").out, ids)


@pytest.mark.parametrize(
    ("name", "argv"),
    [
        ("remember", ("remember", "Crabs walk sideways.", "--json")),
        ("search", ("search", "tides", "--json")),
        ("context", ("context", "tides", "--json")),
        ("list", ("list", "--json")),
        ("stats", ("stats", "--json")),
        ("doctor", ("doctor", "--json")),
        ("init", ("init", "--json")),
        ("export", ("export",)),
    ],
)
def test_shape_of_json(holdfast, name, argv):
    _teach(holdfast)
    shape = json.dumps(_shape(holdfast(*argv).json), indent=1)
    assert_golden(f"shape-{name}.json", shape + "\n")


def _teach(holdfast):
    for argv in (
        ("Tides turn twice a day.", "--type", "decision", "--tag", "sea", "--file", "src/tide.py", "--pin"),
        ("Gulls nest on the north cliff.", "--source", "agent_explicit"),
        ("The harbour office opens at nine.",),
    ):
        assert holdfast("remember", *argv).code == 0
    return [memory["id"] for memory in holdfast("list", "--order", "oldest", "--json").json]


def _shape(value):
    """Names and types without the values; a list is described by its first element."""
    if isinstance(value, dict):
        return {key: _shape(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_shape(value[0])] if value else []
    return type(value).__name__
