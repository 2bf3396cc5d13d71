"""Natural-language questions about Python functions, each with one right answer."""

from __future__ import annotations

from pathlib import Path

from bench.recall.figures import mean, reciprocal_rank, share_found
from bench.recall.pool import Answers, Pool, Question, Scores, Unit, read_lines, spread

NAME = "code-search"


def load(data: Path, sample: int = 0) -> Pool | None:
    """Loads the data set; None if its files are missing."""
    folder = data / NAME
    if not folder.is_dir():
        return None
    rows = spread(list(read_lines(folder / "queries.jsonl.gz")), sample)
    functions = list(read_lines(folder / "functions.jsonl.gz"))
    if sample:
        wanted = {row["gold"] for row in rows}
        kept = wanted | {row["id"] for row in spread(functions, 10 * sample)}
        functions = [row for row in functions if row["id"] in kept]
    units = tuple(Unit(name(row["id"]), row["code"], name(row["id"]), end=len(row["code"])) for row in functions)
    questions = tuple(
        Question(f"q{place}", row["query"], groups=(name(row["gold"]),)) for place, row in enumerate(rows)
    )
    title = f"Code search: {len(questions)} questions, {len(units):,} functions"
    documents = {unit.group: unit.text for unit in units}
    return Pool(NAME, title, "code", units, questions, score, documents=documents)


def name(id: int) -> str:
    """The file name given to a function."""
    return f"f{id}.py"


def score(pool: Pool, answers: Answers) -> Scores:
    return {
        "MRR@10": mean(reciprocal_rank(q.groups, answers[q.id].groups, 10) for q in pool.answerable),
        "recall@10": mean(share_found(q.groups, answers[q.id].groups, 10) for q in pool.answerable),
    }
