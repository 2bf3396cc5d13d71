"""Documents that a query names by words of their file name; their text need not contain them."""

from __future__ import annotations

import json
from pathlib import Path

from bench.recall.figures import mean
from bench.recall.markdown import cut
from bench.recall.pool import Answers, Pool, Question, Scores, spread

NAME = "named"
FIRST = "named document first"
_FILE = Path(__file__).resolve().parents[1] / "sets" / "named_documents.json"


def load(sample: int = 0) -> Pool:
    """Loads the set. A sample has fewer questions about all documents."""
    documents: dict[str, str] = json.loads(_FILE.read_text(encoding="utf-8"))
    units = tuple(unit for path, text in documents.items() for unit in cut(path, text))
    questions = tuple(Question(f"q{place}", _name(path), groups=(path,)) for place, path in enumerate(documents))
    asked = tuple(spread(questions, sample))
    title = f"Named documents: {len(asked)} queries, {len(documents)} documents in one store"
    return Pool(NAME, title, "markdown", units, asked, score, limit=20, documents=documents)


def score(pool: Pool, answers: Answers) -> Scores:
    return {FIRST: mean(float(answers[q.id].groups[:1] == q.groups) for q in pool.answerable)}


def _name(path: str) -> str:
    """The words of a file name without its number: `docs/decisions/0031-cosine-scales.md` is "cosine scales"."""
    return " ".join(Path(path).stem.split("-")[1:])
