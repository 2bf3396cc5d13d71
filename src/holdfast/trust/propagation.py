"""A change of confidence is felt along relations: signed, bounded, never in circles (R-C14)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from holdfast.core.memory import Memory
    from holdfast.store.writing.memories import MemoryChange

# How much of a change the other end of a relation feels. What supersedes grows surer as the old grows less so.
FACTORS: Mapping[str, float] = {
    "validates": 0.6,
    "required_with": 0.3,
    "conflicts_with": -0.4,
    "supersedes": -0.8,
    "derived_from": 0.5,
}
# Relations felt at both ends: what conflicts does so mutually, and a conclusion stands or falls with its ground.
MUTUAL = frozenset({"required_with", "conflicts_with", "derived_from"})
DEPTH = 3
# A change no greater than this is left out, and so is what would follow from it.
NOTICED_ABOVE = 0.05
# The strongest so many are changed in one step, so that one word on a hub does not rewrite a project.
WIDEST = 100
# A superseded memory is never surer than this (R-C14, R-E8).
SUPERSEDED_AT_MOST = 0.3


class ConfidenceChange(NamedTuple):
    """A memory and the change it went through."""

    memory: Memory
    by: float


def propagate(change: MemoryChange, source: Memory, by: float, now: datetime, reason: str) -> dict[str, float]:
    """Passes a change of one memory's confidence on, inside the caller's transaction. Says who changed by how much.

    What a person verified does not move, and what is forgotten is left alone. Each memory changes once, by the
    strongest pull of those nearest to the source, and its history names the source.
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
    """Undoes what `propagate` did. A memory that a person verified meanwhile stays as it is."""
    for id, by in changed.items():
        memory = change.get(id)
        if memory is not None and not memory.verified:
            change.put(replace(memory, confidence=bounded(memory, memory.confidence - by)))
            change.note(id, now, "propagate", reason, {"by": -by})


def bounded(memory: Memory, confidence: float) -> float:
    """The confidence as this memory may have it: 0 to 1, and little when it is superseded."""
    highest = SUPERSEDED_AT_MOST if memory.valid_until is not None else 1.0
    return round(min(highest, max(0.0, confidence)), 6)


def _strongest(change: MemoryChange, wave: Sequence[ConfidenceChange]) -> dict[str, float]:
    """The strongest pull on each neighbour, the most strongly pulled first."""
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
