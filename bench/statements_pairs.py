"""Pairs of statements that real people's chats tell of themselves, drawn from LongMemEval by place alone.

`bench/sets/statements.json` holds no text: for each statement the session, the turn and the span of characters, and for
each pair whether the newer is an `update` of the older, the `same` again, or `apart`. The updates are the sentences
that carry the old and the new answer of a knowledge-update question; the others were drawn by rule from the same
person's talk (sentences with values that share the most words or the same kind of value) and checked by eye.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent / "sets" / "statements.json"
DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two statements in the order they were made. `question` names the talk they come from."""

    question: str
    kind: str
    old: str
    new: str


def drawn(data: Path = DATA) -> tuple[Pair, ...]:
    """The pairs with their texts; FileNotFoundError where the data is not."""
    turns = _turns(data / "longmemeval" / "sessions.jsonl.gz")
    places = json.loads(FILE.read_text(encoding="utf-8"))["pairs"]
    return tuple(
        Pair(old[0].rsplit("_", 1)[0], kind, _text(turns, old), _text(turns, new)) for kind, old, new in places
    )


def _turns(file: Path) -> Mapping[str, Any]:
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        return {session["session_id"]: session["turns"] for session in map(json.loads, lines)}


def _text(turns: Mapping[str, Any], place: tuple[str, int, int, int]) -> str:
    session, turn, start, end = place
    said: str = turns[session][turn]["content"][start:end]
    return said
