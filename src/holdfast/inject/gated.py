"""The gate for memories of an open store."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from holdfast.core.decay import current_confidence
from holdfast.core.frozen import frozen
from holdfast.inject.gate import ENOUGH_USES, may_inject
from holdfast.recall.standing_rules import is_meant_to_last

if TYPE_CHECKING:
    from holdfast.core.memory import Memory


@frozen
class GatedMemory:
    """A memory with the confidence that the gate compares: that after decay."""

    memory: Memory
    confidence: float

    @property
    def type(self) -> str:
        return self.memory.type

    @property
    def source(self) -> str:
        return self.memory.source

    @property
    def access_count(self) -> int:
        return self.memory.access_count

    @property
    def verified(self) -> bool:
        return self.memory.verified

    @property
    def quarantined(self) -> bool:
        return self.memory.quarantined


def passes(memory: Memory, now: datetime, trust_level: int) -> bool:
    """May a memory be shown unasked at that time?"""
    since = memory.last_accessed_at or memory.event_time or memory.created_at
    protected = memory.pinned or memory.verified
    confidence = current_confidence(memory.confidence, memory.half_life_days, since, now, protected=protected)
    return may_inject(GatedMemory(memory, confidence), trust_level, while_working=False)


def is_proven(memory: Memory) -> bool:
    """Was it taught, confirmed or pinned, or found twice and worded as meant to last?

    A rule about one task ("the button must be blue") is found whenever its task is, and proves nothing for others.
    """
    return memory.is_taught or (memory.access_count >= ENOUGH_USES and is_meant_to_last(memory))
