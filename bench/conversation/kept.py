"""Consolidating real developer chats through the whole path, no language model: what is believed afterwards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from bench.conversation.extract import SDE, Figure, chat, chats
from bench.recall.pool import read_lines

if TYPE_CHECKING:
    from holdfast.core.conversation import Message
    from holdfast.core.memory import Memory
    from holdfast.workspace import Workspace

_LEARNED = ("fact", "decision", "preference", "requirement", "pattern", "gotcha")


def figures(data: Path, home: Path) -> Iterator[Figure]:
    """Every chat is said in a session of its own, in one store; then all of them are consolidated."""
    tasks = [chats(task) for task in read_lines(data / SDE / "tasks.jsonl.gz")]
    decoys = [(chat(row["turns"], f"decoy{n}"),) for n, row in enumerate(read_lines(data / SDE / "decoys.jsonl.gz"))]
    with _open(home) as ws:
        told = [_say(ws, talk, f"task {n}") for n, talk in enumerate(tasks)]
        for n, talk in enumerate(decoys):
            _say(ws, talk, f"decoy {n}")
        ws.consolidate()
        held = _held(ws)
        yield from _of_tasks(told, held)
        yield from _amended(told, held)
        made = sum(len(held.get(f"decoy {n}, 0", ())) for n in range(len(decoys)))
        share = f"{made / len(decoys):.2f}"
        yield Figure("facts per chat without a rule, in the store", share, "≤ 0.50", made <= len(decoys) / 2)
        again = ws.consolidate()
        yield Figure("kept by consolidating again", str(again.counts()["stored"]), "0", not again.counts()["stored"])


def _of_tasks(told: Sequence[Sequence[Mapping[str, str]]], held: Mapping[str, Sequence[Memory]]) -> Iterator[Figure]:
    """A task's rule is kept when the evidence of a fact is something a person said in its chats."""
    kept = sum(
        any(roles.get(id) == "user" for memory in held.get(f"task {n}, {place}", ()) for id in memory.source_ids)
        for n, talks in enumerate(told)
        for place, roles in [(len(talks) - 1, talks[-1])]
    )
    least = -(-15 * len(told) // 18)
    yield Figure("deciding turn kept as a fact, in the store", f"{kept} of {len(told)}", f"≥ {least}", kept >= least)


def _amended(told: Sequence[Sequence[Mapping[str, str]]], held: Mapping[str, Sequence[Memory]]) -> Iterator[Figure]:
    pairs = [(held.get(f"task {n}, 0", ()), held.get(f"task {n}, 1", ())) for n, talks in enumerate(told) if talks[1:]]
    right = sum(any(m.superseded for m in old) and any(not m.superseded for m in new) for old, new in pairs)
    standing = sum(not memory.superseded for old, _ in pairs for memory in old)
    least = -(-2 * len(pairs) // 3)
    yield Figure("old ruling superseded, the new one held", f"{right} of {len(pairs)}", f"≥ {least}", right >= least)
    yield Figure("rulings of the first chat that still stand", str(standing))


def _say(ws: Workspace, talks: Iterable[Sequence[Message]], name: str) -> list[Mapping[str, str]]:
    """Says the chats, each a day after the one before; gives the role of each message by its id."""
    from holdfast.intake.episodes import Said

    told = []
    for place, talk in enumerate(talks):
        said = [Said(message.role, message.text, message.at + timedelta(days=place)) for message in talk]
        answers = ws.session(f"{name}, {place}").say_all(said)
        told.append({a.memory.id: one.role for a, one in zip(answers, said, strict=True) if a.memory})
    return told


def _held(ws: Workspace) -> dict[str, list[Memory]]:
    """What was learned, what is superseded too, by the session it was learned in."""
    by_session: dict[str, list[Memory]] = {}
    for memory in ws.list(types=_LEARNED, limit=100_000, include_forgotten=True):
        by_session.setdefault(memory.session or "", []).append(memory)
    return by_session


def _open(home: Path) -> Workspace:
    import holdfast

    return holdfast.open(db=str(home / "kept.db"), project=str(home), background=False, memory_files=False)
