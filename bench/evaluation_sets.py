"""The sets that embedding models are measured with: passages, and questions with the passages that answer them.

FriendsQA and QMSum are split by dialogue: 3 of 10 dialogues are the test part, 1 of 10 the development part, the others
were trained on. The other sets are never trained on; half of the questions of each serve as development part.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Pool = dict[str, Any]
_CHUNK = 1_000


def part_of(dialogue: str) -> str:
    """The part of a dialogue, by the hash of its id."""
    bucket = int(hashlib.sha256(dialogue.encode()).hexdigest(), 16) % 10
    return "test" if bucket < 3 else "development" if bucket == 3 else "train"


def half_of(key: str) -> str:
    """The part of a question of a set that is not split by dialogue, by the hash of its id or text."""
    return "test" if int(hashlib.sha256(key.encode()).hexdigest(), 16) % 2 else "development"


def pools(data: Path) -> Iterator[Pool]:
    """Every set; raises FileNotFoundError if one is not there."""
    yield from _dialogues(data)
    yield from _long_chats(data)
    yield from _functions(data)
    yield from _markdown(data)


def _dialogues(data: Path) -> Iterator[Pool]:
    """FriendsQA: all scenes of a part in one pool, since a scene has only 20 turns. QMSum: one pool per meeting."""
    dialogues = {row["id"]: row for row in _rows(data / "dialogue-qa" / "dialogues.jsonl.gz")}
    questions: dict[str, list[Any]] = {}
    for row in _rows(data / "dialogue-qa" / "questions.jsonl.gz"):
        questions.setdefault(row["dialogue"], []).append(row)
    scenes: dict[str, Pool] = {part: new_pool("friendsqa", part) for part in ("development", "test")}
    for name, dialogue in dialogues.items():
        part = part_of(name)
        if part == "train":
            continue
        pool = scenes[part] if dialogue["source"] == "friendsqa" else new_pool("qmsum", part)
        first = len(pool["passages"])
        pool["passages"] += [f"{turn['speaker']}: {turn['text']}" for turn in dialogue["turns"]]
        for row in questions.get(name, []):
            if row["evidence"]:
                pool["questions"].append([row["question"], [first + turn for turn in row["evidence"]]])
        if dialogue["source"] == "qmsum" and pool["questions"]:
            yield pool
    yield from scenes.values()


def _long_chats(data: Path) -> Iterator[Pool]:
    """LongMemEval: all turns of all sessions in one pool."""
    gold: dict[str, list[int]] = {}
    turns: list[str] = []
    for session in _rows(data / "longmemeval" / "sessions.jsonl.gz"):
        for turn in session["turns"]:
            if turn.get("has_answer"):
                gold.setdefault(session["session_id"], []).append(len(turns))
            turns.append(f"{turn['role']}: {turn['content']}"[:2_000])
    both = {part: new_pool("longmemeval", part, turns) for part in ("development", "test")}
    for row in _rows(data / "longmemeval" / "questions.jsonl.gz"):
        answers = [turn for session in row["answer_session_ids"] for turn in gold.get(session, [])]
        if answers and not row["question_id"].endswith("_abs"):
            both[half_of(row["question_id"])]["questions"].append([row["question"], answers])
    yield from both.values()


def _functions(data: Path) -> Iterator[Pool]:
    code = [row["code"][:1_500] for row in _rows(data / "code-search" / "functions.jsonl.gz")]
    both = {part: new_pool("cosqa", part, code) for part in ("development", "test")}
    for row in _rows(data / "code-search" / "queries.jsonl.gz"):
        both[half_of(row["query"])]["questions"].append([row["query"], [row["gold"]]])
    yield from both.values()


def _markdown(data: Path) -> Iterator[Pool]:
    """One pool per corpus and part; a chunk answers a question if it overlaps one of its references."""
    made: dict[tuple[str, str], Pool] = {}
    spans: dict[str, list[tuple[int, int]]] = {}
    for row in _rows(data / "markdown-qa" / "corpora.jsonl.gz"):
        spans[row["corpus_id"]] = list(_chunks(row["text"]))
        texts = [row["text"][start:end] for start, end in spans[row["corpus_id"]]]
        for part in ("development", "test"):
            made[row["corpus_id"], part] = new_pool("markdown", part, texts)
    for row in _rows(data / "markdown-qa" / "questions.jsonl.gz"):
        references = [(reference["start_index"], reference["end_index"]) for reference in json.loads(row["references"])]
        gold = [
            number
            for number, (start, end) in enumerate(spans[row["corpus_id"]])
            if any(start < last and first < end for first, last in references)
        ]
        made[row["corpus_id"], half_of(row["question"])]["questions"].append([row["question"], gold])
    yield from made.values()


def _chunks(text: str) -> Iterator[tuple[int, int]]:
    """Spans of about a thousand characters that end at a line or sentence."""
    start = 0
    while start < len(text):
        end = start + _CHUNK
        if end < len(text):
            breaks = [match.end() for match in re.finditer(r"\n+|[.!?]\s", text[start + _CHUNK // 2 : end])]
            end = start + _CHUNK // 2 + breaks[-1] if breaks else end
        yield start, min(end, len(text))
        start = end


def new_pool(name: str, part: str, passages: list[str] | None = None) -> Pool:
    return {"set": name, "part": part, "passages": passages or [], "questions": []}


def _rows(file: Path) -> list[Any]:
    with gzip.open(file, "rt", encoding="utf-8") as opened:
        return [json.loads(line) for line in opened]
