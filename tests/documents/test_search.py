"""Searching documents alone, in three modes; and with memories together."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast.core.errors import InvalidInput, NotFound
from holdfast.workspace import Workspace


def write(root: Path, path: str, text: str) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text)


@pytest.fixture
def documents(ws: Workspace, project: Path) -> Workspace:
    long = "\n\n".join(f"## Kettle {n}\n\nThe kettle whistles. {'It is loud. ' * 40}" for n in range(6))
    write(project, "docs/kettle.md", f"# Kettle\n\n{long}\n")
    write(project, "specs/stove.md", "# Stove\n\nThe stove heats the kettle.\n")
    write(project, "docs/guides/tea.md", "# Tea\n\nBoil the kettle, then steep.\n")
    ws.index()
    ws.upkeep("embed")
    return ws


@pytest.mark.parametrize("mode", ["hybrid", "keyword", "vector"])
def test_each_mode_finds_documents_and_nothing_else(documents: Workspace, mode: str) -> None:
    documents.remember("The kettle is from 1950")
    hits = documents.search_documents("kettle", mode, limit=20).hits
    assert {hit.document.path for hit in hits if hit.document} == {
        "docs/kettle.md", "specs/stove.md", "docs/guides/tea.md",
    }  # fmt: skip
    assert all(hit.memory is None for hit in hits)


def test_at_most_some_chunks_of_each_document(documents: Workspace) -> None:
    def paths(limit: int, per_document: int | None = None) -> list[str]:
        answer = documents.search_documents("kettle whistles", "keyword", limit, per_document=per_document)
        return sorted(hit.files[0] for hit in answer.hits)

    assert paths(3, 1) == ["docs/guides/tea.md", "docs/kettle.md", "specs/stove.md"]
    assert paths(6, 0).count("docs/kettle.md") >= 4
    assert paths(20).count("docs/kettle.md") == documents.settings.per_document == 3


def test_labels_and_types_filter_documents(documents: Workspace) -> None:
    assert {hit.files for hit in documents.search_documents("kettle", label="spec").hits} == {("specs/stove.md",)}
    assert {hit.files for hit in documents.search_documents("kettle", doc_type="procedural").hits} == {
        ("docs/guides/tea.md",)
    }
    assert documents.search_documents("kettle", label="nothing").hits == ()


def test_when_vectors_find_nothing_words_are_tried_then_the_text(ws: Workspace, project: Path) -> None:
    write(project, "docs/a.md", "# Tea\n\nSteep the oolong for long.\n")
    ws.index()
    assert ws.search_documents("steep", "vector").trace.recipe == "keyword"
    [hit] = ws.search_documents("eep th", "vector").hits
    assert hit.why.paths == {"substring": 1}


def test_documents_and_memories_are_found_together(documents: Workspace) -> None:
    documents.remember("The kettle is from 1950")
    hits = documents.recall("kettle", abstain=False, limit=30).hits
    assert {hit.type for hit in hits} == {"fact", "document"}


def test_an_unknown_mode_is_refused(documents: Workspace) -> None:
    with pytest.raises(InvalidInput, match="hybrid, keyword, vector"):
        documents.search_documents("kettle", "psychic")


def test_a_superseded_record_ranks_below_its_successor(ws: Workspace, project: Path) -> None:
    write(project, "docs/adr/0003-poll.md", "# 3. Polling jobs\n\nStatus: Accepted\n\nJobs: polling jobs, polling.\n")
    write(
        project, "docs/adr/0009-listen.md", "# 9. Listening\n\nSupersedes ADR-0003\n\nInstead of polling we listen.\n"
    )
    ws.index()
    first, second, *_ = ws.search_documents("polling jobs").hits
    assert (first.document and first.document.path, second.document and second.document.superseded_by) == (
        "docs/adr/0009-listen.md",
        "docs/adr/0009-listen.md",
    )
    assert second.why.factors["superseded"] == 1.0


def test_documents_found_together_are_related(documents: Workspace) -> None:
    documents.search_documents("kettle", "keyword", per_document=1)
    documents.search_documents("kettle", "keyword", per_document=1)
    near = documents.related("docs/kettle.md")
    assert {one.path: one.together for one in near} == {"docs/guides/tea.md": 2, "specs/stove.md": 2}
    with pytest.raises(NotFound):
        documents.related("docs/none.md")


def test_references_of_documents_given_as_text_are_related_too(ws: Workspace) -> None:
    ws.add_document("docs/a.md", "See [the other](b.md).")
    ws.add_document("docs/b.md", "Nothing more.")
    [other] = ws.related("docs/a.md")
    assert (other.path, other.together, other.to) == ("docs/b.md", 0, ("link", "mention"))


def test_cleaning_reports_before_it_removes(documents: Workspace, project: Path) -> None:
    write(project, "docs/again.md", "# Stove\n\nThe stove heats the kettle.\n")
    documents.index()
    documents.upkeep("embed")
    report = documents.gc()
    assert not report.applied
    assert len(report.plan.duplicates) == 1
    before = len(documents.documents())
    assert documents.gc(dry_run=False).applied
    assert documents.gc().plan.duplicates == ()
    documents.index(rehash=True)
    assert documents.gc().plan.duplicates == ()
    assert documents.undo_gc().chunks == 1
    assert len(documents.documents()) == before
    with pytest.raises(NotFound):
        documents.undo_gc()
