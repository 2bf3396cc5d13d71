"""Developer chats in which a rule was decided, among chats without rules, and bug reports that need the rule."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

from bench.recall.figures import mean
from bench.recall.pool import Answers, Pool, Question, Scores, Unit, read_lines, spread

NAME = "sde-bench"
# Generated dates, because the chats have none: one day per chat, in shuffled order; an amendment follows its rule.
_FIRST_DAY = datetime(2025, 1, 6, 10, tzinfo=UTC)
_SEED = 18
Chat = Sequence[Mapping[str, str]]


def load(data: Path, sample: int = 0) -> Pool | None:
    """Loads the data set; None if its files are missing."""
    folder = data / NAME
    if not folder.is_dir():
        return None
    tasks = spread(list(read_lines(folder / "tasks.jsonl.gz")), sample)
    decoys = spread(list(read_lines(folder / "decoys.jsonl.gz")), 4 * sample)
    chats = {f"{task['task_id']}/{n}": chat for task in tasks for n, chat in enumerate(_chats(task))}
    chats |= {f"decoy/{n}": decoy["turns"] for n, decoy in enumerate(decoys)}
    days = _days(list(chats))
    units = tuple(unit for id in sorted(chats, key=days.__getitem__) for unit in _units(id, chats[id], days[id]))
    questions = tuple(_question(task, max(days.values()) + timedelta(days=1)) for task in tasks)
    title = f"sde-bench: {len(tasks)} bug reports, {len(chats)} chats in one store"
    return Pool(NAME, title, "said", units, questions, score)


def score(pool: Pool, answers: Answers) -> Scores:
    """For a rule and its amendment, either chat counts as the deciding one; their order is a separate figure."""
    amended = [question for question in pool.questions if len(question.groups) > 1]
    return {
        "deciding chat first": mean(_comes_first(q, answers[q.id].places) for q in pool.questions),
        "later rule above the earlier": mean(_later_above(q, answers[q.id].places) for q in amended),
    }


def user_turns(pool: Pool, question: Question) -> tuple[str, ...]:
    """The person's messages in the deciding chat; of two chats, in the later one with the current rule."""
    return tuple(unit.text for unit in pool.units if unit.group == question.groups[-1] and unit.role == "user")


def _comes_first(question: Question, places: Sequence[Sequence[str]]) -> float:
    return float(bool(places) and not set(question.groups).isdisjoint(places[0]))


def _later_above(question: Question, places: Sequence[Sequence[str]]) -> float:
    place_of = {group: place for place, groups in enumerate(places) for group in groups}
    earlier, later = (place_of.get(group, len(places)) for group in question.groups[-2:])
    return float(later < earlier)


def _chats(task: Mapping[str, Any]) -> Sequence[Chat]:
    """One chat is a list of messages; two are a list of such lists."""
    conversations: Sequence[Any] = task["conversations"]
    return conversations if isinstance(conversations[0], list) else [conversations]


def _days(chats: Sequence[str]) -> Mapping[str, datetime]:
    order = list(chats)
    Random(_SEED).shuffle(order)
    days = {id: _FIRST_DAY + timedelta(days=day) for day, id in enumerate(order)}
    for id in chats:
        task, _, number = id.rpartition("/")
        if number == "1" and task != "decoy":
            days[f"{task}/0"], days[id] = sorted((days[f"{task}/0"], days[id]))
    return days


def _units(id: str, chat: Chat, day: datetime) -> Iterable[Unit]:
    for place, turn in enumerate(chat):
        yield Unit(f"{id}#{place}", turn["text"], id, turn["role"], day + timedelta(minutes=place))


def _question(task: Mapping[str, Any], at: datetime) -> Question:
    groups = tuple(f"{task['task_id']}/{n}" for n in range(len(_chats(task))))
    return Question(task["task_id"], task["bug_report"], task["source"], at, groups=groups)
