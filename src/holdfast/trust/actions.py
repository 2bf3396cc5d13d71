"""Review of memories by people. Each action is one durable transaction and one event of the memory's history."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from holdfast.core.errors import InvalidInput, NotFound
from holdfast.core.memory import Memory
from holdfast.trust.propagation import bounded, propagate, take_back

if TYPE_CHECKING:
    from collections.abc import Mapping

    from holdfast.store.writing.memories import MemoryChange, MemoryWriting

# A flag multiplies the confidence by this until the memory is confirmed.
_DOUBTED = 0.5
# Attributes of a superseded memory that restoring needs, and removes.
_FOR_RESTORE = ("confidence_before", "merged_into")


def confirm(memories: MemoryWriting, id: str, now: datetime) -> Memory:
    """Confirms a memory: verified, full confidence, no decay, no review. The confidence of related memories rises.

    First undoes the effects of a flag, on this memory and on related ones.
    """
    with memories.change(durable=True) as change:
        memory = _get(change, id)
        doubt = _doubt(change, id)
        take_back(change, doubt.get("felt", {}), now, f"{id} was confirmed after all")
        sure = replace(memory, verified=True, confidence=bounded(memory, 1.0), needs_review=False)
        change.put(sure)
        risen = sure.confidence - doubt.get("confidence", memory.confidence)
        change.note(id, now, "confirm", "", _noted(propagate(change, sure, risen, now, f"{id} was confirmed")))
    return sure


def flag(memories: MemoryWriting, id: str, why: str, now: datetime) -> Memory:
    """Marks a memory as doubtful: needs review, not verified, half the confidence. That of related memories falls.

    Confirming undoes this; a second flag changes nothing.
    """
    with memories.change(durable=True) as change:
        memory = _get(change, id)
        left = memory.confidence if _doubt(change, id) else memory.confidence * _DOUBTED
        doubted = replace(memory, needs_review=True, verified=False, confidence=left)
        change.put(doubted)
        lost = left - memory.confidence
        felt = propagate(change, doubted, lost, now, f"{id} was flagged") if lost else {}
        change.note(id, now, "flag", why, {"confidence": memory.confidence, **_noted(felt)} if lost else {})
    return doubted


def pin(memories: MemoryWriting, id: str, now: datetime, on: bool = True) -> Memory:
    """Pins or unpins a memory. A pinned memory never decays and is never pruned."""
    return _change(memories, id, _HistoryLine(now, "pin" if on else "unpin"), pinned=on)


def forget(memories: MemoryWriting, id: str, reason: str, now: datetime) -> Memory:
    """Hides a memory; `restore` brings it back."""
    return _change(memories, id, _HistoryLine(now, "forget", reason), forgotten_at=now)


def restore(memories: MemoryWriting, id: str, now: datetime) -> tuple[Memory, tuple[str, ...]]:
    """Restores a forgotten or superseded memory.

    Its replacements are forgotten, including later corrections; a memory that it was merged into stays. Returns the
    memory and the ids of the forgotten replacements.
    """
    with memories.change(durable=True) as change:
        old = _get(change, id)
        if not old.forgotten and old.valid_until is None:
            raise InvalidInput(f"memory {id} is neither forgotten nor superseded", hint="Nothing to restore.")
        replaced = _withdraw_successors(change, old, now) if old.valid_until is not None else ()
        if old.valid_until is not None:
            take_back(change, _last(change, id, "supersede").get("felt", {}), now, f"{id} was restored")
        confidence = old.attributes.get("confidence_before", old.confidence)
        attributes = {k: v for k, v in old.attributes.items() if k not in _FOR_RESTORE}
        back = replace(old, forgotten_at=None, valid_until=None, confidence=confidence, attributes=attributes)
        change.put(back)
        change.note(id, now, "restore", "", {"instead_of": list(replaced)})
    return back, replaced


def supersede(
    change: MemoryChange,
    old: Memory,
    by: str,
    now: datetime,
    reason: str,
    *,
    merged: bool = False,
    until: datetime | None = None,
) -> Memory:
    """Marks a memory as superseded, inside the caller's transaction: replaced by a newer one, or `merged` into another.

    Its validity ends now, or at `until` if that is after its beginning. The confidence of related memories falls,
    unless it was merged: then its statement still holds.
    """
    attributes = {**old.attributes, "confidence_before": old.confidence, **({"merged_into": by} if merged else {})}
    end = until if until is not None and (old.event_time or old.created_at) < until < now else now
    ended = replace(old, valid_until=end, attributes=attributes)
    ended = replace(ended, confidence=bounded(ended, old.confidence))
    change.put(ended)
    lost = 0.0 if merged else ended.confidence - old.confidence
    felt = propagate(change, ended, lost, now, f"{old.id} was superseded") if lost else {}
    change.note(old.id, now, "supersede", reason, {"by": by, **_noted(felt)})
    return ended


def _withdraw_successors(change: MemoryChange, old: Memory, now: datetime) -> tuple[str, ...]:
    withdrawn: list[str] = []
    for memory in change.successors(old):
        if memory.id == old.attributes.get("merged_into"):
            _part(change, memory, old)
        elif not memory.forgotten:
            change.put(replace(memory, forgotten_at=now))
            change.note(memory.id, now, "forget", f"{old.id} was restored")
            withdrawn += [memory.id, *_withdraw_successors(change, memory, now)]
    return tuple(withdrawn)


def _part(change: MemoryChange, kept: Memory, old: Memory) -> None:
    """Separates two merged memories."""
    current = change.get(kept.id) or kept
    change.put(replace(current, relations=tuple(r for r in current.relations if r.memory != old.id)))


def _doubt(change: MemoryChange, id: str) -> Mapping[str, Any]:
    """The effects of the flag in force: the first since the last confirmation. Empty if there is none."""
    standing: Mapping[str, Any] = {}
    for event in change.events(id):
        if event.verb == "confirm":
            standing = {}
        elif event.verb == "flag":
            standing = standing or event.detail
    return standing


def _last(change: MemoryChange, id: str, verb: str) -> Mapping[str, Any]:
    return next((event.detail for event in reversed(change.events(id)) if event.verb == verb), {})


def _noted(felt: Mapping[str, float]) -> dict[str, Any]:
    """The changes of related memories for the history, so that they can be undone."""
    return {"felt": dict(felt)} if felt else {}


class _HistoryLine(NamedTuple):
    """An event of a memory's history."""

    at: datetime
    verb: str
    reason: str = ""


def _change(memories: MemoryWriting, id: str, line: _HistoryLine, **fields: Any) -> Memory:
    with memories.change(durable=True) as change:
        changed = replace(_get(change, id), **fields)
        change.put(changed)
        change.note(id, *line)
    return changed


def _get(change: MemoryChange, id: str) -> Memory:
    memory = change.get(id)
    if memory is None:
        raise NotFound(f"memory {id}")
    return memory
