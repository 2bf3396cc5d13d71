"""The codes of the reasons that entity extraction reports."""

from __future__ import annotations

from holdfast.core.reason import Code


class EntityCode(Code):
    """Why the second, accurate reading of memories was skipped or stopped early."""

    LEASE_LOST = "entities.lease_lost"
    NO_ACCURATE_READER = "entities.no_accurate_reader"
    NOT_ACCURATE = "entities.not_accurate"
