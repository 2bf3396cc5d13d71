"""What a session starts with: where the work stands, and the rules and preferences that always hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from holdfast.core.answer import Hit, Trace, Why
from holdfast.core.frozen import frozen
from holdfast.recall.pack import DEFAULT_BUDGET, PackSources, pack

if TYPE_CHECKING:
    from holdfast.core.answer import Pack
    from holdfast.core.memory import Memory
    from holdfast.core.memory_types import TypeRegistry
    from holdfast.models.protocols import TokenCounter
    from holdfast.recall.usage import UsageCounter
    from holdfast.store.reading import MemoryReading

_STANDING = 40
_WORK_STATES = 1
_WORK_STATE = "work_state"
_TRACE = Trace("opening")


@frozen
class Opening:
    """Builds the text that a session starts with."""

    reading: MemoryReading
    usage: UsageCounter
    tokens: TokenCounter
    types: TypeRegistry
    format_work_state: Callable[[Mapping[str, Any]], str]
    project: str
    near_duplicate: float
    passes: Callable[[Memory], bool]

    def build(self, session: str | None = None, budget: int | None = None, *, supply: bool = True) -> Pack:
        """The pack for the start of a session. With `supply`, its memories count as given to the session."""
        hits = [*self._work_state(session), *self._standing(session)]
        packed = pack(
            PackSources(hits), budget or DEFAULT_BUDGET, {}, self.tokens, _TRACE, near_duplicate=self.near_duplicate
        )
        if session and supply:
            self.usage.supply(session, [citation.id for citation in packed.citations])
        return packed

    def _standing(self, session: str | None) -> list[Hit]:
        limit = _STANDING
        found = self.reading.standing_memories(self.project, self.types.standing, not_session=session, limit=limit)
        return [Hit(memory, memory.content, 1.0, Why({}, {})) for memory in found if self.passes(memory)]

    def _work_state(self, session: str | None) -> list[Hit]:
        """The newest state of the work that another session left."""
        found = self.reading.latest(self.project, _WORK_STATE, _WORK_STATES + 1)
        others = [memory for memory in found if memory.session is None or memory.session != session]
        return [
            Hit(memory, self.format_work_state(memory.fields) or memory.content, 1.0, Why({}, {}))
            for memory in others[:_WORK_STATES]
            if self.passes(memory)
        ]
