"""Messages whose statement a newer memory replaces are marked with it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import holdfast
from holdfast.core.answer import Hit, Replacement
from holdfast.interfaces import language
from holdfast.interfaces.cli import formatting
from holdfast.interfaces.json_values import json_value
from holdfast.interfaces.mcp import render
from holdfast.workspace import Workspace

DAY = datetime(2026, 1, 5, 10, tzinfo=UTC)


@pytest.fixture
def ws(tmp_path: Path) -> Iterator[Workspace]:
    with holdfast.open(db=":memory:", project=str(tmp_path), background=False, memory_files=False) as opened:
        yield opened


def talk(ws: Workspace, day: int, text: str) -> None:
    ws.session(f"s{day}").say("user", text, DAY + timedelta(days=day))
    ws.session(f"s{day}").say("assistant", "OK.", DAY + timedelta(days=day, minutes=1))
    ws.consolidate(f"s{day}")


def message(ws: Workspace, text: str, **how: object) -> Hit:
    hits = ws.recall("on which day do we deploy?", abstain=False, types=("episode",), **how).hits  # type: ignore[arg-type] # as in a call
    return next(hit for hit in hits if hit.type == "episode" and hit.text == text)


def test_a_message_names_the_memory_that_replaces_what_it_said(ws: Workspace) -> None:
    old, new = "From now on we always deploy on Tuesdays.", "From now on we deploy on Thursdays instead of Tuesdays."
    talk(ws, 0, old)
    assert message(ws, old).replaced_by == ()
    talk(ws, 1, new)
    (replacement,) = message(ws, old).replaced_by
    assert replacement.text == new
    assert message(ws, new).replaced_by == ()
    assert message(ws, old, as_of=DAY + timedelta(hours=1)).replaced_by == ()
    assert f"outdated, replaced by #{replacement.id[-8:]}: {new}" in ws.context("when do we deploy?").text
    described = ws.describe(message(ws, old).id)
    assert [memory.id for memory in described.successors] == [replacement.id]


def test_the_last_of_several_replacements_is_named(ws: Workspace) -> None:
    old = "From now on we always deploy on Tuesdays."
    talk(ws, 0, old)
    talk(ws, 1, "From now on we deploy on Thursdays instead of Tuesdays.")
    talk(ws, 2, "From now on we deploy on Mondays instead of Thursdays.")
    assert [new.text for new in message(ws, old).replaced_by] == [
        "From now on we deploy on Mondays instead of Thursdays."
    ]


def test_a_restored_memory_is_not_outdated(ws: Workspace) -> None:
    old = "From now on we always deploy on Tuesdays."
    talk(ws, 0, old)
    talk(ws, 1, "From now on we deploy on Thursdays instead of Tuesdays.")
    replaced = next(m for m in ws.list(include_forgotten=True) if m.superseded)
    ws.restore(replaced.id)
    assert message(ws, old).replaced_by == ()


def test_a_long_replacement_is_shown_in_brief() -> None:
    assert Replacement("id", "short\ntext").brief == "short text"
    assert len(Replacement("id", "long " * 100).brief) <= 100


@pytest.mark.parametrize(("lang", "words"), [("en", "replaced by"), ("fr", "remplacé par")])
def test_command_line_and_mcp_show_the_replacement(ws: Workspace, lang: str, words: str) -> None:
    talk(ws, 0, "From now on we always deploy on Tuesdays.")
    talk(ws, 1, "From now on we deploy on Thursdays instead of Tuesdays.")
    answer = ws.recall("on which day do we deploy?", abstain=False, types=("episode",))
    new = next(hit.replaced_by[0] for hit in answer.hits if hit.replaced_by)
    language.choose(lang, {})
    try:
        assert f"{words} {new.id[-8:]}" in " ".join(formatting.hits(answer, explain=False).split())
    finally:
        language.choose("en", {})
    assert f"outdated, replaced by #{new.id[-8:]}: {new.text}" in render.found(answer).text
    assert {"id": new.id, "text": new.text} in [one for hit in json_value(answer)["hits"] for one in hit["replaced_by"]]


OLD = "For the release we always deploy on Tuesdays, and Iris watches the graphs. Can you look at the flaky test?"
NEW = "From now on we deploy on Thursdays instead of Tuesdays."


def test_the_newer_memory_comes_before_the_outdated_message(ws: Workspace) -> None:
    old = "We deploy on Tuesdays. Can you look at the flaky test?"
    talk(ws, 0, old)
    talk(ws, 1, NEW)
    texts = [hit.text for hit in ws.recall("when do we deploy?", abstain=False).hits]
    assert texts.index(NEW) < texts.index(old)


def test_a_query_about_something_else_in_the_message_keeps_the_message_first(ws: Workspace) -> None:
    talk(ws, 0, OLD)
    talk(ws, 1, NEW)
    assert ws.recall("who watches the graphs, is it Iris?", abstain=False).hits[0].text != NEW


def test_a_query_about_the_past_keeps_the_order(ws: Workspace) -> None:
    talk(ws, 0, OLD)
    talk(ws, 1, NEW)
    query = "On which day did we previously deploy, with Iris at the graphs of the release?"
    assert ws.recall(query, abstain=False).hits[0].text != NEW


def test_a_memory_that_no_search_found_is_added_unless_filters_are_set(ws: Workspace) -> None:
    talk(ws, 0, OLD)
    talk(ws, 1, NEW)
    hits = ws.recall("deploy for the release", abstain=False, limit=1).hits
    assert len(hits) == 1
    said = ws.recall("deploy for the release", abstain=False, types=("episode",)).hits
    assert {hit.type for hit in said} == {"episode"}
