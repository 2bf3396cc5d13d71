"""Measures the memories after consolidating real conversations: rules learned, rules amended, nothing from small talk.

All chats are in one store, as a user would have them. Standalone: `python -m bench.conversation.consolidation [DATA]`.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import holdfast
from bench.conversation.extract import DATA, SDE, Chat, chat, chats
from bench.recall.pool import read_lines
from holdfast.bench.reports import Figure, aligned
from holdfast.core.memory import Memory
from holdfast.intake.message_intake import IncomingMessage
from holdfast.workspace import Workspace


@dataclass(frozen=True, slots=True)
class ConsolidationResult:
    """The memories after consolidation, and the message each of them came from."""

    facts: tuple[Memory, ...]
    sources: Mapping[str, str]
    seconds: float
    messages: int

    def of(self, session: str) -> list[Memory]:
        return [m for m in self.facts if m.session == session]


def figures(data: Path = DATA, **settings: Any) -> tuple[Figure, ...]:
    """Computes all figures; none if the data is missing."""
    if not (data / SDE).is_dir():
        return ()
    tasks = [chats(task) for task in read_lines(data / SDE / "tasks.jsonl.gz")]
    idle = [chat(row["turns"], f"decoy{n}/0") for n, row in enumerate(read_lines(data / SDE / "decoys.jsonl.gz"))]
    first, later = [task[0] for task in tasks], [one for task in tasks for one in task[1:]]
    left = consolidated([*first, *idle, *later], **settings)
    return (*_kept(tasks, left), *_idle(idle, left), *_amended(tasks, left), *_cost(left))


def consolidated(talks: Sequence[Chat], **settings: Any) -> ConsolidationResult:
    """Stores all chats in a new store, one session after another, and consolidates them."""
    with tempfile.TemporaryDirectory() as folder:
        opened = {"background": False, "memory_files": False, **settings}
        with holdfast.open(db=f"{folder}/m.db", project=folder, **opened) as ws:
            sources = {id: place for talk in talks for id, place in _say(ws, talk)}
            started = time.perf_counter()
            for talk in talks:
                ws.consolidate(_session(talk))
            seconds = time.perf_counter() - started
            facts = [m for m in ws.list(limit=100_000, include_forgotten=True) if m.type != "episode"]
            return ConsolidationResult(tuple(facts), sources, seconds, len(sources))


def main(arguments: Sequence[str]) -> int:
    rows = figures(Path(arguments[0]) if arguments else DATA)
    if not rows:
        print("The data set was not found; name its folder.")
        return 1
    print(aligned([(row.name, row.value, row.target) for row in rows]))
    return 0 if all(row.holds is not False for row in rows) else 1


def _say(ws: Workspace, talk: Chat) -> Iterator[tuple[str, str]]:
    answers = ws.session(_session(talk)).say_all([IncomingMessage(m.role, m.text, m.at) for m in talk])
    for message, answer in zip(talk, answers, strict=True):
        if answer.memory is not None:
            yield answer.memory.id, message.id


def _session(talk: Chat) -> str:
    return talk[0].id.partition("#")[0]


def _kept(tasks: Sequence[Sequence[Chat]], left: ConsolidationResult) -> Iterator[Figure]:
    """Counts tasks in which the evidence of a fact is a deciding message: any message of the person after the first."""
    kept = 0
    for task in tasks:
        deciding = {m.id for talk in task for m in talk[1:] if m.role == "user"}
        facts = [fact for talk in task for fact in left.of(_session(talk))]
        kept += any(left.sources.get(id) in deciding for fact in facts for id in fact.source_ids)
    least = -(-15 * len(tasks) // 18)
    yield Figure("tasks whose rule was learned", f"{kept} of {len(tasks)}", f"≥ {least}", kept >= least)


def _idle(idle: Sequence[Chat], left: ConsolidationResult) -> Iterator[Figure]:
    made = sum(len(left.of(_session(talk))) for talk in idle)
    yield Figure("facts per chat without a rule", f"{made / len(idle):.2f}", "≤ 0.50", made <= len(idle) / 2)


def _amended(tasks: Sequence[Sequence[Chat]], left: ConsolidationResult) -> Iterator[Figure]:
    """Counts tasks with two chats in which the second chat supersedes a fact of the first."""
    pairs = [(_session(task[0]), _session(task[1])) for task in tasks if len(task) > 1]
    owner = {m.id: m.session for m in left.facts}
    replaced = [
        (m.session, owner.get(relation.memory or ""))
        for m in left.facts
        for relation in m.relations
        if relation.kind == "supersedes"
    ]
    done = sum((new, old) in replaced for old, new in pairs)
    strange = sum(_family(new) != _family(old) for new, old in replaced)
    least = -(-2 * len(pairs) // 3)
    yield Figure("amended tasks with the old rule superseded", f"{done} of {len(pairs)}", f"≥ {least}", done >= least)
    yield Figure("superseded by unrelated chats", str(strange), "0", strange == 0)


def _family(session: str | None) -> str:
    """The topic of a task, from its name; an amended task shares its topic with another."""
    return (session or "").partition("/")[0].replace("-amended", "")


def _cost(left: ConsolidationResult) -> Iterator[Figure]:
    yield Figure("messages consolidated per second", f"{left.messages / left.seconds:,.0f}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
