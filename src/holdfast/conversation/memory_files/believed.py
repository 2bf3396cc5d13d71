"""The memories behind a page, as they stand in the store."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from holdfast.conversation.memory_files.memory_page import belongs
from holdfast.conversation.memory_files.merge import LineMemory
from holdfast.core.answer import Filters
from holdfast.core.errors import NotFound
from holdfast.core.memory import EPISODE
from holdfast.text.words import fingerprint

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.core.memory import Memory
    from holdfast.core.memory_types import TypeRegistry
    from holdfast.store.reading import MemoryReading

# Looked at for the page, by each of these orders: it holds a hundred or so.
_ORDERS, _MOST = ("confidence", "used", "newest"), 500
_STEPS = 50


@dataclass(frozen=True, slots=True)
class BelievedMemories:
    """What one project believes."""

    reading: MemoryReading
    project: str
    types: TypeRegistry

    def for_page(self) -> Sequence[Memory]:
        """The memories that may stand on the page: all of them, or of very many the surest, most used and newest."""
        learned = Filters(types=tuple(name for name in self.types.names() if name != EPISODE))
        found: dict[str, Memory] = {}
        for order in _ORDERS:
            page = self.reading.memories(self.project, learned, order=order, limit=_MOST)
            found |= {memory.id: memory for memory in page if belongs(memory, self.types.sections)}
            if len(page) < _MOST:
                break
        return tuple(found.values())

    def standing(self, anchor: str) -> LineMemory | None:
        """The memory an anchor names and what holds in its place today; None when there is no such memory."""
        try:
            first = self.reading.memory(self.reading.resolve(self.project, anchor))
        except NotFound:
            return None
        return LineMemory(first, self._now(first)) if first is not None and first.type != EPISODE else None

    def known(self, text: str) -> Memory | None:
        """The memory that says exactly this now."""
        twins = self.reading.twins(self.project, fingerprint(text))
        return next((m for m in twins if not m.forgotten and m.valid_until is None), None)

    def _now(self, memory: Memory) -> Memory | None:
        for _ in range(_STEPS):
            if not memory.forgotten and memory.valid_until is None:
                return memory
            later = [m for m in self.reading.successors(memory) if m.id != memory.id]
            if not later:
                return None
            memory = later[-1]
        return None
