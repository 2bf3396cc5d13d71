"""Draws memories that are valid after a replay, with the events that show them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from bench.observer.streams import RecordedSession
from holdfast import Memory, Workspace
from holdfast.agents import event as kinds
from holdfast.agents.event import Event

_SHOWN, _LONGEST = 2, 90


def print_some(ws: Workspace, sessions: Sequence[RecordedSession], count: int, seed: int) -> None:
    """Prints memories drawn at random with their signal, confidence and the first events of their evidence."""
    memories = sorted(ws.list(limit=10_000), key=lambda memory: memory.content)
    chosen = random.Random(seed).sample(memories, min(count, len(memories)))
    print(f"{len(chosen)} of {len(memories)} valid memories, seed {seed}")
    for number, memory in enumerate(chosen, 1):
        print(f"{number}. [{memory.attributes['signal']}, {memory.confidence:.2f}] {memory.content}")
        for session, event in list(_events(memory, sessions))[:_SHOWN]:
            print(f"     {session[:8]} step {event.step}: {event.tool} {str(dict(event.args))[:_LONGEST]}")


def resolved(memories: Sequence[Memory], sessions: Sequence[RecordedSession]) -> float:
    """The share of memories whose evidence names recorded events."""
    return sum(any(True for _ in _events(memory, sessions)) for memory in memories) / max(len(memories), 1)


def _events(memory: Memory, sessions: Sequence[RecordedSession]) -> Iterator[tuple[str, Event]]:
    evidence = memory.attributes.get("evidence", {})
    for session in sessions:
        steps = set(evidence.get(session.id, ()))
        for event in session.events if steps else ():
            if event.kind == kinds.TOOL_CALL and event.step in steps:
                yield session.id, event
