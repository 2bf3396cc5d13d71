"""Reads the event streams of real coding sessions, and cuts each stream by date."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from holdfast.agents import event as kinds
from holdfast.agents.event import Event

PROJECTS = ("go-cli", "typescript-app")
# The share of a stream that was used to build the observer; within it, the share that is only learned from.
OLDER, LEARNED_FROM = 0.7, 0.6
_READS, _EDITS = {"Read", "NotebookRead"}, {"Edit", "Write", "MultiEdit", "NotebookEdit"}
EARLY_STEPS = 30


@dataclass(frozen=True, slots=True)
class RecordedSession:
    """One recorded session: its events, its first prompt and branch, and the files that git recorded as changed."""

    id: str
    events: tuple[Event, ...]
    prompt: str
    branch: str
    changed: frozenset[str]
    early: frozenset[str]
    edited: frozenset[str]


@dataclass(frozen=True, slots=True)
class Stream:
    """The sessions of one project in order; those from `start` on are scored."""

    name: str
    sessions: tuple[RecordedSession, ...]
    start: int

    @property
    def scored(self) -> tuple[RecordedSession, ...]:
        return self.sessions[self.start :]


def stream(data: Path, name: str, newer: bool) -> Stream | None:
    """The older part of a project's sessions, its end scored; with `newer` all of them, the newer part scored."""
    path = data / "coding-sessions" / f"{name}.jsonl.gz"
    if not path.exists():
        return None
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    older = int(len(rows) * OLDER)
    learned = len(_distinct(rows[:older]))
    if newer:
        return Stream(name, tuple(map(_session, _distinct(rows))), learned)
    return Stream(name, tuple(map(_session, _distinct(rows[:older]))), int(learned * LEARNED_FROM))


def _distinct(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Each session once: a session with several commits was recorded with each of them, its events being the same."""
    first: dict[str, dict[str, Any]] = {}
    for row in rows:
        known = first.setdefault(row["session_id"], row)
        known["files_touched"] = sorted({*known["files_touched"], *row["files_touched"]})
    return list(first.values())


def _session(row: dict[str, Any]) -> RecordedSession:
    calls = [event for event in row["events"] if event["kind"] == "tool_call"]
    used = [(call, call["args"].get("file_path")) for call in calls if call["tool"] in _READS | _EDITS]
    return RecordedSession(
        row["session_id"],
        tuple(_events(row)),
        next((event["text"] for event in row["events"] if event["kind"] == "user"), ""),
        next((event["branch"] for event in row["events"] if event.get("branch")), ""),
        frozenset(row["files_touched"]),
        frozenset(path for call, path in used if path and call["step"] <= EARLY_STEPS),
        frozenset(path for call, path in used if path and call["tool"] in _EDITS),
    )


def _events(row: dict[str, Any]) -> Iterator[Event]:
    branch = None
    for event in row["events"]:
        at = datetime.fromisoformat(event.get("ts") or row["started_at"]).timestamp()
        if event.get("branch") and event["branch"] != branch:
            branch = event["branch"]
            yield Event(kinds.SESSION, at, args={"branch": branch})
        yield Event(
            event["kind"], at, text=event.get("text") or "", tool=event.get("tool") or "", args=event.get("args") or {},
            id=event.get("id") or "", step=event.get("step") or 0, error=bool(event.get("is_error")),
            agent="sub-agent" if event.get("sidechain") else "",
        )  # fmt: skip
