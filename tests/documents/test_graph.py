"""The graph of documents, after every kind of change."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.core.clock import FixedClock
from holdfast.documents.document_graph import DocumentGraph
from holdfast.documents.related import RelatedDocument, related
from holdfast.store.protocol import Store
from holdfast.system.project import ProjectIdentity
from tests.store.conftest import NOW, PROJECT, store_at
from tests.store.test_documents import chunks, document

PATHS = ["a.md", "docs/b.md", "docs/adr/0001-c.md", "docs/adr/0002-d.md"]
TEXTS = [
    "nothing here",
    "[b](docs/b.md) and ADR-0001",
    "[up](../a.md)",
    "Status: Superseded by [2](0002-d.md)",
    "Supersedes ADR-0001\n",
    "Refs: b, nowhere",
    "[broken](gone.md)",
]
EDITS = st.lists(
    st.one_of(
        st.tuples(st.just("put"), st.sampled_from(PATHS), st.sampled_from(TEXTS)),
        st.tuples(st.just("remove"), st.sampled_from(PATHS), st.just("")),
        st.tuples(st.just("rename"), st.sampled_from(PATHS), st.sampled_from(PATHS)),
    ),
    max_size=8,
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = new_store(str(tmp_path / "memory.db"))
    yield opened
    opened.close()


def new_store(path: str) -> Store:
    made = store_at(path, FixedClock(NOW).now)
    made.projects.recognise(ProjectIdentity("/project", "project", None, None, PROJECT), "unused", NOW)
    return made


def put(store: Store, path: str, text: str) -> str:
    return store.documents.put(document(path, hash=text), chunks(text, path=path)).document.id


def graph_of(store: Store) -> object:
    """Returns the graph by path: all references, ranks and successors."""
    nodes, links = store.links.graph(PROJECT)
    paths = {node.id: node.path for node in nodes}
    own = sorted((paths[link.source], link.target, link.kind, paths.get(link.document or "", "")) for link in links)
    return own, [(node.path, node.pagerank, node.superseded_by) for node in nodes]


def test_references_make_ranks_and_successors(store: Store) -> None:
    put(store, "docs/adr/0001-c.md", "Status: Superseded by [2](0002-d.md)")
    put(store, "docs/adr/0002-d.md", "Queue it")
    put(store, "a.md", "[b](nowhere.md)")
    report = DocumentGraph(store.links).refresh(PROJECT)
    assert (report.read, report.links, report.broken, report.superseded) == (3, 3, 1, 1)
    ranks = {one.path: one.pagerank for one in store.reading.documents(PROJECT)}
    assert max(ranks, key=lambda path: ranks[path]) == "docs/adr/0002-d.md"
    assert sum(ranks.values()) == pytest.approx(1)
    old = store.reading.document(PROJECT, "docs/adr/0001-c.md")
    assert old is not None
    assert old.superseded_by == "docs/adr/0002-d.md"
    assert DocumentGraph(store.links).refresh(PROJECT).read == 0


def test_a_reference_is_resolved_when_its_document_is_added_later(store: Store) -> None:
    put(store, "a.md", "[b](docs/b.md)")
    assert DocumentGraph(store.links).refresh(PROJECT).links == 0
    put(store, "docs/b.md", "Here I am")
    # Both as a link and as a mention.
    assert DocumentGraph(store.links).refresh(PROJECT).links == 2


@given(edits=EDITS)
@settings(max_examples=40, deadline=None)
def test_step_by_step_is_the_same_as_all_at_once(edits: list[tuple[str, str, str]]) -> None:
    with TemporaryDirectory() as folder:
        store, again = new_store(f"{folder}/one.db"), new_store(f"{folder}/other.db")
        for verb, path, other in edits:
            if verb == "put":
                put(store, path, other)
            elif verb == "remove":
                store.documents.remove(PROJECT, path)
            else:
                store.documents.rename(PROJECT, path, other)
            DocumentGraph(store.links).refresh(PROJECT)
        for one in store.reading.documents(PROJECT):
            put(again, one.path, one.hash)
        DocumentGraph(again.links).refresh(PROJECT)
        assert graph_of(store) == graph_of(again)
        store.close()
        again.close()


def test_the_callback_receives_the_project(store: Store) -> None:
    called: list[str] = []
    DocumentGraph(store.links, called.append).refresh(PROJECT)
    assert called == [PROJECT]


def test_a_document_that_changed_while_it_was_read_is_read_again(store: Store) -> None:
    put(store, "a.md", "[b](docs/b.md)")
    [before] = store.links.unread(PROJECT, 5)
    put(store, "a.md", "nothing here")
    store.links.put(PROJECT, [(before, [("docs/b.md", "link")])])
    assert [one.text for one in store.links.unread(PROJECT, 5)] == ["nothing here"]
    assert store.links.graph(PROJECT)[1] == ()


def test_related_are_those_found_together_then_those_linked(store: Store) -> None:
    one = put(store, "a.md", "[b](docs/b.md)")
    put(store, "docs/b.md", "Here I am")
    three = put(store, "docs/adr/0001-c.md", "[a](../../a.md)")
    four = put(store, "docs/adr/0002-d.md", "nothing here")
    DocumentGraph(store.links).refresh(PROJECT)
    store.usage.found(PROJECT, [[one, four], [four, one], [one, three]], NOW)
    asked = store.reading.document(PROJECT, "a.md")
    assert asked is not None
    assert related(store.links, asked, 3) == (
        RelatedDocument("docs/adr/0002-d.md", 2),
        RelatedDocument("docs/adr/0001-c.md", 1, (), ("link", "mention")),
        RelatedDocument("docs/b.md", 0, ("link", "mention"), ()),
    )
    assert related(store.links, asked, 1) == (RelatedDocument("docs/adr/0002-d.md", 2),)


def test_front_matter_is_part_of_the_references(store: Store) -> None:
    put(store, "docs/adr/0002-d.md", "Queue it")
    old = document("docs/adr/0001-c.md", front={"superseded_by": "ADR-0002"})
    store.documents.put(old, chunks("Poll it", path=old.path))
    DocumentGraph(store.links).refresh(PROJECT)
    assert {one.path: one.superseded_by for one in store.reading.documents(PROJECT)} == {
        "docs/adr/0001-c.md": "docs/adr/0002-d.md",
        "docs/adr/0002-d.md": None,
    }
