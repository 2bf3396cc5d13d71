"""The fixed set: paraphrased questions about everyday memories of a project, some without an answer."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from bench.recall.figures import mean
from bench.recall.pool import Answers, Found, Pool, Question, Scores, Unit, spread

NAME, AMONG = "everyday", "among-1000"
FIRST, SILENT, WITHHELD, WRONG = (
    "right memory first",
    "silent without an answer",
    "right answers withheld",
    "wrong memory first",
)
_SETS = Path(__file__).resolve().parents[1] / "sets"
_FILE, _WORDINGS = _SETS / "everyday.json", _SETS / "everyday_wordings.json"
_QUESTIONS = _SETS / "everyday_questions.json"


def load(sample: int = 0) -> Pool:
    """Loads the set. A sample has fewer questions about all memories."""
    data = json.loads(_FILE.read_text(encoding="utf-8"))
    units = tuple(Unit(row["id"], row["text"], row["id"], type=row["type"]) for row in data["memories"])
    questions = tuple(
        Question(f"q{place}", row["question"], row["language"], groups=(row["answer"],) if row["answer"] else ())
        for place, row in enumerate(spread(data["questions"], sample))
    )
    title = f"Everyday questions: {len(questions)} about {len(units)} memories"
    return Pool(NAME, title, "memories", units, questions, score, limit=8, asks_unanswerable=True)


def languages() -> Mapping[str, str]:
    """The language of each memory."""
    return {row["id"]: row["language"] for row in json.loads(_FILE.read_text(encoding="utf-8"))["memories"]}


def with_wordings(pool: Pool) -> Pool:
    """The questions as an agent asks them: with two other wordings, written without a look at the memories."""
    wordings = json.loads(_WORDINGS.read_text(encoding="utf-8"))
    return replace(pool, questions=tuple(replace(q, also=tuple(wordings[q.text])) for q in pool.questions))


def with_questions(pool: Pool) -> Pool:
    """The memories as an agent stores them: with two questions each, written without a look at those of the set."""
    written = json.loads(_QUESTIONS.read_text(encoding="utf-8"))
    return replace(pool, units=tuple(replace(u, questions=tuple(written.get(u.key, ()))) for u in pool.units))


def in_stores_of(size: int) -> Pool:
    """The set in several stores of that many memories; the questions without an answer are asked in each."""
    whole = load()
    units = [whole.units[at : at + size] for at in range(0, len(whole.units), size)]
    parts = tuple(_part(whole, place, some) for place, some in enumerate(units))
    questions = tuple(question for part in parts for question in part.questions)
    return replace(whole, questions=questions, parts=parts)


def score(pool: Pool, answers: Answers) -> Scores:
    """A right answer is withheld if it ranks first and is left out for lack of evidence."""
    without = [question for question in pool.questions if not question.is_answerable]
    return {
        FIRST: mean(_is_first(q, answers[q.id].found) for q in pool.answerable),
        SILENT: mean(not answers[q.id].found for q in without),
        WITHHELD: mean(_withheld(q, answers[q.id].found, answers[q.id].ranked) for q in pool.answerable),
        WRONG: mean(bool(answers[q.id].found) and not _is_first(q, answers[q.id].found) for q in pool.answerable),
    }


def by_language(pool: Pool, answers: Answers) -> Mapping[str, Scores]:
    """The share of right memories first by the languages of question and memory."""
    memories = languages()
    rows: dict[str, list[bool]] = {}
    for question in pool.answerable:
        pair = f"question {question.kind}, memory {memories[question.groups[0]]}"
        rows.setdefault(pair, []).append(question.groups[0] in answers[question.id].groups[:1])
    return {f"{pair} ({len(right)})": {FIRST: mean(right)} for pair, right in sorted(rows.items())}


def _is_first(question: Question, found: Sequence[Found]) -> bool:
    return bool(found) and found[0].group in question.groups


def _withheld(question: Question, found: Sequence[Found], ranked: Sequence[Found]) -> bool:
    return _is_first(question, ranked) and all(one.group not in question.groups for one in found)


def _part(whole: Pool, place: int, units: tuple[Unit, ...]) -> Pool:
    known = {unit.key for unit in units}
    asked = (q for q in whole.questions if not q.is_answerable or known.issuperset(q.groups))
    questions = tuple(replace(question, id=f"{place}/{question.id}") for question in asked)
    return replace(whole, units=units, questions=questions)
