"""Pairs of personal statements from real chats, read from LongMemEval by position.

`bench/sets/statements.json` contains no text: for each statement the session, the message and the character span, and
for each pair whether the newer one is an `update` of the older one, the `same`, or `apart`. Updates are the sentences
with the old and the new answer of a knowledge-update question. The others were selected by rule from the same person's
conversations (sentences with values that share the most words or the same kind of value) and checked by hand.

`by_rule` selects pairs from any part of the set without a list, so that nobody has seen them.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from holdfast.statements.parsing import read
from holdfast.statements.verdict import sentences

_LONG = 400
FILE = Path(__file__).parent / "sets" / "statements.json"
DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two statements in chronological order. `question` names the conversation they come from."""

    question: str
    kind: str
    old: str
    new: str


def drawn(data: Path = DATA) -> tuple[Pair, ...]:
    """Reads the pairs with their texts. Raises FileNotFoundError if the data is missing."""
    turns = turns_of(data / "longmemeval" / "sessions.jsonl.gz")
    places = json.loads(FILE.read_text(encoding="utf-8"))["pairs"]
    return tuple(
        Pair(old[0].rsplit("_", 1)[0], kind, _text(turns, old), _text(turns, new)) for kind, old, new in places
    )


def by_rule(data: Path = DATA, others: int = 3) -> tuple[Pair, ...]:
    """For each knowledge-update question, pairs its two sentences, and each of them with others of the conversation.

    The sentence of a message is the one with a value that shares the most words with the question. It is paired with
    the most similar sentences of the other session that have a value which is neither the old nor the new one.
    """
    turns = turns_of(data / "longmemeval" / "sessions.jsonl.gz")
    with gzip.open(data / "longmemeval" / "questions.jsonl.gz", "rt", encoding="utf-8") as lines:
        questions = [q for q in map(json.loads, lines) if q["question_type"] == "knowledge-update"]
    return tuple(pair for question in questions for pair in _of_question(question, turns, others))


def turns_of(file: Path) -> Mapping[str, Any]:
    """The messages of every session."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        return {session["session_id"]: session["turns"] for session in map(json.loads, lines)}


def _of_question(question: Mapping[str, Any], turns: Mapping[str, Any], others: int) -> Iterator[Pair]:
    sessions = sorted(question["answer_session_ids"])[:2]
    found = [_telling(question["question"], turns[session]) for session in sessions]
    if len(found) < 2 or not all(found):
        return
    (old, *_), (new, *_) = found
    yield Pair(question["question_id"], "update", old, new)
    for own, session in ((new, sessions[0]), (old, sessions[1])):
        beside = [one for one in _valued(turns[session]) if not _tells_it(one, old, new)]
        for other in sorted(beside, key=lambda one: -_alike(one, own))[:others]:
            pair = (other, own) if own == new else (own, other)
            yield Pair(question["question_id"], "apart", *pair)


def _telling(question: str, turns: Sequence[Mapping[str, Any]]) -> list[str]:
    """The sentences with a value that contain the answer, the most similar to the question first."""
    found = _valued([turn for turn in turns if turn.get("has_answer")])
    return sorted(found, key=lambda one: -_alike(question, one))


def _tells_it(one: str, old: str, new: str) -> bool:
    """Does a sentence repeat the old or the new value?"""
    values = (*read(old).values, *read(new).values)
    return any(v.kind == w.kind and v.equals(w) for v in read(one).values for w in values)


def _valued(turns: Sequence[Mapping[str, Any]]) -> list[str]:
    texts = (turn["content"] for turn in turns if turn["role"] == "user")
    return [one for text in texts for one in sentences(text) if read(one).values and len(one) < _LONG]


def _alike(one: str, other: str) -> float:
    ours, theirs = read(one).topic, read(other).topic
    return sum(ours[word] for word in ours.keys() & theirs.keys())


def _text(turns: Mapping[str, Any], place: tuple[str, int, int, int]) -> str:
    session, turn, start, end = place
    text: str = turns[session][turn]["content"][start:end]
    return text
