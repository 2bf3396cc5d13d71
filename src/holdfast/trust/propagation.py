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
MIN_CHANGE = 0.05
# At most this many memories change per step, the most affected first, so that one hub does not rewrite a project.
MAX_PER_STEP = 100
# Maximum confidence of a superseded memory.
SUPERSEDED_AT_MOST = 0.3


class ConfidenceChange(NamedTuple):
    """A memory and the change of its confidence."""

    memory: Memory
    by: float


def propagate(change: MemoryChange, source: Memory, by: float, now: datetime, reason: str) -> dict[str, float]:
    """Propagates a change of a memory's confidence, inside the caller's transaction. Returns all changes, by memory id.

    Verified and forgotten memories do not change. Each memory changes once, by the strongest effect of the memories
    nearest to the source, and its history names the source.
    """
    changed: dict[str, float] = {}
    step: Sequence[ConfidenceChange] = [ConfidenceChange(source, by)] if abs(by) > MIN_CHANGE else []
    for _ in range(DEPTH):
        effects = _strongest(change, step) if step else {}
        reached = {source.id, *changed}
        step = list(_apply(change, source.project, {id: effects[id] for id in effects if id not in reached}))
        for memory, moved in step:
            changed[memory.id] = moved
            detail = {"from": source.id, "by": moved, "confidence": round(memory.confidence - moved, 6)}
            change.note(memory.id, now, "propagate", reason, detail)
    return changed


def undo_propagation(change: MemoryChange, changed: Mapping[str, float], now: datetime, reason: str) -> None:
    """Undoes the changes of `propagate`. A memory that was verified since stays unchanged."""
    for id, by in changed.items():
        memory = change.get(id)
        if memory is not None and not memory.verified:
            change.put(replace(memory, confidence=bounded(memory, memory.confidence - by)))
            change.note(id, now, "propagate", reason, {"by": -by, "confidence": memory.confidence})


def bounded(memory: Memory, confidence: float) -> float:
    """Limits a confidence to the range of the memory: 0 to 1, or less when it is superseded."""
    highest = SUPERSEDED_AT_MOST if memory.valid_until is not None else 1.0
    return round(min(highest, max(0.0, confidence)), 6)


def _strongest(change: MemoryChange, step: Sequence[ConfidenceChange]) -> dict[str, float]:
    """The strongest effect on each related memory, largest first."""
    effects: dict[str, float] = {}
    for id, effect in _effects(change, step):
        if abs(effect) > abs(effects.get(id, 0.0)):
            effects[id] = effect
    return dict(sorted(effects.items(), key=lambda item: (-abs(item[1]), item[0]))[:MAX_PER_STEP])


def _effects(change: MemoryChange, step: Sequence[ConfidenceChange]) -> Iterator[tuple[str, float]]:
    moved = {item.memory.id: item.by for item in step}
    for memory, by in step:
        for relation in memory.relations:
            if relation.memory is not None:
                yield relation.memory, by * FACTORS[relation.kind] * relation.confidence
    for other in change.pointing_at(step[0].memory.project, list(moved)):
        for relation in other.relations:
            if relation.memory in moved and relation.kind in MUTUAL:
                yield other.id, moved[relation.memory] * FACTORS[relation.kind] * relation.confidence


def _apply(change: MemoryChange, project: str, effects: Mapping[str, float]) -> Iterator[ConfidenceChange]:
    for id, effect in effects.items():
        memory = change.get(id) if abs(effect) > MIN_CHANGE else None
        if memory is None or memory.project != project or memory.verified or memory.forgotten:
            continue
        after = replace(memory, confidence=bounded(memory, memory.confidence + effect))
        by = round(after.confidence - memory.confidence, 6)
        if abs(by) > MIN_CHANGE:
            change.put(after)
            yield ConfidenceChange(after, by)
