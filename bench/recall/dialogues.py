"""Dialogues between people, each question with the turns that answer it: FriendsQA scenes and QMSum meetings.

Our embedding model was trained on the train part of both sets, see `bench/evaluation_sets.py`. Benchmarks use the test
part. The development part serves for fitting.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bench.evaluation_sets import part_of
from bench.recall.figures import mean, share_cited
from bench.recall.pool import Answers, Pool, Question, Scores, Unit, read_lines, spread

FRIENDS, MEETINGS = "friendsqa", "qmsum"
_FOLDER = "dialogue-qa"
_TITLES = {FRIENDS: "FriendsQA", MEETINGS: "QMSum"}
# Generated dates, because the dialogues have none: one day per scene, one minute per turn.
_FIRST_DAY = datetime(2024, 1, 1, 10, tzinfo=UTC)
# Scenes without an answer per question of a sample.
_OTHERS = 4
_HITS = 10


@dataclass(frozen=True, slots=True)
class AskedDialogue:
    """One dialogue of a set and the questions about it that have evidence."""

    id: str
    turns: Sequence[Mapping[str, str]]
    questions: Sequence[Mapping[str, Any]]


def friends(data: Path, sample: int = 0, part: str = "test") -> Pool | None:
    """Loads FriendsQA with all scenes of a part in one store; None if the data or its split is missing."""
    scenes = _read(data, FRIENDS, part)
    if not scenes:
        return None
    asked = spread([row for scene in scenes for row in scene.questions], sample)
    if sample:
        scenes = _some(scenes, {row["dialogue"] for row in asked}, _OTHERS * sample)
    days = {scene.id: _FIRST_DAY + timedelta(days=day) for day, scene in enumerate(scenes)}
    units = tuple(unit for scene in scenes for unit in _units(scene, days[scene.id]))
    end = max(days.values()) + timedelta(days=1)
    questions = tuple(_question(row, end) for row in asked)
    title = f"{_TITLES[FRIENDS]}, {part} part: {len(questions)} questions, {len(units):,} turns in one store"
    return Pool(FRIENDS, title, "said", units, questions, score, limit=_HITS)


def meetings(data: Path, sample: int = 0, part: str = "test", every: int = 1) -> Pool | None:
    """Loads QMSum with one store per meeting, as its questions are about one meeting; `every` n-th meeting only.

    A sample has the shortest meetings. None if the data or its split is missing.
    """
    found = [meeting for meeting in _read(data, MEETINGS, part) if meeting.questions][::every]
    if not found:
        return None
    if sample:
        found = _shortest(found, sample)
    parts = tuple(_meeting(meeting) for meeting in found)
    if sample:
        kept = {q.id for q in spread([q for one in parts for q in one.questions], sample)}
        parts = tuple(_asking(one, kept) for one in parts)
    units = tuple(unit for one in parts for unit in one.units)
    questions = tuple(question for one in parts for question in one.questions)
    title = (
        f"{_TITLES[MEETINGS]}, {part} part: {len(questions)} questions, {len(units):,} turns in {_stores(len(parts))}"
    )
    return Pool(MEETINGS, title, "said", units, questions, score, limit=_HITS, parts=parts)


def score(pool: Pool, answers: Answers) -> Scores:
    return {"turn recall@10": mean(share_cited(q.keys, answers[q.id].found, _HITS) for q in pool.answerable)}


def all_turns(data: Path) -> Iterable[Unit]:
    """All turns of all parts, as unrelated content of a large store."""
    if (data / _FOLDER).is_dir():
        for row in read_lines(data / _FOLDER / "dialogues.jsonl.gz"):
            yield from _units(AskedDialogue(row["id"], row["turns"], ()), _FIRST_DAY)


def _read(data: Path, source: str, part: str) -> list[AskedDialogue]:
    """The dialogues of a part; none without the data."""
    folder = data / _FOLDER
    if not folder.is_dir():
        return []
    asked: dict[str, list[Mapping[str, Any]]] = {}
    for row in read_lines(folder / "questions.jsonl.gz"):
        if row["evidence"]:
            asked.setdefault(row["dialogue"], []).append(row)
    rows = [row for row in read_lines(folder / "dialogues.jsonl.gz") if row["source"] == source]
    return [
        AskedDialogue(row["id"], row["turns"], asked.get(row["id"], [])) for row in rows if part_of(row["id"]) == part
    ]


def _some(scenes: Sequence[AskedDialogue], wanted: set[str], others: int) -> list[AskedDialogue]:
    kept = wanted | {scene.id for scene in spread([s for s in scenes if s.id not in wanted], others)}
    return [scene for scene in scenes if scene.id in kept]


def _shortest(found: Sequence[AskedDialogue], sample: int) -> list[AskedDialogue]:
    """The shortest meetings that have that many questions."""
    kept: list[AskedDialogue] = []
    for meeting in sorted(found, key=lambda meeting: len(meeting.turns)):
        kept.append(meeting)
        if sum(len(one.questions) for one in kept) >= sample:
            break
    return kept


def _stores(count: int) -> str:
    return "one store" if count == 1 else f"{count} stores"


def _meeting(meeting: AskedDialogue) -> Pool:
    units = tuple(_units(meeting, _FIRST_DAY))
    questions = tuple(_question(row, _FIRST_DAY + timedelta(days=1)) for row in meeting.questions)
    return Pool(MEETINGS, meeting.id, "said", units, questions, score, limit=_HITS)


def _asking(meeting: Pool, kept: set[str]) -> Pool:
    questions = tuple(question for question in meeting.questions if question.id in kept)
    return Pool(MEETINGS, meeting.title, "said", meeting.units, questions, score, limit=_HITS)


def _units(dialogue: AskedDialogue, day: datetime) -> Iterable[Unit]:
    """Messages of people, so all have the role `user`; the text begins with the name."""
    for place, turn in enumerate(dialogue.turns):
        text = f"{turn['speaker']}: {turn['text']}"
        yield Unit(f"{dialogue.id}#{place}", text, dialogue.id, "user", day + timedelta(minutes=place))


def _question(row: Mapping[str, Any], at: datetime) -> Question:
    keys = tuple(f"{row['dialogue']}#{turn}" for turn in row["evidence"])
    return Question(f"{row['dialogue']}/{row['id']}", row["question"], at=at, keys=keys, groups=(row["dialogue"],))
