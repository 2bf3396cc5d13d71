"""Titles and file names of documents: what they find, and how far they raise a chunk."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast.recall.search.titles import title_matches
from holdfast.recall.weigh.word_measures import terms_of
from holdfast.store.reading import Variants
from holdfast.workspace import Workspace
from tests.documents.test_search import write


def match(query: str, title: str, path: str, variants: Variants | None = None) -> float:
    terms = terms_of(query, query.split(), {}, 10, variants or {})
    return title_matches(terms, {1: (title, path)}).get(1, 0.0)


@pytest.mark.parametrize(
    ("query", "title", "path"),
    [
        ("tuple accessors", "", "text/0184-tuple-accessors.md"),
        ("tuple accessors", "Summary", "text/0184-tuple-accessors.md"),
        ("brewing tea", "Brewing tea", "docs/a.md"),
        ("user name", "", "src/UserName.ts"),
        ("docs kettle", "", "docs/kettle.md"),
        ("kettle", "", "docs/kettle/README.md"),
        ("kettle", "", "docs/kettle/_index.md"),
        ("2024", "", "notes/2024.md"),
    ],
)
def test_a_query_that_names_a_document_matches_it_fully(query: str, title: str, path: str) -> None:
    assert match(query, title, path) > 0.85


def test_more_words_on_either_side_match_less() -> None:
    exact = match("kettle", "", "docs/kettle.md")
    assert exact == pytest.approx(1)
    assert match("kettle", "", "docs/kettle-and-stove.md") == pytest.approx(2 / 3)
    assert match("kettle steam", "", "docs/kettle.md") == pytest.approx(2 / 3)
    assert match("oven", "Stove", "docs/kettle.md") == 0
    assert match("docs", "Stove", "docs/kettle.md") == 0


def test_other_forms_and_shorthand_name_a_document_too() -> None:
    variants = {"deploy": ("deployment",), "pr": ("pull request",)}
    assert match("deploy", "", "docs/deployment.md", variants) == pytest.approx(1)
    assert match("pr", "", "docs/pull-request.md", variants) == pytest.approx(1)
    assert match("pr", "", "docs/pull.md", variants) == 0


@pytest.fixture
def many(ws: Workspace, project: Path) -> Workspace:
    """Documents that all speak of traits, and one that is named so."""
    for n in range(30):
        write(project, f"text/{n:04}-topic-{n}.md", f"# Summary\n\n{'Traits are about traits. ' * (n + 1)}\n")
    write(project, "text/0099-traits.md", "# Summary\n\nAn overview of the whole thing.\n\n# Details\n\nNothing yet.\n")
    ws.index()
    return ws


@pytest.mark.parametrize("recipe", ["default", "keyword"])
def test_a_document_is_found_by_its_name_among_many_that_use_the_word_more(many: Workspace, recipe: str) -> None:
    many.upkeep("embed")
    hits = many.recall("traits", recipe=recipe).hits
    hit = next(hit for hit in hits[:2] if hit.document and hit.document.path == "text/0099-traits.md")
    assert hit.why.factors["title"] == pytest.approx(1)
    assert "title" in hit.why.paths


def test_a_question_that_shares_a_word_with_a_title_is_answered_by_the_text(many: Workspace, project: Path) -> None:
    write(project, "text/0100-kettle.md", "# Summary\n\nOwners of traits descale the kettle with vinegar on Fridays.\n")
    many.index()
    hit = many.recall("who among the owners of traits uses vinegar on Fridays?", recipe="keyword").hits[0]
    assert hit.document is not None
    assert hit.document.path == "text/0100-kettle.md"


def test_a_search_for_memories_does_not_look_at_titles(many: Workspace) -> None:
    many.remember("The traits of a good kettle", type="fact")
    answer = many.recall("traits", types=["fact"], recipe="keyword")
    assert [hit.type for hit in answer.hits] == ["fact"]
    assert {step.step: step.notes for step in answer.trace.steps}["title"] == {"skipped": "recall.no_documents"}
