"""Records what became of a memory because somebody says so, not because a session's events show it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from holdfast.core.errors import InvalidInput
from holdfast.core.frozen import frozen
from holdfast.core.memory_use import CONTRADICTED, OUTCOMES, STATED, USED, MemoryUse

if TYPE_CHECKING:
    from holdfast.core.memory import Memory
    from holdfast.store.writing.usage import UsageWriting

_WHY = "contradicted in a session"


@frozen
class StatedUses:
    """Stores stated outcomes of one project. `flag` marks a memory for review."""

    usage: UsageWriting
    flag: Callable[[str, str], Memory]
    now: Callable[[], datetime]
    project: str

    def record(self, memory: Memory, outcome: str, session: str | None = None) -> MemoryUse:
        """Stores an outcome for a session; by default for the last one that was given the memory, if any.

        A used memory counts as found, a contradicted one waits for review.
        """
        if outcome not in OUTCOMES:
            raise InvalidInput(f"outcome {outcome!r}", hint=f"Use one of: {', '.join(OUTCOMES)}.")
        named = session if session is not None else self.usage.last_supplied(self.project, memory.id)
        use = MemoryUse(memory.id, self.now(), STATED, outcome, STATED)
        self.usage.record_uses(self.project, named or "", [use])
        if outcome == USED:
            self.usage.found(self.project, [[memory.id]], use.at)
        if outcome == CONTRADICTED:
            self.flag(memory.id, _WHY)
        return use


def with_stated(judged: Sequence[MemoryUse], stored: Sequence[MemoryUse]) -> list[MemoryUse]:
    """What was judged from events, except where somebody stated the outcome."""
    stated = {use.memory: use for use in stored if use.evidence == STATED}
    return [use for use in judged if use.memory not in stated] + list(stated.values())
