"""LongMemEval, pooled: all sessions in one store, every question asked over all of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.recall.figures import mean, share_cited, share_placed
from bench.recall.pool import Answers, Found, Pool, Question, Scores, Unit, read_lines, spread

NAME = "longmemeval"
_UPDATES = "knowledge-update"
# Number of sessions without an answer per question of a sample.
_OTHERS = 4


def load(data: Path, sample: int = 0) -> Pool | None:
    """Loads the data set; None if its files are missing. A sample keeps the sessions that answer its questions."""
    folder = data / NAME
    if not folder.is_dir():
        return None
    rows = spread(list(read_lines(folder / "questions.jsonl.gz")), sample)
    sessions = _sessions(list(read_lines(folder / "sessions.jsonl.gz")), rows, sample)
    units = tuple(unit for session in sessions for unit in _units(session))
    evidence = {unit.key for unit, turn in zip(units, _turns(sessions), strict=True) if turn.get("has_answer")}
    questions = tuple(_question(row, units, evidence) for row in rows)
    title = f"LongMemEval: {len(questions)} questions, {len(sessions)} sessions in one store"
    return Pool(NAME, title, "said", units, questions, score)


def score(pool: Pool, answers: Answers) -> Scores:
    answerable = [question for question in pool.answerable if question.id in answers]
    with_turns = [question for question in answerable if question.keys]
    updates = [question for question in answerable if question.kind == _UPDATES]
    return {
        "session recall@5": mean(share_placed(q.groups, answers[q.id].places, 5) for q in answerable),
        "session recall@10": mean(share_placed(q.groups, answers[q.id].places, 10) for q in answerable),
        "turn recall@10": mean(share_cited(q.keys, answers[q.id].found, 10) for q in with_turns),
        "newest first": mean(_newest_first(q, answers[q.id].found) for q in updates),
    }


def by_kind(pool: Pool, answers: Answers) -> Mapping[str, Scores]:
    """The same figures for each type of question."""
    kinds = sorted({question.kind for question in pool.answerable})
    return {
        kind: score(pool, {q.id: answers[q.id] for q in pool.answerable if q.kind == kind and q.id in answers})
        for kind in kinds
    }


def _newest_first(question: Question, ranked: Sequence[Found]) -> float:
    """Is the first evidence found that of the newest session? False if none is found."""
    newest = question.groups[-1]
    first = next((key for one in ranked for key in one.keys if key in question.keys), "")
    return float(first.rpartition("#")[0] == newest)


def _sessions(
    sessions: Sequence[dict[str, Any]], rows: Sequence[dict[str, Any]], sample: int
) -> Sequence[dict[str, Any]]:
    if not sample:
        return sessions
    wanted = {id for row in rows for id in row["answer_session_ids"]}
    others = spread([s for s in sessions if s["session_id"] not in wanted], _OTHERS * sample)
    kept = wanted | {session["session_id"] for session in others}
    return [session for session in sessions if session["session_id"] in kept]


def _turns(sessions: Iterable[dict[str, Any]]) -> Iterable[dict[str, Any]]:
    return (turn for session in sessions for turn in session["turns"])


def _units(session: dict[str, Any]) -> Iterable[Unit]:
    id, when = session["session_id"], _moment(session["date"])
    for place, turn in enumerate(session["turns"]):
        yield Unit(f"{id}#{place}", turn["content"], id, turn["role"], when)


def _question(row: dict[str, Any], units: Sequence[Unit], evidence: set[str]) -> Question:
    """A question whose id ends in `_abs` has no answer, although it names sessions: they are only similar."""
    answerable = not row["question_id"].endswith("_abs")
    sessions = (
        {unit.group: unit.when for unit in units if unit.group in row["answer_session_ids"]} if answerable else {}
    )
    return Question(
        id=row["question_id"],
        text=row["question"],
        kind=row["question_type"],
        at=_moment(row["question_date"]),
        keys=tuple(unit.key for unit in units if unit.group in sessions and unit.key in evidence),
        groups=tuple(sorted(sessions, key=lambda id: (sessions[id], id))),
    )


def _moment(text: str) -> datetime:
    """`2023/04/10 (Mon) 17:50`."""
    return datetime.strptime(text, "%Y/%m/%d (%a) %H:%M").replace(tzinfo=UTC)
