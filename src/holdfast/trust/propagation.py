"""Propagates a change of confidence along relations: signed, bounded, each memory at most once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from holdfast.core.memory import Memory
    from holdfast.store.writing.memories import MemoryChange

# The share of a change that passes along a relation. Negative: the confidence of the other memory moves the other way.
FACTORS: Mapping[str, float] = {
    "validates": 0.6,
    "required_with": 0.3,
    "conflicts_with": -0.4,
    "supersedes": -0.8,
    "derived_from": 0.5,
}
# Relations that work in both directions: conflicts are mutual, and a conclusion depends on its premises.
MUTUAL = frozenset({"required_with", "conflicts_with", "derived_from"})
DEPTH = 3
# Changes up to this are ignored and not propagated further.
NOTICED_ABOVE = 0.05
# At most this many memories change per step, the most affected first, so that one hub does not rewrite a project.
WIDEST = 100
# Maximum confidence of a superseded memory.
SUPERSEDED_AT_MOST = 0.3


class ConfidenceChange(NamedTuple):
    """A memory and the change of its confidence."""

    memory: Memory
    by: float


def propagate(change: MemoryChange, source: Memory, by: float, now: datetime, reason: str) -> dict[str, float]:
    """Propagates a change of a memory's confidence, inside the caller's transaction. Returns the change of each memory.

    Verified and forgotten memories do not change. Each memory changes once, by the strongest effect of the memories
    nearest to the source, and its history names the source.
    """
    changed: dict[str, float] = {}
    wave: Sequence[ConfidenceChange] = [ConfidenceChange(source, by)] if abs(by) > NOTICED_ABOVE else []
    for _ in range(DEPTH):
        pulls = _strongest(change, wave) if wave else {}
        wave = list(_moved(change, source.project, {id: pulls[id] for id in pulls if id not in {source.id, *changed}}))
        for memory, moved in wave:
            changed[memory.id] = moved
            change.note(memory.id, now, "propagate", reason, {"from": source.id, "by": moved})
    return changed


def take_back(change: MemoryChange, changed: Mapping[str, float], now: datetime, reason: str) -> None:
    """Undoes the changes of `propagate`. A memory that was verified since stays unchanged."""
    for id, by in changed.items():
        memory = change.get(id)
        if memory is not None and not memory.verified:
            change.put(replace(memory, confidence=bounded(memory, memory.confidence - by)))
            change.note(id, now, "propagate", reason, {"by": -by})


def bounded(memory: Memory, confidence: float) -> float:
    """Limits a confidence to the range of the memory: 0 to 1, or less when it is superseded."""
    highest = SUPERSEDED_AT_MOST if memory.valid_until is not None else 1.0
    return round(min(highest, max(0.0, confidence)), 6)


def _strongest(change: MemoryChange, wave: Sequence[ConfidenceChange]) -> dict[str, float]:
    """The strongest effect on each related memory, largest first."""
    pulls: dict[str, float] = {}
    for id, pull in _pulls(change, wave):
        if abs(pull) > abs(pulls.get(id, 0.0)):
            pulls[id] = pull
    return dict(sorted(pulls.items(), key=lambda item: (-abs(item[1]), item[0]))[:WIDEST])


def _pulls(change: MemoryChange, wave: Sequence[ConfidenceChange]) -> Iterator[tuple[str, float]]:
    moved = {felt.memory.id: felt.by for felt in wave}
    for memory, by in wave:
        for relation in memory.relations:
            if relation.memory is not None:
                yield relation.memory, by * FACTORS[relation.kind] * relation.confidence
    for other in change.pointing_at(wave[0].memory.project, list(moved)):
        for relation in other.relations:
            if relation.memory in moved and relation.kind in MUTUAL:
                yield other.id, moved[relation.memory] * FACTORS[relation.kind] * relation.confidence


def _moved(change: MemoryChange, project: str, pulls: Mapping[str, float]) -> Iterator[ConfidenceChange]:
    for id, pull in pulls.items():
        memory = change.get(id) if abs(pull) > NOTICED_ABOVE else None
        if memory is None or memory.project != project or memory.verified or memory.forgotten:
            continue
        after = replace(memory, confidence=bounded(memory, memory.confidence + pull))
        by = round(after.confidence - memory.confidence, 6)
        if abs(by) > NOTICED_ABOVE:
            change.put(after)
            yield ConfidenceChange(after, by)
