"""Values that applications keep."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.workspace.operation_verbs import Operations

if TYPE_CHECKING:
    from holdfast.intake.item_intake import ItemKeeper


class ItemOperations(Operations):
    """Operations on values that applications keep by space and key."""

    @property
    def items(self) -> ItemKeeper:
        """JSON values by space and key, for applications that need more than memories; not part of searches."""
        return self.container.items
