"""Marks messages that say something outdated with the memories that replaced it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from holdfast.core.answer import Hit, Replacement
from holdfast.core.memory import EPISODE

if TYPE_CHECKING:
    from holdfast.store.reading import MemoryChangeReading


def with_replacements(hits: Sequence[Hit], reading: MemoryChangeReading, project: str) -> tuple[Hit, ...]:
    """The hits, each outdated message with the newer memories. One lookup for all of them; none without a message."""
    messages = [hit.memory for hit in hits if hit.memory is not None and hit.memory.type == EPISODE]
    found = reading.replacements(project, messages) if messages else {}
    newer = {id: tuple(Replacement(memory.id, memory.content) for memory in known) for id, known in found.items()}
    return tuple(replace(hit, replaced_by=newer[hit.id]) if hit.id in newer else hit for hit in hits)
