"""Contradictions between memories: each names the other, until one of them no longer holds or a person confirms one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from holdfast.core.memory import CONFLICT, Memory, Relation

if TYPE_CHECKING:
    from holdfast.store.writing.memories import MemoryChange

_CONFIDENCE = 0.6


def conflict_with(id: str) -> Relation:
    """The relation to a memory that cannot hold as well."""
    return Relation(CONFLICT, memory=id, confidence=_CONFIDENCE, auto=True)


def link(change: MemoryChange, memory: Memory) -> None:
    """Lets each believed memory that this one contradicts name it in turn."""
    name_in(change, memory.contradicts, memory)


def name_in(change: MemoryChange, ids: Iterable[str], memory: Memory) -> None:
    """Lets the believed ones of these memories name a memory that contradicts them."""
    for id in ids:
        other = change.get(id)
        if other is not None and other.is_current and memory.id not in other.contradicts:
            change.put(replace(other, relations=(*other.relations, conflict_with(memory.id))))


def unlink(change: MemoryChange, memory: Memory) -> None:
    """Removes this memory from those that it contradicts, because it no longer holds or the question is settled."""
    for id in memory.contradicts:
        other = change.get(id)
        if other is not None and memory.id in other.contradicts:
            change.put(without_conflict(other, memory.id))


def without_conflict(memory: Memory, *ids: str) -> Memory:
    """The memory without its contradictions, or without those of the given memories."""
    kept = (r for r in memory.relations if r.kind != CONFLICT or not r.auto or (ids and r.memory not in ids))
    return replace(memory, relations=tuple(kept))
