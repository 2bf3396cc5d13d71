"""Chunking: properties of all chunkers, and where they cut."""

from __future__ import annotations

import gzip
import json
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.documents.chunk import (
    CODE_LIMIT,
    PROSE_LIMIT,
    ChunkSpan,
    chunk_code,
    chunk_markdown,
    chunk_text,
    line_numbers,
)
from holdfast.documents.rst import chunk_restructured
from holdfast.text.words import words

CUTTERS = [chunk_markdown, chunk_restructured, chunk_text, chunk_code]
_LINES = [
    "# One", "## Two", "Setext\n---", "```", "~~~py", "| a | b |", "|---|---|", "| 1 | 2 |", "- item", "  1. item",
    "> quote", "    indented", "\tdef f():", "class A:", "}", "---", "title: x", "<div>", "[a]: b", "word " * 9,
    "Over\n====", "=====\nLine\n=====", ".. code::", "so::", "+--+",
    "One. Two! Three?", "第一句。第二句。", "", "", "   ", "\r", "\x0b", "\u2028", "x" * 40, "\\n\\n", "\x00",
]  # fmt: skip
TEXTS = st.one_of(
    st.text(max_size=400),
    st.lists(st.sampled_from(_LINES), max_size=40).map("\n".join),
    st.lists(st.sampled_from(_LINES), max_size=40).map("\r\n".join),
)


def texts_of(text: str, chunks: tuple[ChunkSpan, ...]) -> list[str]:
    return [text[chunk.start : chunk.end] for chunk in chunks]


@pytest.mark.parametrize("cut", CUTTERS)
@given(text=TEXTS, limit=st.sampled_from([1, 7, 40, 900]))
def test_chunks_contain_all_text_in_order_within_the_limit(
    cut: Callable[[str, int], tuple[ChunkSpan, ...]], text: str, limit: int
) -> None:
    at = 0
    for chunk in cut(text, limit):
        assert not text[at : chunk.start].strip()
        assert text[chunk.start : chunk.end].strip()
        assert chunk.end - chunk.start <= limit
        at = chunk.end
    assert not text[at:].strip()


@given(text=TEXTS)
def test_lines_are_numbered_as_in_editors(text: str) -> None:
    offsets = [*range(len(text)), *range(0, len(text), 7), *reversed(range(len(text)))]
    for offset, line in zip(offsets, line_numbers(text, offsets), strict=True):
        before = text[:offset].replace("\r\n", "\n").replace("\r", "\n")
        inside = offset > 0 and text[offset - 1 : offset + 1] == "\r\n"
        assert line == before.count("\n") + (0 if inside else 1)


def test_each_section_is_a_chunk_under_its_headings() -> None:
    text = f"# Guide\n\n{'a ' * 200}\n\n## Setup\n\n{'b ' * 200}\n\n### Linux\n\n{'c ' * 200}\n\n## Use\n\n{'d ' * 200}"
    assert [chunk.heading for chunk in chunk_markdown(text)] == [
        ("Guide",),
        ("Guide", "Setup"),
        ("Guide", "Setup", "Linux"),
        ("Guide", "Use"),
    ]


def test_short_sections_share_a_chunk_under_their_common_headings() -> None:
    text = "# Guide\n\n## One\n\nFirst.\n\n## Two\n\nSecond.\n"
    assert chunk_markdown(text) == (ChunkSpan(0, len(text) - 1, ("Guide",)),)


def test_sections_of_different_chapters_stay_apart() -> None:
    assert [p.heading for p in chunk_markdown("# One\n\nFirst.\n\n# Two\n\nSecond.\n")] == [("One",), ("Two",)]


@pytest.mark.parametrize("cut", CUTTERS)
def test_line_ends_of_another_system_change_nothing(cut: Callable[[str], tuple[ChunkSpan, ...]]) -> None:
    text = "# Guide\n\n" + ("One line\nand another.\n\n" * 200)
    other = text.replace("\n", "\r\n")
    starts = {chunk.split("\r\n")[0] for chunk in texts_of(other, cut(other))}
    assert starts == {"# Guide", "One line"}


def test_a_heading_stays_with_the_text_below_it() -> None:
    text = f"## Long\n\n{'A sentence of some length stands here. ' * 60}"
    first = texts_of(text, chunk_markdown(text))[0]
    assert first.startswith("## Long\n\nA sentence")
    assert first.endswith("here.")


@pytest.mark.parametrize("block", ["```py\n" + "x = 1\n\n" * 90 + "```", "| a | b |\n|---|---|\n" + "| 1 | 2 |\n" * 60])
def test_code_and_tables_stay_whole_if_they_fit(block: str) -> None:
    text = f"# A\n\n{'Some words. ' * 40}\n\n{block}\n\n{'More words. ' * 40}\n"
    assert any(block.strip() in chunk for chunk in texts_of(text, chunk_markdown(text)))


def test_a_heading_inside_a_fence_is_no_heading() -> None:
    assert chunk_markdown("```sh\n# not a heading\n```\n") == (ChunkSpan(0, 25),)


def test_front_matter_is_separate_from_headings() -> None:
    text = "---\ntitle: 'The guide'\ntags: [a]\n---\n# Start\n\nText.\n"
    assert chunk_markdown(text)[0].heading == ("Start",)


def test_a_log_of_one_line_is_cut_between_its_sentences() -> None:
    text = "[{'content': '" + "This was asked by somebody.\\n\\nAnd answered at once. " * 200 + "'}]"
    assert all(chunk.endswith(".") for chunk in texts_of(text, chunk_text(text))[:-1])


def test_a_definition_stays_whole_and_small_ones_share_a_chunk() -> None:
    small = "def {}():\n    return 1\n\n\n"
    large = "@cache\ndef large():\n" + "    step()\n\n" * 123
    text = small.format("a") + small.format("b") + large + small.format("c")
    assert texts_of(text, chunk_code(text)) == [
        (small.format("a") + small.format("b")).rstrip(),
        large.rstrip(),
        small.format("c").rstrip(),
    ]


def test_a_long_class_is_cut_between_its_methods_which_name_it() -> None:
    method = "    def m{}(self):\n" + "        do('something')\n" * 40 + "\n"
    text = "class Big:\n    '''About it.'''\n\n" + "".join(method.format(n) for n in range(4))
    chunks = chunk_code(text)
    assert [chunk.heading for chunk in chunks] == [(), *[("class Big:",)] * 3]
    assert all(text[chunk.start :].startswith("    def m") for chunk in chunks[1:])


def test_a_closing_brace_belongs_to_its_definition() -> None:
    text = "func f() {\n" + "\tstep()\n" * 200 + "}\n\nfunc g() {\n\treturn\n}\n"
    assert texts_of(text, chunk_code(text))[-1] == "func g() {\n\treturn\n}"


@pytest.mark.integration
@pytest.mark.parametrize(
    "hard", [">" * 50_000, "- " * 20_000, "[" * 50_000, "a" * 100_000, "\n".join(map(" ".ljust, range(900)))]
)
@pytest.mark.parametrize("cut", CUTTERS)
def test_hostile_texts_are_cut_like_any_other(cut: Callable[[str], tuple[ChunkSpan, ...]], hard: str) -> None:
    assert all(chunk.end - chunk.start <= max(PROSE_LIMIT, CODE_LIMIT) for chunk in cut(hard))


@pytest.mark.integration
def test_words_find_what_questions_about_real_texts_refer_to(shared_data: Path) -> None:
    corpora, questions = (_rows(shared_data / "markdown-qa" / f"{name}.jsonl.gz") for name in ("corpora", "questions"))
    shares: list[float] = []
    for corpus in corpora:
        chunks = chunk_markdown(corpus["text"])
        index = _index(corpus["text"], chunks)
        own = [question for question in questions if question["corpus_id"] == corpus["corpus_id"]]
        shares += [_found(index, chunks, q["question"], json.loads(q["references"])) for q in own]
    assert len(shares) == 244
    assert sum(shares) / len(shares) >= 0.9


def _rows(path: Path) -> list[dict[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def _index(text: str, chunks: tuple[ChunkSpan, ...]) -> sqlite3.Connection:
    index = sqlite3.connect(":memory:")
    index.execute("create virtual table f using fts5(body, heading, tokenize='porter unicode61 remove_diacritics 2')")
    rows = [(text[p.start : p.end], " ".join(p.heading)) for p in chunks]
    index.executemany("insert into f values (?, ?)", rows)
    return index


def _found(
    index: sqlite3.Connection, chunks: tuple[ChunkSpan, ...], question: str, references: list[dict[str, int]]
) -> float:
    """The share of the referenced characters that are in the five best chunks."""
    match = " OR ".join(f'"{word}"' for word in words(question))
    best = index.execute("select rowid from f where f match ? order by bm25(f, 1.0, 0.8) limit 5", (match,))
    found = [chunks[row[0] - 1] for row in best]
    spans = [(r["start_index"], r["end_index"]) for r in references]
    inside = sum(max(0, min(end, p.end) - max(start, p.start)) for start, end in spans for p in found)
    return float(inside / sum(end - start for start, end in spans))
