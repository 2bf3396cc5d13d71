"""The operations of an agent's loop: what it is given during its work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.workspace.operations import Operations

if TYPE_CHECKING:
    from holdfast.core.answer import Pack


class LoopOperations(Operations):
    """Supplies memories to an agent while it works."""

    def opening(self, session: str | None = None, budget: int | None = None) -> Pack:
        """What a session starts with: where the work stands, and the rules and preferences that always hold."""
        return self.container.inject.opening.build(session, budget)
