"""Questions about long documents whose answers are marked by character."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from bench.recall.figures import mean, share_covered
from bench.recall.pool import Answers, Pool, Question, Scores, Span, Unit, read_lines, spread

NAME = "markdown-qa"
# Maximum characters of a chunk for systems that cannot split a document themselves.
PIECE = 900
_ENDS = tuple(re.compile(end) for end in (r"\n\s*\n", r"\n", r"(?<=[.!?])\s", r"\s"))


def load(data: Path, sample: int = 0) -> Pool | None:
    """Loads the data set; None if its files are missing. A sample has fewer questions, about the shorter documents."""
    folder = data / NAME
    if not folder.is_dir():
        return None
    texts = {row["corpus_id"]: row["text"] for row in read_lines(folder / "corpora.jsonl.gz")}
    if sample:
        texts = {id: text for id, text in texts.items() if len(text) < 100_000}
    rows = [row for row in read_lines(folder / "questions.jsonl.gz") if row["corpus_id"] in texts]
    documents = {name(id): text for id, text in texts.items()}
    units = tuple(unit for group, text in documents.items() for unit in cut(group, text))
    questions = tuple(_question(place, row) for place, row in enumerate(spread(rows, sample)))
    title = f"Markdown: {len(questions)} questions, {len(documents)} documents in one store"
    return Pool(NAME, title, "markdown", units, questions, score, limit=20, documents=documents)


def name(corpus: str) -> str:
    return f"{corpus}.md"


def score(pool: Pool, answers: Answers) -> Scores:
    return {
        "reference characters in 5 chunks": mean(
            share_covered(q.spans, answers[q.id].found[:5]) for q in pool.answerable
        )
    }


def cut(group: str, text: str) -> Iterable[Unit]:
    """Splits into chunks of maximum length that end with a paragraph, a line, a sentence or a word, in that order."""
    start = 0
    while start < len(text):
        end = _end(text, start)
        yield Unit(f"{group}@{start}", text[start:end], group, start=start, end=end)
        start = end


def _end(text: str, start: int) -> int:
    """The end of the chunk that starts there; never before half of the maximum length."""
    most = start + PIECE
    if most >= len(text):
        return len(text)
    for pattern in _ENDS:
        ends = [found.end() for found in pattern.finditer(text, start + PIECE // 2, most)]
        if ends:
            return ends[-1]
    return most


def _question(place: int, row: dict[str, Any]) -> Question:
    group = name(row["corpus_id"])
    marked = json.loads(row["references"])
    spans = tuple(Span(group, reference["start_index"], reference["end_index"]) for reference in marked)
    return Question(f"q{place}", row["question"], row["corpus_id"], spans=spans)
