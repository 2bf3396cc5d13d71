"""The documents benchmark on a small collection: its tables and the other chunkings."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench.recall import markdown
from bench.recall.pool import Pool, Question, Span
from hypothesis import given
from hypothesis import strategies as st

from bench import documents


@pytest.mark.parametrize("cut", [documents.fixed, documents.recursive])
@given(text=st.text(alphabet="ab \n", max_size=4000))
def test_the_other_cuts_leave_out_nothing_and_keep_to_their_limit(cut: documents.Cut, text: str) -> None:
    pieces = list(cut(text))
    assert "".join(text[start:end] for start, end in pieces) == text
    assert all(0 < end - start <= documents.PIECE for start, end in pieces)


def test_the_recursive_cut_falls_at_paragraphs_first() -> None:
    text = "a" * 500 + "\n\n" + "b " * 300 + "\n\n" + "c" * 100
    assert [text[start:end][0] for start, end in documents.recursive(text)] == ["a", "b"]


def test_a_generated_collection_is_indexed_and_timed(tmp_path: Path) -> None:
    collection = documents.make_up(tmp_path / "collection", 4)
    section = documents.speed(collection, tmp_path)
    assert section.title.startswith("Indexing 4 files, 0.1 MB, ")
    assert [(row.unit, row.budget) for row in section.rows] == [("MB/s", 5.0), ("ms", 300.0), ("ms", None)]
    assert all(row.p50 > 0 for row in section.rows)


def test_recall_is_measured_for_every_chunking(tmp_path: Path) -> None:
    text = "# Kelp\n\nIt grows.\n\n# Boiler\n\nIt needs water every month.\n"
    at = text.index("It needs")
    asked = Question("q0", "When does the boiler need water?", spans=(Span("a.md", at, at + 27),))
    pool = Pool("set", "A set", "markdown", (), (asked,), markdown.score, 20, {"a.md": text})
    section = documents.recall(pool, tmp_path, "none", 0.5)
    assert [row.p50 for row in section.rows] == [1.0, 1.0, 1.0]
    assert section.rows[0].holds
