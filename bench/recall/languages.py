"""Memories and questions in French and Chinese, included in the benchmark."""

from __future__ import annotations

import json
from pathlib import Path

from bench.recall.figures import mean, share_found
from bench.recall.pool import Answers, Pool, Question, Scores, Unit, spread

_SETS = Path(__file__).resolve().parents[1] / "sets"


def load(language: str, sample: int = 0) -> Pool | None:
    """Loads the data set of a language; None if there is none."""
    file = _SETS / f"{language}.json"
    if not file.is_file():
        return None
    data = json.loads(file.read_text(encoding="utf-8"))
    units = tuple(Unit(row["id"], row["text"], row["id"], type=row["type"]) for row in data["memories"])
    questions = tuple(
        Question(f"q{place}", row["question"], groups=(row["answer"],))
        for place, row in enumerate(spread(data["questions"], sample))
    )
    title = f"{language.capitalize()}: {len(questions)} questions, {len(units)} memories"
    return Pool(language, title, "memories", units, questions, score, limit=20)


def score(pool: Pool, answers: Answers) -> Scores:
    return {
        "correct memory in the first 5": mean(share_found(q.groups, answers[q.id].groups, 5) for q in pool.answerable)
    }
