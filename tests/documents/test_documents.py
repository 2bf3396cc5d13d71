"""Documents in a workspace: added, changed, removed, found, shown."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.document import Chunk
from holdfast.core.errors import InvalidInput, InvalidMemory, NotFound, UnknownType
from holdfast.core.memory_types import MemoryType
from holdfast.interfaces.cli.formatting import hits as shown
from holdfast.interfaces.json_values import json_value
from holdfast.interfaces.mcp.render import found as rendered
from holdfast.models.contextual import chunk_text
from holdfast.workspace import Workspace
from tests.store.state import canonical

GUIDE = f"""# Guide

How this house is run.

## Kettle

The kettle in the kitchen whistles after four minutes. {"It is loud. " * 30}

## Boiler

The boiler in the cellar needs water every month. {"It is old. " * 30}
"""
CODE = "def drain_boiler(valve):\n    valve.open()\n"
TOKEN = "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3z0A"


def chunks_of(ws: Workspace, query: str) -> list[Chunk]:
    found = (hit.chunk for hit in ws.recall(query, types=("document", "code"), abstain=False, limit=20).hits)
    return sorted((chunk for chunk in found if chunk), key=lambda chunk: chunk.ordinal)


def test_documents_are_found_together_with_memories(ws: Workspace) -> None:
    ws.remember("The boiler was replaced in May")
    ws.add_document("docs/guide.md", GUIDE, label="doc", doc_type="semantic")
    ws.add_document("src/boiler.py", CODE, "code")
    found = {hit.type: hit for hit in ws.recall("boiler", abstain=False).hits}
    assert set(found) == {"fact", "document", "code"}
    hit = found["document"]
    assert (hit.memory, hit.cited) == (None, "docs/guide.md:9-11")
    assert hit.chunk is not None
    assert hit.document is not None
    assert hit.chunk.heading == ("Guide", "Boiler")
    assert (hit.document.title, hit.document.label, hit.document.doc_type) == ("Guide", "doc", "semantic")
    assert hit.text == hit.chunk.text == GUIDE[hit.chunk.start : hit.chunk.end]
    assert found["fact"].memory is not None
    assert found["code"].cited == "src/boiler.py:1-2"


def test_one_line_is_cited_as_one(ws: Workspace) -> None:
    ws.add_document("a.txt", "The boiler needs water every month.\n", "text")
    assert ws.recall("boiler water every month").hits[0].cited == "a.txt:1"


def test_types_choose_what_is_searched(ws: Workspace) -> None:
    ws.remember("The boiler was replaced in May")
    ws.add_document("docs/guide.md", GUIDE)
    ws.add_document("src/boiler.py", CODE, "code")
    for type in ("fact", "document", "code"):
        assert {hit.type for hit in ws.recall("boiler", types=(type,)).hits} == {type}
    with pytest.raises(UnknownType):
        ws.recall("boiler", types=("documents",))


def test_unchanged_chunks_are_kept(ws: Workspace) -> None:
    first = ws.add_document("docs/guide.md", GUIDE)
    assert (first.added, first.kept, first.removed) == (2, 0, 0)
    again = ws.add_document("docs/guide.md", GUIDE)
    assert (again.added, again.kept, again.removed) == (0, 2, 0)
    changed = ws.add_document("docs/guide.md", GUIDE.replace("every month", "every week"))
    assert (changed.added, changed.kept, changed.removed) == (1, 1, 1)
    assert changed.document.id == first.document.id
    assert changed.document.hash != first.document.hash
    assert not [hit for hit in ws.recall("boiler month").hits if "month" in hit.text]


def test_a_removed_document_is_not_found(ws: Workspace) -> None:
    ws.add_document("docs/guide.md", GUIDE)
    assert ws.remove_document("docs/guide.md") == 2
    assert ws.documents() == ()
    assert not ws.recall("boiler", abstain=False).hits
    with pytest.raises(NotFound):
        ws.remove_document("docs/guide.md")


def test_documents_are_listed_and_counted(ws: Workspace, project: Path) -> None:
    when = datetime(2025, 5, 1, tzinfo=UTC)
    ws.add_document(str(project / "b.txt"), "Plain words.", "text", title="Words", modified=when)
    ws.add_document("a.md", GUIDE)
    assert [(document.path, document.title) for document in ws.documents()] == [("a.md", "Guide"), ("b.txt", "Words")]
    assert ws.documents()[1].modified == when
    assert (ws.stats().totals["documents"], ws.stats().totals["chunks"]) == (2, 3)
    assert ws.doctor().sound


def test_only_text_inside_the_project_is_taken(ws: Workspace) -> None:
    with pytest.raises(InvalidInput, match="outside the project"):
        ws.add_document("../a.md", GUIDE)
    with pytest.raises(InvalidInput, match="binary"):
        ws.add_document("a.md", "a\0b")
    with pytest.raises(InvalidInput, match="kind"):
        ws.add_document("a.md", GUIDE, "pdf")
    with pytest.raises(InvalidInput):
        ws.add_document("a.md", "\ud800")
    assert ws.documents() == ()


def test_an_empty_document_has_no_chunks(ws: Workspace) -> None:
    report = ws.add_document("a.md", " \n\n")
    assert (report.added, report.document.bytes) == (0, 3)


def test_secrets_are_removed_and_positions_are_those_of_the_file(ws: Workspace) -> None:
    text = f"# Keys\n\nThe token is {TOKEN} here.\n\n# Boiler of {TOKEN}\n\nIt needs water.\n"
    report = ws.add_document("docs/keys.md", text)
    assert report.document.redacted
    keys, boiler = chunks_of(ws, "token boiler water")
    assert "The token is [secret:" in keys.text
    assert text[keys.start : keys.end] == f"# Keys\n\nThe token is {TOKEN} here."
    assert text[boiler.start : boiler.end] == f"# Boiler of {TOKEN}\n\nIt needs water."
    assert (boiler.line, boiler.end_line) == (5, 7)
    assert TOKEN not in f"{keys} {boiler} {report.document}"
    assert TOKEN not in Path(ws.db).read_bytes().decode("latin-1")


@given(words=st.lists(st.sampled_from(["tea", "\n\n", "# Cake\n\n", TOKEN, "four. ", "x" * 500, " "]), max_size=12))
def test_offsets_are_those_of_the_file_whatever_secrets_it_had(ws: Workspace, words: list[str]) -> None:
    text = " ".join(words)
    ws.add_document("a.md", text)
    at = 0
    chunks = [chunk for _, chunk, _ in ws.container.store.cleaning.chunks(ws.project)]
    for chunk in sorted(chunks, key=lambda chunk: chunk.ordinal):
        assert not text[at : chunk.start].strip()
        assert chunk.line == text[: chunk.start].count("\n") + 1
        assert chunk.end_line == text[: chunk.end - 1].count("\n") + 1
        if TOKEN not in text:
            assert text[chunk.start : chunk.end] == chunk.text
        at = chunk.end
    assert not text[at:].strip()


def test_a_hit_counts_once_for_its_document(ws: Workspace) -> None:
    ws.add_document("docs/guide.md", GUIDE)
    fact = ws.remember("The guide to the kettle and the boiler is on the fridge").memory
    assert fact is not None
    assert len(ws.recall("guide kettle boiler", abstain=False).hits) >= 3
    [document] = ws.documents()
    assert document.access_count == 1
    assert document.confidence == pytest.approx(0.8 * 1.03)
    pairs = canonical(ws.db, ("co_access",))["co_access"]
    assert [(a, b, count) for _, a, b, count, _ in pairs] == [(*sorted((document.id, fact.id)), 1)]


def test_documents_do_not_make_memories_duplicates(ws: Workspace) -> None:
    """A new memory is compared only with memories."""
    text = "The kettle in the kitchen whistles after four minutes"
    for n in range(8):
        ws.add_document(f"docs/{n}.md", text)
    assert ws.remember(text).outcome == "stored"
    assert ws.remember(f"{text}, loudly").outcome != "refused"
    assert ws.remember(text).outcome == "duplicate"


def test_a_type_cannot_have_the_name_of_a_chunk_type(ws: Workspace) -> None:
    with pytest.raises(InvalidMemory):
        ws.types.register(MemoryType("document", "a document"))
    with pytest.raises(UnknownType):
        ws.remember("Tea at four", type="document")


def test_every_interface_shows_the_location(ws: Workspace) -> None:
    ws.add_document("docs/guide.md", GUIDE)
    answer = ws.recall("boiler water every month")
    assert "docs/guide.md:9-11" in shown(answer, explain=False)
    assert "[docs/guide.md:9-11] document · Guide › Boiler" in rendered(answer).text
    [hit] = json_value(answer)["hits"]
    assert (hit["memory"], hit["document"]["path"], hit["chunk"]["line"]) == (None, "docs/guide.md", 9)
    pack = ws.context("boiler water every month")
    assert "- [docs/guide.md:9-11] (document" in pack.text
    assert pack.citations[0].text == "docs/guide.md:9-11"


def test_the_embedded_text_of_a_chunk_begins_with_its_headings() -> None:
    chunk = Chunk("chk_1", "a.md", 0, ("Guide", "Boiler"), "It is old.", 0, 10, 1, 1)
    assert chunk_text(chunk) == "Guide > Boiler\n\nIt is old."
    assert chunk_text(Chunk("chk_1", "a.py", 0, (), "step()", 0, 6, 1, 1)) == "step()"


def test_an_export_contains_only_memories(ws: Workspace) -> None:
    ws.add_document("docs/guide.md", GUIDE)
    ws.remember("Tea at four")
    assert "kettle" not in ws.export()
