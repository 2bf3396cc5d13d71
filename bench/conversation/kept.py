"""Sentences labelled as worth keeping or not, with the conversations they are from (`bench/sets/kept`)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bench import ROOT
from bench.recall.pool import read_lines
from holdfast.core.conversation import Message

SETS = ROOT / "bench" / "sets"
LABELS = SETS / "kept"
TALKS = ("project", "personal")
_DAY = datetime(2025, 1, 6, 10, tzinfo=UTC)
_SKIPPED = "?"
_NOTHING = "n"
_KINDS = {
    "rule": "r", "decision": "d", "preference": "p", "fact": "f", "cause": "x", "commitment": "m", "correction": "c"
}  # fmt: skip
# Texts of coding sessions that the client inserted, not the person.
_INSERTED = (
    "<", "[Request interrupted", "[Image", "Caveat:", "This session is being continued", "Base directory for this skill"
)  # fmt: skip
_PASTED = 1_500


_ENDS = (".", "!", "?", ":", "…")
# The files of written chats, and how the ids of their conversations begin.
_CHATS = {"": "train", "more ": "more", "third ": "third", "agents ": "agents"}


@dataclass(frozen=True, slots=True)
class Label:
    """A labelled sentence: the number of its message and its position there. `label` is `n` for nothing to keep."""

    message: int
    start: int
    end: int
    label: str

    @property
    def kept(self) -> bool:
        return self.label != _NOTHING


@dataclass(frozen=True, slots=True)
class LabelledChat:
    """A conversation with labelled sentences. `origin` is the data set."""

    id: str
    origin: str
    talk: str
    messages: tuple[Message, ...]
    labels: tuple[Label, ...]


def labelled(talk: str, part: str, data: Path) -> list[LabelledChat]:
    """The labelled conversations of a kind of talk, `project` or `personal`; part is `train`, `more` or `test`."""
    rows = _rows(LABELS / f"{talk}_{part}.jsonl")
    by_chat: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for row in rows:
        by_chat.setdefault((row["set"], row["conversation"]), []).append(row)
    chats = {origin: conversations(origin, data) for origin in dict.fromkeys(row["set"] for row in rows)}
    return [_labelled(talk, origin, id, chats[origin][id], found) for (origin, id), found in by_chat.items()]


def written(parts: Sequence[str] = tuple(_CHATS)) -> list[LabelledChat]:
    """Sentences and chats that were written to train on: each sentence alone, or after a question of the assistant."""
    chats = [
        _written_chat(f"{part}{n}", row)
        for part in parts
        for n, row in enumerate(_rows(LABELS / f"chats_{_CHATS[part]}.jsonl"))
    ]
    return [*chats, *(_written_form(n, row) for n, row in enumerate(_rows(LABELS / "forms_train.jsonl")))]


def forms(part: str) -> list[LabelledChat]:
    """Sentences in the forms in which people state decisions, rules and facts, and others; part is `dev` or `test`."""
    rows = _rows(SETS / "updates" / f"keep_forms_{part}.jsonl")
    return [
        _written_form(n, {**row, "label": _KINDS[row["kind"]] if row["keep"] else _NOTHING}, part)
        for n, row in enumerate(rows)
    ]


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _written_form(n: int, row: Mapping[str, Any], part: str = "train") -> LabelledChat:
    asked = [(0, "assistant", row["before"])] if "before" in row else []
    turns = [*asked, (len(asked), "user", row["text"])]
    label = Label(len(asked), 0, len(row["text"]), row["label"])
    return LabelledChat(f"form {part} {n}", "forms", row.get("talk", ""), messages_of(f"f{n}", turns), (label,))


def _written_chat(n: str, row: Mapping[str, Any]) -> LabelledChat:
    turns: list[tuple[int, str, str]] = []
    labels: list[Label] = []
    for number, (role, said) in enumerate(row["turns"]):
        text = said if role == "assistant" else ""
        for label, sentence in said if role == "user" else ():
            # Without a mark at its end, a sentence ends with its line, so that the next one keeps a label of its own.
            text += "" if not text else " " if text.endswith(_ENDS) else "\n"
            labels.append(Label(number, len(text), len(text) + len(sentence), label))
            text += sentence
        turns.append((number, role, text))
    return LabelledChat(f"chat {n}", "chats", row["talk"], messages_of(f"c{n}", turns), tuple(labels))


def conversations(origin: str, data: Path) -> dict[str, list[tuple[int, str, str]]]:
    """The turns of a data set by the id of the conversation: number, role and text of each."""
    return dict(_READERS[origin](data / origin))


def messages_of(id: str, turns: Sequence[tuple[int, str, str]]) -> tuple[Message, ...]:
    """The turns as messages, a minute apart."""
    return tuple(Message(f"{id}#{n}", role, text, _DAY + timedelta(minutes=n)) for n, role, text in turns)


def _labelled(
    talk: str, origin: str, id: str, turns: Sequence[tuple[int, str, str]], rows: Sequence[Mapping[str, Any]]
) -> LabelledChat:
    place = {number: at for at, (number, _, _) in enumerate(turns)}
    labels = [
        Label(place[row["turn"]], row["start"], row["end"], row["label"]) for row in rows if row["label"] != _SKIPPED
    ]
    return LabelledChat(id, origin, talk, messages_of(id, turns), tuple(labels))


_Turns = list[tuple[int, str, str]]


def _sde(folder: Path) -> Iterator[tuple[str, _Turns]]:
    for task in read_lines(folder / "tasks.jsonl.gz"):
        chats: Sequence[Any] = task["conversations"]
        for number, turns in enumerate(chats if isinstance(chats[0], list) else [chats]):
            yield f"{task['task_id']}/{number}", _roles(turns)
    for number, decoy in enumerate(read_lines(folder / "decoys.jsonl.gz")):
        yield f"decoy/{number}", _roles(decoy["turns"])


def _longmemeval(folder: Path) -> Iterator[tuple[str, _Turns]]:
    for row in read_lines(folder / "sessions.jsonl.gz"):
        yield row["session_id"], _roles(row["turns"])


def _dialogues(folder: Path) -> Iterator[tuple[str, _Turns]]:
    """Talk between people: every speaker counts as a person, stage directions are left out."""
    for row in read_lines(folder / "dialogues.jsonl.gz"):
        turns = [(n, "user", turn["text"]) for n, turn in enumerate(row["turns"]) if turn["speaker"] != "#NOTE#"]
        yield row["id"], turns


def _coding(folder: Path) -> Iterator[tuple[str, _Turns]]:
    for file in ("go-cli", "typescript-app"):
        for row in read_lines(folder / f"{file}.jsonl.gz"):
            turns = [(n, event["kind"], event["text"]) for n, event in enumerate(row["events"]) if _is_typed(event)]
            yield f"{file}/{row['session_id']}", turns


def _is_typed(event: Mapping[str, Any]) -> bool:
    if event["kind"] == "assistant":
        return not event.get("sidechain")
    text = event.get("text", "")
    return (
        event["kind"] == "user"
        and not event.get("sidechain")
        and len(text) < _PASTED
        and not text.startswith(_INSERTED)
    )


def _roles(turns: Sequence[Mapping[str, Any]]) -> _Turns:
    return [(n, turn["role"], turn.get("text") or turn.get("content") or "") for n, turn in enumerate(turns)]


_READERS = {"sde-bench": _sde, "longmemeval": _longmemeval, "dialogue-qa": _dialogues, "coding-sessions": _coding}
