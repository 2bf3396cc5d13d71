"""The commands config and projects, suggestions, dates in words, and examples in help."""

from __future__ import annotations

import shlex
from datetime import datetime, timedelta
from pathlib import Path

import click
import pytest

from holdfast.interfaces.cli.app import _root
from holdfast.interfaces.cli.command_arguments import last_moment, moment
from holdfast.interfaces.cli.examples import EXAMPLES


def test_config_shows_changes_and_unsets_a_setting(holdfast, world):
    shown = holdfast("config").out
    assert "All settings have their defaults." in shown or "embedder" in shown
    assert shown.endswith("settings.toml\n`holdfast config --all` lists every setting.\n")
    ran = holdfast("config", "per_session", "3")
    assert ran.code == 0
    assert "per_session" in holdfast("config").out
    assert holdfast("config", "per_session", "--json").json["value"] == 3
    assert holdfast("config", "per_session", "--unset").code == 0
    assert holdfast("config", "per_session", "--json").json["value"] == 0


def test_config_keeps_the_other_lines_of_the_file(holdfast, monkeypatch, tmp_path):
    file = tmp_path / "settings.toml"
    file.write_text("# mine\nper_document = 5\n")
    monkeypatch.setenv("HOLDFAST_SETTINGS", str(file))
    holdfast("config", "per_session", "3")
    holdfast("config", "per_session", "--unset")
    assert file.read_text() == "# mine\nper_document = 5\n"


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (("config", "per_sesion"), "Did you mean 'per_session'?"),
        (("config", "per_sesion", "--unset"), "Did you mean 'per_session'?"),
        (("config", "per_session", "many"), "whole number"),
        (("config", "durability", "some"), "durability = 'some' must be one of"),
        (("config", "near_duplicate", "7"), "must be at most 1"),
        (("config", "embedder", "smal"), "Did you mean 'small'?"),
        (("config", "embedder", "nonsense"), "ollama:MODEL"),
        (("config", "schedule", "enrich 25:00"), "Write it as: enrich 02:00"),
        (("config", "methodology", "zen"), "Use one of: bmad, native, tdd"),
        (("config", "index_preset", "some"), "is none of: any"),
        (("config", "index_roots", "../other"), "outside the project"),
        (("config", "shorthand", "frontend"), "is not like fe = frontend"),
        (("config", "llm_url", "localhost:1234"), "begins with http:// or https://"),
        (("config", "llm_command", "no-such-program -p"), "no-such-program is not installed"),
        (("config", "--unset"), "config NAME --unset"),
        (("serach", "tides"), "did you mean 'search'?"),
        (("session", "imprt", "x"), "did you mean 'import'?"),
        (("remember", "Tides turn.", "--type", "requirment"), "Did you mean 'requirement'?"),
    ],
)
def test_mistakes_name_what_was_probably_meant(holdfast, argv, words):
    ran = holdfast(*argv)
    assert ran.code == 2
    assert words in ran.err


def test_config_hides_keys_and_names_the_environment(holdfast, monkeypatch):
    monkeypatch.setenv("HOLDFAST_LLM_KEY", "very-secret")
    ran = holdfast("config", "--all")
    assert "very-secret" not in ran.out
    assert "HOLDFAST_LLM_KEY" in ran.out
    assert "HOLDFAST_LLM_KEY" in holdfast("config", "llm_key", "other").out


def test_projects_lists_all_projects(holdfast, tmp_path):
    holdfast("remember", "Tides turn twice a day.")
    for folder in ("acme/api", "other/api"):
        (tmp_path / folder).mkdir(parents=True)
        holdfast("remember", f"Rule of {folder}.", "--project", str(tmp_path / folder))
    ran = holdfast("projects")
    assert [line.split()[0] for line in ran.out.splitlines()].count("*") == 1
    assert str(tmp_path / "acme/api") in ran.out
    assert [project["memories"] for project in holdfast("projects", "--json").json] == [1, 1, 1]


def test_an_ambiguous_project_is_rejected_with_the_candidates(holdfast, tmp_path):
    for folder in ("acme/api", "other/api"):
        (tmp_path / folder).mkdir(parents=True)
        holdfast("remember", f"Rule of {folder}.", "--project", str(tmp_path / folder))
    ran = holdfast("list", "--project", "api")
    assert ran.code == 2
    assert str(tmp_path / "acme/api") in ran.err
    assert str(tmp_path / "other/api") in ran.err
    assert "Did you mean 'api'?" in holdfast("list", "--project", "apy").err


@pytest.mark.parametrize("argv", [("search", "tides"), ("list",), ("stats",), ("export",), ("forget", "abcd1234")])
def test_a_mistyped_database_is_not_created(holdfast, tmp_path, argv):
    missing = tmp_path / "no" / "x.db"
    ran = holdfast("--db", str(missing), *argv)
    assert ran.code == 1
    assert "holdfast --db" in ran.err
    assert not missing.parent.exists()


def test_a_new_database_is_created_by_storing(holdfast, tmp_path):
    assert holdfast("--db", str(tmp_path / "new.db"), "remember", "Tides turn.").code == 0


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [("yesterday", 1, 1), ("today", 0, 0), ("hier", 1, 1), ("the day before yesterday", 2, 2)],
)
def test_dates_as_people_write_them(text, first, last):
    today = datetime.now().astimezone().replace(hour=0, minute=0, second=0, microsecond=0)
    if text.startswith("the "):
        text = text.removeprefix("the ")
    assert moment(text) == today - timedelta(days=first)
    assert last_moment(text).astimezone().date() == (today - timedelta(days=last)).date()


@pytest.mark.parametrize("text", ["last week", "3 days ago", "last Tuesday", "in May", "la semaine dernière"])
def test_other_expressions_of_time(text):
    assert moment(text) < last_moment(text)
    assert moment(text) < datetime.now().astimezone()


@pytest.mark.parametrize("text", ["soon", "yesterday or so", "31/12", ""])
def test_other_words_are_no_date(text):
    with pytest.raises(click.BadParameter, match="is not a date"):
        moment(text)


def test_json_has_the_trace_only_with_explain(holdfast):
    holdfast("remember", "Tides turn twice a day.")
    assert "trace" not in holdfast("search", "tides", "--json").json
    assert "steps" in holdfast("search", "tides", "--json", "--explain").json["trace"]
    assert "trace" not in holdfast("context", "tides", "--json").json


def _commands() -> list[str]:
    context = click.Context(_root, info_name="holdfast")
    names = []
    for name in _root.list_commands(context):
        command = _root.get_command(context, name)
        assert command is not None
        within = command.list_commands(context) if isinstance(command, click.Group) else [""]
        names += [f"{name} {inner}".strip() for inner in within]
    return names


def test_every_command_has_an_example():
    missing = sorted(set(_commands()) - set(EXAMPLES))
    assert not missing, f"add examples of {missing} to interfaces/cli/examples.py"
    assert not set(EXAMPLES) - set(_commands())


@pytest.mark.parametrize("line", [line for lines in EXAMPLES.values() for line in lines])
def test_every_example_parses(line, monkeypatch):
    monkeypatch.chdir(Path(__file__).parents[2])
    words = shlex.split(line, comments=True)
    argv = words[len(words) - words[::-1].index("holdfast") :]
    argv = argv[: argv.index(">")] if ">" in argv else argv
    context = click.Context(_root, info_name="holdfast")
    command: click.Command = _root
    while isinstance(command, click.Group):
        _, found, argv = command.resolve_command(context, list(argv))
        assert found is not None
        command = found
    command.make_context(command.name, argv, parent=context)


def test_help_ends_with_the_examples(holdfast):
    said = holdfast("session", "import", "--help").out
    assert "Examples:\n  holdfast session import ~/.claude/projects" in said
