"""Reads the memories behind MEMORY.md from the store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.core.answer import Filters
from holdfast.core.errors import NotFound
from holdfast.core.frozen import frozen
from holdfast.core.memory import EPISODE
from holdfast.sessions.memory_files.memory_page import may_appear
from holdfast.sessions.memory_files.merge import LineMemory
from holdfast.text.fingerprints import fingerprint

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from holdfast.core.memory import Memory
    from holdfast.core.memory_types import TypeRegistry
    from holdfast.store.reading import MemoryChangeReading

# The memories considered for the page, in each of these orders; the page holds about a hundred.
_ORDERS, _CONSIDERED = ("confidence", "used", "newest"), 500
_MAX_SUCCESSORS = 50


@frozen
class BelievedMemories:
    """The believed memories of one project."""

    reading: MemoryChangeReading
    project: str
    types: TypeRegistry

    def for_page(self) -> Sequence[Memory]:
        """The memories that may appear on the page; of very many, the most confident, most used and newest."""
        learned = Filters(types=tuple(name for name in self.types.names() if name != EPISODE))
        found: dict[str, Memory] = {}
        for order in _ORDERS:
            page = self.reading.memories(self.project, learned, order=order, limit=_CONSIDERED)
            found |= {memory.id: memory for memory in page if may_appear(memory, self.types.sections)}
            if len(page) < _CONSIDERED:
                break
        return tuple(found.values())

    def forgotten_texts(self) -> tuple[str, ...]:
        """The texts of all forgotten memories and messages."""
        return self.reading.forgotten_texts(self.project)

    def forgotten_messages(self) -> tuple[str, ...]:
        """The ids of all forgotten messages."""
        return self.reading.forgotten_messages(self.project)

    def erased_anchors(self, anchors: Collection[str]) -> frozenset[str]:
        """Which of these anchors belong to memories that were erased, in any project."""
        return self.reading.erased_anchors(anchors)

    def line_memory(self, anchor: str) -> LineMemory | None:
        """The memory an anchor names, with its current successor; None if there is no such memory."""
        try:
            first = self.reading.memory(self.reading.resolve(self.project, anchor))
        except NotFound:
            return None
        return LineMemory(first, self._current(first)) if first is not None and first.type != EPISODE else None

    def known(self, text: str) -> Memory | None:
        """The believed memory with exactly this text, if there is one."""
        twins = self.reading.twins(self.project, fingerprint(text))
        return next((m for m in twins if m.is_current), None)

    def _current(self, memory: Memory) -> Memory | None:
        for _ in range(_MAX_SUCCESSORS):
            if memory.is_current:
                return memory
            later = [m for m in self.reading.successors(memory) if m.id != memory.id]
            if not later:
                return None
            memory = later[-1]
        return None
