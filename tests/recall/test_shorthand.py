"""Shorthand and word families in queries: what they find, and what they do not change."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from holdfast import Settings
from holdfast import open as open_workspace
from holdfast.core.errors import InvalidSettings
from holdfast.recall.query import shorthand as module
from holdfast.recall.query.shorthand import shorthand
from holdfast.workspace import Workspace


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("which region is prod in?", "Production runs in eu-west-3"),
        ("how big can my PR be?", "Pull requests stay under 400 changed lines"),
        ("open PRs", "Pull requests stay under 400 changed lines"),
        ("pull request size", "Keep every PR small"),
        ("where is the repo?", "The repository lives on the internal forge"),
        ("db backups", "The database is backed up at noon"),
        ("what about auth?", "Authentication uses short tokens"),
        ("I'm getting 429 responses", "The rate limit is a hundred calls a minute"),
        ("how long does a login last", "Session cookies expire after twelve hours"),
        ("when do we deploy?", "Deployments go out on Tuesdays"),
        ("deployment day", "We deploy on Tuesdays"),
        ("quand peut-on déployer ?", "Le déploiement se fait le mardi"),
    ],
)
def test_shorthand_and_other_forms_of_a_word_are_found(ws: Workspace, query: str, text: str) -> None:
    ws.remember(text, type="fact")
    ws.remember("The canteen serves soup at one", type="fact")
    found = ws.recall(query, recipe="keyword", abstain=False)
    assert [hit.text for hit in found.hits] == [text]


def test_the_word_as_written_comes_before_its_other_forms(ws: Workspace) -> None:
    for text in ("Deployments take an hour", "We deploy from the main branch", "Production is in Paris"):
        ws.remember(text, type="fact")
    hits = ws.recall("deploy", recipe="keyword").hits
    assert [hit.text for hit in hits] == ["We deploy from the main branch", "Deployments take an hour"]


def test_the_trace_names_the_variants(ws: Workspace) -> None:
    ws.remember("Deployments to production take an hour", type="fact")
    notes = ws.recall("deploy to prod", recipe="keyword").trace.steps[0].notes
    assert notes["variants"] == {"deploy": ("deployments",), "prod": ("production",)}


def test_a_shorthand_is_not_taken_for_a_misspelt_word(ws: Workspace) -> None:
    ws.remember("The product page lists every prop", type="fact")
    found = ws.recall("prod", recipe="keyword")
    assert "corrected spelling" not in found.trace.steps[0].notes
    assert found.hits == ()


def test_the_meaning_of_a_shorthand_is_embedded_with_it() -> None:
    table = shorthand()
    assert table.spelt_out("Which region is prod in?") == "Which region is prod (production) in?"
    assert table.spelt_out("old PRs") == "old PRs (pull request)"
    assert table.spelt_out("nothing short here") == "nothing short here"


def test_phrases_are_recognised_and_numbers_are_not_inserted() -> None:
    table = shorthand()
    assert table.variants(["open", "pull", "requests"]) == {"pull": ("pr",), "requests": ("pr",)}
    assert table.variants(["pip", "install", "requests"]) == {}
    assert table.variants(["rate", "limit"]) == {}


def test_the_setting_adds_changes_and_removes_entries(tmp_path: Path) -> None:
    settings = Settings(
        background=False, embedder="none", shorthand="FE = frontend, qa = quality assurance | testing, pr="
    )
    with open_workspace(str(tmp_path / "m.db"), str(tmp_path), settings=settings) as ws:
        ws.remember("The frontend is written in Elm", type="fact")
        ws.remember("Testing is done by Marta", type="fact")
        ws.remember("Pull requests stay small", type="fact")
        assert [hit.text for hit in ws.recall("fe").hits] == ["The frontend is written in Elm"]
        assert [hit.text for hit in ws.recall("QA").hits] == ["Testing is done by Marta"]
        assert ws.recall("PR").hits == ()


@pytest.mark.parametrize("entry", ["frontend", "= frontend", "front end = fe"])
def test_a_malformed_entry_is_refused(entry: str) -> None:
    with pytest.raises(InvalidSettings, match="shorthand"):
        shorthand(entry)


def test_a_word_of_a_compound_has_another_sense_unless_the_query_names_the_compound() -> None:
    table = shorthand()
    others = table.other_senses(["pip", "install", "requests"])
    assert others == {"requests": ("feature request", "merge request", "pull request")}
    assert "pull request" not in table.other_senses(["open", "pull", "requests"]).get("requests", ())
    assert table.other_senses(["requests"]) == {}
    assert table.other_senses(["kettle", "tea"]) == {}


def test_the_table_is_in_lower_case_and_sorted() -> None:
    table = json.loads(Path(module._FILE).read_text(encoding="utf-8"))
    assert list(table["shorthand"]) == sorted(table["shorthand"])
    assert table["compounds"] == sorted(table["compounds"])
    assert all(len(compound.split()) == 2 and compound == compound.lower() for compound in table["compounds"])
    for short, meanings in table["shorthand"].items():
        assert short == short.lower()
        assert meanings
        assert all(meaning == meaning.lower() and meaning != short for meaning in meanings)
