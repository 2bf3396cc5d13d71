"""The data sets that serve for fitting: only their development parts, so that the other parts remain unseen."""

from __future__ import annotations

import json
import lzma
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bench.evaluation_sets import half_of
from bench.recall import dialogues, functions, longmemeval, markdown
from bench.recall.pool import Pool, Question, Unit, spread
from bench.recall.sets import MAIN

_PART = "development"
# Generated dates, one minute per turn: the dialogues of the additional file have none.
_DAY = datetime(2024, 1, 1, 10, tzinfo=UTC)
_ROLES = {"User": "user", "Assistant": "assistant"}


def load(data: Path, more: Path | None = None, questions: int = 0) -> dict[str, Pool]:
    """Loads the sets by title, each with that number of questions at most; sets without files are left out.

    `more` is the file of dialogues that the embedding model was not trained on (`training.dialogue_pairs --unseen`).
    """
    found = [
        dialogues.friends(data, questions, _PART),
        dialogues.meetings(data, questions, _PART),
        _half(longmemeval.load(data, 2 * questions), lambda question: question.id),
        _half(functions.load(data, 2 * questions), lambda question: question.text),
        _half(markdown.load(data, 2 * questions), lambda question: question.text),
    ]
    pools = {MAIN[pool.name][0]: pool for pool in found if pool is not None}
    pools |= dict(_additional(more, questions)) if more else {}
    return pools | {f"{name}, one store": replace(pool, parts=()) for name, pool in pools.items() if _many(pool)}


def _many(pool: Pool) -> bool:
    """Does each conversation of the set have a store? People have many conversations in one: it is measured too."""
    return pool.kind == "said" and len(pool.stores) > 1


def _half(pool: Pool | None, key: Callable[[Question], str]) -> Pool | None:
    """The set with the development half of its questions; the store keeps all units."""
    if pool is None:
        return None
    return replace(pool, questions=tuple(q for q in pool.questions if half_of(key(q)) == _PART))


def half(pool: Pool, half: str = _PART) -> Pool:
    """The set with one half of its questions, `development` or `test`, in all of its stores."""
    parts = tuple(_halved(part, half) for part in pool.parts)
    return replace(_halved(pool, half), parts=parts)


def _halved(pool: Pool, half: str) -> Pool:
    return replace(pool, questions=tuple(q for q in pool.questions if half_of(q.text) == half))


def _additional(file: Path, questions: int) -> Iterable[tuple[str, Pool]]:
    """The sets of the file, by name of their source; one store per dialogue."""
    with lzma.open(file, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    sources: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        if "turns" in row:
            sources.setdefault(row["source"], []).append(row)
    for source, found in sources.items():
        of_source = {row["id"] for row in found}
        asked = spread([row for row in rows if row.get("dialogue") in of_source], questions)
        yield source.rpartition("/")[2], _dialogues(source, found, asked)


def _dialogues(source: str, found: Iterable[Mapping[str, Any]], asked: Iterable[Mapping[str, Any]]) -> Pool:
    questions: dict[str, list[Question]] = {row["id"]: [] for row in found}
    for row in asked:
        keys = tuple(f"{row['dialogue']}#{turn}" for turn in row["evidence"])
        questions[row["dialogue"]].append(Question(row["id"], row["question"], keys=keys))
    parts = tuple(
        Pool(source, row["id"], "said", tuple(_turns(row)), tuple(questions[row["id"]]), dialogues.score)
        for row in found
        if questions[row["id"]]
    )
    every = tuple(question for part in parts for question in part.questions)
    units = tuple(unit for part in parts for unit in part.units)
    return Pool(source, source, "said", units, every, dialogues.score, parts=parts)


def _turns(row: Mapping[str, Any]) -> Iterable[Unit]:
    """In a chat with an assistant the speaker is the role; otherwise the text begins with the name."""
    for place, turn in enumerate(row["turns"]):
        role = _ROLES.get(turn["speaker"], "")
        text = turn["text"] if role else f"{turn['speaker']}: {turn['text']}"
        yield Unit(f"{row['id']}#{place}", text, row["id"], role or "user", _DAY + timedelta(minutes=place))
