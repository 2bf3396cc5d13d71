"""What every engine must do with documents: store them, replace them, find their chunks."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.core.answer import Filters
from holdfast.core.clock import FixedClock, stamp
from holdfast.core.document import Chunk, Document, DocumentChunk
from holdfast.core.embedding import Embedding
from holdfast.core.ids import Ids
from holdfast.core.memory import Memory
from holdfast.store.protocol import Store
from holdfast.text.words import words
from tests.store.conftest import NOW, PROJECT

DAY = timedelta(days=1)
IDS = Ids()


def document(path: str = "docs/a.md", kind: str = "markdown", **fields: Any) -> Document:
    given = {"hash": "h", "bytes": 10, "indexed_at": NOW, **fields}
    return Document(id=IDS.document(), project=PROJECT, path=path, kind=kind, **given)


def chunks(*texts: str, heading: tuple[str, ...] = ("Guide", "Tea"), path: str = "docs/a.md") -> list[Chunk]:
    return [
        Chunk(IDS.chunk(), path, n, heading, text, n * 100, n * 100 + len(text), n * 10 + 1, n * 10 + 2)
        for n, text in enumerate(texts)
    ]


def memory(content: str, type: str = "fact", **fields: Any) -> Memory:
    return Memory(IDS.memory(type), type, content, PROJECT, NOW - DAY, **fields)


def add(store: Store, *memories: Memory) -> None:
    with store.memories.change(durable=True) as change:
        for one in memories:
            change.add(one)


def passages(store: Store, query: str, filters: Filters | None = None) -> list[int]:
    return [passage for passage, _ in store.reading.find_words(PROJECT, words(query), filters or Filters(), 20)]


def found(store: Store, query: str, filters: Filters | None = None) -> set[str]:
    """The texts that words find and that pass the filters."""
    filters = filters or Filters()
    ids = passages(store, query, filters)
    allowed = {factors.passage for factors in store.reading.factors(PROJECT, ids, filters)}
    return {text for passage, (_, text) in store.reading.hydrate(ids).items() if passage in allowed}


def test_a_document_and_its_chunks_come_back_as_they_went_in(store: Store) -> None:
    one = document(title="Tea", label="doc", doc_type="semantic", modified=NOW - DAY, redacted=True, pagerank=0.5)
    own = chunks("Steep it", "Pour it")
    report = store.documents.put(one, own)
    assert (report.document, report.added, report.kept, report.removed) == (one, 2, 0, 0)
    assert store.reading.document(PROJECT, "docs/a.md") == one
    assert store.reading.documents(PROJECT) == (one,)
    assert store.reading.chunks([chunk.id for chunk in own]) == {chunk.id: chunk for chunk in own}
    assert store.reading.chunks(["chk_none"]) == {}


def test_a_chunk_is_found_by_its_text_its_headings_and_its_path(store: Store) -> None:
    store.documents.put(document(), chunks("Steep it for long"))
    for query in ("steep", "guide", "docs"):
        [passage] = passages(store, query)
        part, text = store.reading.hydrate([passage])[passage]
        assert isinstance(part, DocumentChunk)
        assert (part.place, part.type, text) == ("docs/a.md:1-2", "document", "Steep it for long")


def test_what_did_not_change_keeps_its_id_its_passage_and_its_vector(store: Store) -> None:
    store.documents.put(document(hash="old"), chunks("First", "Second", "Third"))
    vector = Embedding("m", 2, bytes(4))
    kept = passages(store, "second")
    store.memories.put_vectors({kept[0]: vector})
    changed = chunks("New first", "Second", "Third", "Fourth")
    report = store.documents.put(document(hash="new"), changed)
    assert (report.added, report.kept, report.removed) == (2, 2, 1)
    assert passages(store, "second") == kept
    assert kept[0] not in {waiting.passage for waiting in store.reading.pending("m", 10)}
    assert not [text for text in found(store, "first") if text == "First"]
    [waiting] = [w for w in store.reading.pending("m", 10) if "Third" in w.said]
    assert store.reading.chunks([waiting.memory])[waiting.memory].start == changed[2].start


def test_a_document_keeps_its_id_and_its_usage_when_it_changes(store: Store) -> None:
    first = store.documents.put(document(hash="old"), chunks("First")).document
    store.usage.found(PROJECT, [[first.id]], NOW)
    second = store.documents.put(document(hash="new", title="New"), chunks("Other")).document
    assert (second.id, second.title, second.hash, second.access_count) == (first.id, "New", "new", 1)
    assert second == store.reading.document(PROJECT, "docs/a.md")


def test_what_says_the_same_twice_is_kept_twice(store: Store) -> None:
    store.documents.put(document(), chunks("Same", "Same"))
    report = store.documents.put(document(), chunks("Same", "Same", "Same"))
    assert (report.added, report.kept, report.removed) == (1, 2, 0)


def test_a_document_that_became_code_is_found_as_code(store: Store) -> None:
    store.documents.put(document(kind="text"), chunks("step()"))
    report = store.documents.put(document(kind="code"), chunks("step()"))
    assert (report.added, report.kept, report.removed) == (1, 0, 1)
    assert found(store, "step", Filters(types=("code",))) == {"step()"}


def test_removing_a_document_removes_all_of_it(store: Store) -> None:
    store.documents.put(document(), chunks("First", "Second"))
    store.documents.put(document("docs/b.md"), chunks("First of another", path="docs/b.md"))
    assert store.documents.remove(PROJECT, "docs/a.md") == 2
    assert store.documents.remove(PROJECT, "docs/a.md") is None
    assert found(store, "first second") == {"First of another"}
    assert [one.path for one in store.reading.documents(PROJECT)] == ["docs/b.md"]
    assert (store.reading.totals()["documents"], store.reading.totals()["chunks"]) == (1, 1)


def test_documents_of_another_project_are_its_own(store: Store) -> None:
    from holdfast.system.project import ProjectIdentity

    store.projects.recognise(ProjectIdentity("/barn", "barn", None, None, "barn"), "unused", NOW)
    store.documents.put(replace(document(), project="barn"), chunks("Tea in the barn"))
    assert not found(store, "barn")
    assert store.reading.document(PROJECT, "docs/a.md") is None


FILTERS: list[tuple[dict[str, Any], set[str]]] = [
    ({}, {"said tea", "learned tea", "written tea", "coded tea"}),
    ({"types": ("document",)}, {"written tea"}),
    ({"types": ("code", "document")}, {"written tea", "coded tea"}),
    ({"types": ("fact",)}, {"learned tea"}),
    ({"types": ("episode",)}, {"said tea"}),
    ({"files": ("docs",)}, {"written tea"}),
    ({"not_session": "s"}, {"said tea", "learned tea", "written tea", "coded tea"}),
    ({"needs_review": False}, {"said tea", "learned tea", "written tea", "coded tea"}),
    ({"needs_review": True}, set()),
    ({"min_confidence": 0.7}, {"said tea", "written tea", "coded tea"}),
    ({"since": NOW - 2 * DAY}, {"said tea", "learned tea", "coded tea"}),
    ({"until": NOW - 2 * DAY}, {"written tea"}),
    ({"as_of": NOW - 2 * DAY}, {"written tea"}),
    ({"session": "s"}, set()),
    ({"sessions": ("s",)}, set()),
    ({"scopes": ("global",)}, {"said tea", "learned tea"}),
    ({"sources": ("agent_explicit",)}, {"said tea", "learned tea"}),
    ({"visibilities": ("project",)}, {"said tea", "learned tea"}),
    ({"tags": ("Guide",)}, set()),
    ({"modules": ("m",)}, set()),
]


@pytest.mark.parametrize(("asked", "expected"), FILTERS, ids=lambda value: str(sorted(value))[:60])
def test_filters_let_documents_through_where_they_make_sense(
    store: Store, asked: dict[str, Any], expected: set[str]
) -> None:
    add(store, memory("learned tea", confidence=0.6), memory("said tea", "episode", session="e"))
    store.documents.put(document(modified=NOW - 5 * DAY), chunks("written tea"))
    store.documents.put(document("a.py", "code"), chunks("coded tea", path="a.py"))
    filters = Filters(**asked)
    assert found(store, "tea", filters) == expected
    substrings = store.reading.hydrate(store.reading.find_substring(PROJECT, "TEA", filters, 10))
    assert {text for _, text in substrings.values()} == expected


def test_vectors_find_documents_under_the_same_filters(store: Store) -> None:
    import numpy as np

    add(store, memory("learned tea"))
    store.documents.put(document(), chunks("written tea"))
    near = np.array([1.0, 0.0], np.float32)
    vector = Embedding("m", 2, near.astype(np.float16).tobytes())
    store.memories.put_vectors(dict.fromkeys(passages(store, "tea"), vector))
    for asked, expected in (({}, 2), ({"types": ("document",)}, 1), ({"session": "s"}, 0), ({"not_session": "s"}, 2)):
        assert len(store.reading.find_near(PROJECT, "m", near, Filters(**asked), 5)) == expected


def test_what_upkeep_took_out_of_sight_is_not_found(store: Store) -> None:
    store.documents.put(document(deprecated=True), chunks("hidden tea"))
    assert not found(store, "tea")
    assert found(store, "tea", Filters(include_forgotten=True)) == {"hidden tea"}


def test_scoring_learns_of_a_chunk_what_it_learns_of_a_memory(store: Store) -> None:
    one = document(modified=NOW - DAY, confidence=0.7)
    [own] = chunks("Steep it")
    store.documents.put(one, [own])
    [factors] = store.reading.factors(PROJECT, passages(store, "steep"), Filters())
    assert (factors.id, factors.type, factors.confidence) == (own.id, "document", 0.7)
    assert (factors.created, factors.event, factors.accessed) == (stamp(NOW), stamp(NOW - DAY), None)
    assert (factors.session, factors.role, factors.half_life_days) == (None, None, None)
    assert (factors.access_count, factors.pinned, factors.verified) == (0, False, False)


def test_a_hit_makes_a_document_surer_up_to_certainty(store: Store, clock: FixedClock) -> None:
    one = store.documents.put(document(confidence=0.99), chunks("Steep it")).document
    assert store.usage.found(PROJECT, [[one.id]], NOW + DAY)
    used = store.reading.document(PROJECT, one.path)
    assert used is not None
    assert (used.access_count, used.last_accessed_at, used.confidence) == (1, NOW + DAY, 1.0)


def test_memories_and_episodes_get_their_vectors_before_documents(store: Store) -> None:
    store.documents.put(document(), chunks("written tea"))
    add(store, memory("said tea", "episode", session="e"), memory("learned tea"))
    order = [waiting.said.split("\x1f")[0] for waiting in store.reading.pending("m", 10)]
    assert order == ["learned tea", "said tea", "written tea"]


@given(states=st.lists(st.lists(st.sampled_from("abcd"), max_size=6), min_size=1, max_size=4))
@settings(max_examples=40)
def test_replacing_step_by_step_equals_putting_the_last_state(store: Store, states: list[list[str]]) -> None:
    for texts in states:
        before = [chunk.text for chunk in _now(store)]
        report = store.documents.put(document(), chunks(*texts))
        assert report.kept == sum(min(before.count(text), texts.count(text)) for text in set(texts))
        assert (report.added, report.removed) == (len(texts) - report.kept, len(before) - report.kept)
        assert [(chunk.text, chunk.start) for chunk in _now(store)] == [(c.text, c.start) for c in chunks(*texts)]


def _now(store: Store) -> list[Chunk]:
    ids = passages(store, "guide")
    own = [part.chunk for part, _ in store.reading.hydrate(ids).values() if isinstance(part, DocumentChunk)]
    return sorted(own, key=lambda chunk: chunk.ordinal)


def titled(store: Store, query: str, filters: Filters | None = None) -> list[str]:
    """The paths of the documents whose titles match."""
    found = store.reading.find_titles(PROJECT, words(query), filters or Filters(), 5)
    titles = store.reading.titles([passage for passage, _ in found])
    return [titles[passage][1] for passage, _ in found]


def test_documents_are_found_by_title_and_path(store: Store) -> None:
    tea = document("docs/tea.md", title="Brewing")
    store.documents.put(tea, chunks("Pour it", "Steep it", path="docs/tea.md"))
    store.documents.put(document("src/stove.py", "code"), chunks("Brewing tea", path="src/stove.py"))

    assert titled(store, "brewing") == titled(store, "tea") == ["docs/tea.md"]
    assert titled(store, "stoves") == ["src/stove.py"]
    assert titled(store, "pour") == titled(store, "") == []
    assert titled(store, "stove", Filters(types=("document",))) == []
    assert titled(store, "tea stove", Filters(files=("docs",))) == ["docs/tea.md"]
    [(passage, _)] = store.reading.find_titles(PROJECT, ["tea"], Filters(), 5)
    assert store.reading.hydrate([passage])[passage][1] == "Pour it"
    variants = {"infusion": ("tea",)}
    assert store.reading.find_titles(PROJECT, ["infusion"], Filters(), 5, variants)[0][0] == passage
    assert store.reading.find_titles("other", ["tea"], Filters(), 5) == ()
    assert store.reading.titles([passage, 999]) == {passage: ("Brewing", "docs/tea.md")}


def test_a_title_follows_its_document(store: Store) -> None:
    tea = document("docs/tea.md", title="Brewing")
    own = chunks("Pour it", path="docs/tea.md")
    store.documents.put(tea, own)
    store.documents.put(replace(tea, title="Steeping"), own)
    assert (titled(store, "brewing"), titled(store, "steeping")) == ([], ["docs/tea.md"])
    store.documents.rename(PROJECT, "docs/tea.md", "docs/infusion.md")
    assert (titled(store, "tea"), titled(store, "infusion")) == ([], ["docs/infusion.md"])
    store.health.repair()
    assert titled(store, "infusion") == ["docs/infusion.md"]
    store.documents.remove(PROJECT, "docs/infusion.md")
    assert titled(store, "infusion") == []
    assert all(finding.level != "bad" for finding in store.health.examine())


def test_a_chunk_and_a_decision_name_their_document(store: Store) -> None:
    one = document()
    store.documents.put(one, chunks("Steep it for long"))
    add(store, memory("steep it", type="decision", attributes={"document": one.id}), memory("steep tea"))
    named = store.reading.documents_of([*passages(store, "steep"), 999])
    assert list(named.values()) == [one.id, one.id]
