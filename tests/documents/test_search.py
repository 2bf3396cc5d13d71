"""Searching documents alone, in three modes; and with memories together."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import holdfast
from holdfast.core.clock import FixedClock
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
def test_documents_do_not_include_code_unless_it_is_asked_for(ws: Workspace, project: Path, mode: str) -> None:
    for n in range(3):
        write(project, f"src/attic{n}.py", f"def open_attic_window_{n}():\n    return 'attic window'\n")
    write(project, "docs/garden.md", "# Garden\n\nThe gate is green.\n")
    ws.index()
    ws.upkeep("embed")
    found = ws.search_documents("attic window", mode).hits
    assert {hit.document.path for hit in found if hit.document} <= {"docs/garden.md"}
    assert len(ws.search_documents("attic window", mode, types=["code"]).hits) == 3


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


def rrf(ranks: Mapping[str, int], weights: Mapping[str, float]) -> float:
    """The score of ranks by weighted reciprocal rank fusion, scaled so that rank 1 on all paths scores 1."""
    used = {path: weight for path, weight in weights.items() if path in ranks}
    best = sum(weights.values()) / 61
    return sum(weight / (60 + ranks[path]) for path, weight in used.items()) / best


@pytest.mark.parametrize(
    ("mode", "weights"),
    [("hybrid", {"words": 0.25, "meaning": 0.5}), ("keyword", {"words": 0.25}), ("vector", {"meaning": 0.5})],
)
def test_rank_fusion_times_confidence_and_links(
    tmp_path: Path, project: Path, mode: str, weights: dict[str, float]
) -> None:
    clock: Any = FixedClock(datetime(2026, 11, 1, tzinfo=UTC))
    with holdfast.open(db=str(tmp_path / "d.db"), project=str(project), clock=clock) as ws:
        for name in ("rope", "cable", "chain"):
            ws.add_document(f"docs/{name}.md", f"# {name}\n\nThe {name} of the anchor is checked in spring.\n")
        ws.add_document("docs/index.md", "# Index\n\nSee [rope](rope.md) and [chain](chain.md) for the anchor.\n")
        ws.upkeep("embed")
        ws.related("docs/rope.md")
        clock.advance(100 * 3_600)
        answer = ws.search_documents("anchor rope checked in spring", mode, recipe="rrf", count=False)
        highest = max(document.pagerank for document in ws.documents())
        assert answer.trace.recipe == "rrf"
        assert {hit.document.path for hit in answer.hits if hit.document} >= {"docs/rope.md", "docs/chain.md"}
        for hit in answer.hits:
            assert hit.document is not None
            confidence = 0.7 + 0.3 * max(0.1, 0.8 * 0.995**100)
            links = 0.8 + 0.2 * hit.document.pagerank / highest
            assert set(hit.why.paths) <= set(weights)
            assert hit.score == pytest.approx(rrf(hit.why.paths, weights) * confidence * links, abs=1e-4)
        assert [hit.score for hit in answer.hits] == sorted((hit.score for hit in answer.hits), reverse=True)


def test_rank_fusion_also_limits_chunks(documents: Workspace) -> None:
    answer = documents.search_documents("kettle whistles", limit=20, per_document=2, recipe="rrf")
    assert sum(hit.files == ("docs/kettle.md",) for hit in answer.hits) == 2
    assert len({hit.files for hit in answer.hits}) == 3


def test_rank_fusion_falls_back_to_words_too(ws: Workspace) -> None:
    ws.add_document("docs/a.md", "# Tea\n\nSteep the oolong for long.\n")
    (hit,) = ws.search_documents("oolong", "vector", recipe="rrf").hits
    assert hit.why.paths == {"words": 1}


def test_recall_by_rank_fusion_counts_the_confidence_of_a_document_once(documents: Workspace) -> None:
    (hit, *_) = documents.recall("stove heats", types=["document"], recipe="rrf", count=False).hits
    own, document = hit.why.factors, hit.document
    assert document is not None
    assert "confidence" not in own
    base = 0.6 * own["relevance"] + 0.25 * own["recency"] + 0.15 * own["frequency"]
    factor = (0.7 + 0.3 * own["document confidence"]) * (0.8 + 0.2 * own["pagerank"])
    assert hit.score == pytest.approx(base * own["phase"] * own["trust"] * factor, abs=1e-4)


@pytest.mark.parametrize("name", ["keyword", "vector"])
def test_the_recipe_of_one_path_is_the_mode_of_that_name(documents: Workspace, name: str) -> None:
    def found(mode: str | None, recipe: str) -> list[str]:
        return [hit.id for hit in documents.search_documents("kettle", mode, recipe=recipe, count=False).hits]

    assert found(None, name) == found(name, "default") == found(name, name) != []
    for other in {"hybrid", "keyword", "vector"} - {name}:
        with pytest.raises(InvalidInput, match=f"mode '{other}' does not go with the recipe '{name}'"):
            documents.search_documents("kettle", other, recipe=name)


def test_an_unknown_recipe_or_a_negative_limit_is_refused(documents: Workspace) -> None:
    with pytest.raises(InvalidInput, match="default, rrf, keyword, vector"):
        documents.search_documents("kettle", recipe="soup")
    with pytest.raises(InvalidInput, match="per_document must be at least 0, not -1"):
        documents.search_documents("kettle", per_document=-1)


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
