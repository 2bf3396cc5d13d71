"""What every engine must do with many documents: write them together, rename, relabel, find unchanged ones."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.core.document import Chunk, Document, DocumentChunk, FileStat
from holdfast.core.embedding import Embedding
from holdfast.core.errors import HoldfastError
from holdfast.store.protocol import Store
from holdfast.text.bags import bag
from tests.store.conftest import NOW, PROJECT, passages_by_owner
from tests.store.test_documents import chunks, document, found, passages

STATES = st.lists(
    st.dictionaries(st.sampled_from(["a.md", "b.md", "c.md"]), st.lists(st.sampled_from("xyz"), max_size=4)),
    min_size=1,
    max_size=3,
)


def given_of(path: str, *texts: str, **fields: Any) -> tuple[Document, list[Chunk]]:
    return document(path, **fields), chunks(*texts, path=path)


def known(store: Store) -> dict[str, list[str]]:
    """The texts of each document's chunks, read from its passages."""
    found = store.reading.hydrate(list(passages_by_owner(store).values())).values()
    parts = [part for part, _ in found if isinstance(part, DocumentChunk)]
    said: dict[str, list[str]] = {one.path: [] for one in store.reading.documents(PROJECT)}
    for part in sorted(parts, key=lambda part: part.chunk.ordinal):
        said[part.document.path].append(part.chunk.text)
    return said


def test_many_documents_are_written_together(store: Store) -> None:
    reports = store.documents.put_all([given_of("a.md", "Steep it", "Pour it"), given_of("b.md", "Boil it")])
    assert [(r.document.path, r.added) for r in reports] == [("a.md", 2), ("b.md", 1)]
    assert known(store) == {"a.md": ["Steep it", "Pour it"], "b.md": ["Boil it"]}
    assert found(store, "steep") == {"Steep it"}
    assert found(store, "guide tea") == {"Steep it", "Pour it", "Boil it"}
    assert store.documents.put_all([]) == ()


def test_a_batch_is_written_whole_or_not_at_all(store: Store) -> None:
    with pytest.raises(HoldfastError):
        store.documents.put_all([given_of("a.md", "Steep it"), given_of("a.md", "Pour it")])
    assert known(store) == {}


@given(states=STATES)
@settings(max_examples=30, deadline=None)
def test_together_is_the_same_as_one_by_one(store: Store, states: list[dict[str, list[str]]]) -> None:
    store.documents.remove_all(PROJECT, ["a.md", "b.md", "c.md"])
    now: dict[str, list[str]] = {}
    for state in states:
        now |= state
        store.documents.put_all([given_of(path, *texts) for path, texts in state.items()])
        assert known(store) == now
    assert not [finding for finding in store.health.examine() if finding.level == "bad"]


def test_a_document_keeps_everything_when_it_is_renamed(store: Store) -> None:
    first = store.documents.put(*given_of("docs/old.md", "Steep it")).document
    store.usage.found(PROJECT, [[first.id]], NOW)
    [passage] = passages(store, "steep")
    looked = Embedding("m", 2, bytes(4))
    store.memories.put_vectors({passage: looked})
    assert store.documents.rename(PROJECT, "docs/old.md", "guide/new.md")
    moved = store.reading.document(PROJECT, "guide/new.md")
    assert moved is not None
    assert (moved.id, moved.access_count) == (first.id, 1)
    assert store.reading.document(PROJECT, "docs/old.md") is None
    assert passages(store, "new") == [passage]
    assert passages(store, "old") == []
    assert store.reading.files_of([passage]) == {passage: ("guide/new.md",)}
    assert list(store.reading.vectors("m", [passage])) == [passage]
    assert not store.reading.pending("m", 5)
    assert store.reading.traits([passage]).bags == (bag("Steep it Guide Tea guide/new.md"),)
    assert not [finding for finding in store.health.examine() if finding.level == "bad"]


def test_a_rename_does_not_cover_another_document(store: Store) -> None:
    store.documents.put_all([given_of("a.md", "Steep it"), given_of("b.md", "Pour it")])
    assert not store.documents.rename(PROJECT, "a.md", "b.md")
    assert not store.documents.rename(PROJECT, "none.md", "c.md")
    assert known(store) == {"a.md": ["Steep it"], "b.md": ["Pour it"]}


def test_files_are_known_by_size_and_time(store: Store) -> None:
    one = replace(document("a.md", hash="abc", label="doc", doc_type="semantic"), size=12, mtime_ns=34)
    store.documents.put(one, chunks("Steep it", path="a.md"))
    assert store.documents.stats(PROJECT) == {"a.md": FileStat(one.id, 12, 34, "abc", "doc", "semantic")}
    assert store.documents.restat(PROJECT, {"a.md": (12, 99), "none.md": (1, 1)}) == 1
    assert store.documents.relabel(PROJECT, {"a.md": ("spec", None)}) == 1
    assert store.documents.stats(PROJECT) == {"a.md": FileStat(one.id, 12, 99, "abc", "spec", None)}


def test_what_a_document_says_of_itself_comes_back(store: Store) -> None:
    one = document("a.md", status="Accepted", front={"status": "Accepted", "replaces": ["3", "4"]}, size=1, mtime_ns=2)
    store.documents.put(one, [])
    assert store.reading.document(PROJECT, "a.md") == one
