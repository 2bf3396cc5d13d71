"""Marks messages that say something outdated: a memory learned from them was replaced by a newer one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from holdfast.core.answer import Replacement
from holdfast.core.memory import EPISODE

if TYPE_CHECKING:
    from holdfast.core.answer import Hit
    from holdfast.store.reading import ChangeReading


def with_replacements(hits: Sequence[Hit], reading: ChangeReading, project: str) -> tuple[Hit, ...]:
    """The hits, each outdated message with the newer memories. One lookup for all of them; none without a message."""
    messages = [hit.memory for hit in hits if hit.memory is not None and hit.memory.type == EPISODE]
    found = reading.replacements(project, messages) if messages else {}
    if not found:
        return tuple(hits)
    newer = {id: tuple(Replacement(memory.id, memory.content) for memory in memories) for id, memories in found.items()}
    return tuple(replace(hit, replaced_by=newer[hit.id]) if hit.id in newer else hit for hit in hits)
