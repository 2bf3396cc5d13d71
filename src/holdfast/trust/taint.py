"""Taints memories: what strangers can write was read before, so they are less sure and wait for a person's review."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from holdfast.core.memory import Memory, Taint
    from holdfast.store.writing.memories import MemoryWriting

# Factor of the confidence of a memory from an untrusted tool.
_TAINTED_FACTOR = 0.7


def with_taint(memory: Memory, taint: Taint | None) -> Memory:
    """Returns the memory with this taint, unless it has one: less sure, and waiting for a review."""
    if taint is None or memory.taint is not None:
        return memory
    confidence = memory.confidence * _TAINTED_FACTOR
    return replace(memory, taint=taint, needs_review=True, verified=False, confidence=confidence)


def taint_all(memories: MemoryWriting, taints: Mapping[str, Taint], now: datetime) -> None:
    """Taints memories by id, unless they are a person's by now."""
    if not taints:
        return
    with memories.change(durable=True) as change:
        for memory in filter(None, map(change.get, taints)):
            if memory.taint is None and not memory.is_persons:
                change.put(with_taint(memory, taints[memory.id]))
                detail = {"confidence": memory.confidence, "source": "observer_inferred"}
                change.note(memory.id, now, "taint", taints[memory.id].tool, detail)
