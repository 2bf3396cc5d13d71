"""The codes of the reasons that background work reports."""

from __future__ import annotations

from holdfast.core.reason import Code


class UpkeepCode(Code):
    """Why background work was skipped or stopped early."""

    ALREADY_RUNNING = "upkeep.already_running"
    LEASE_LOST = "upkeep.lease_lost"
    NO_EMBEDDER = "upkeep.no_embedder"
    ORPHANED_PASSAGES = "upkeep.orphaned_passages"
