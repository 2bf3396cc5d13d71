"""The gate: which memories may be put into a prompt without being asked for. Hooks import it, so it imports nothing."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class Gated(Protocol):
        """The properties that decide; `confidence` after decay."""

        @property
        def type(self) -> str: ...
        @property
        def source(self) -> str: ...
        @property
        def confidence(self) -> float: ...
        @property
        def access_count(self) -> int: ...
        @property
        def verified(self) -> bool: ...
        @property
        def quarantined(self) -> bool: ...


# The least confidence by trust level: 1 cautious, 2 standard, 3 confident, 4 autonomous.
THRESHOLDS = {1: 0.80, 2: 0.65, 3: 0.55, 4: 0.45}
TAUGHT = ("agent_explicit", "user_taught")
ENOUGH_USES = 2


def may_inject(memory: Gated, trust_level: int, *, while_working: bool) -> bool:
    """May this memory be shown?

    The confidence counts as people see it, to two decimals: it decays from the moment it is stored.
    Tainted memories and agents' proposals only after a person has confirmed them. During the work (at tool results and
    steps) also: an inferred memory must be confirmed or used twice; taught memories and decisions pass.
    """
    if memory.quarantined:
        return False
    if round(memory.confidence, 2) < THRESHOLDS[min(max(trust_level, 1), 4)]:
        return False
    if not while_working or memory.verified or memory.source in TAUGHT or memory.type == "decision":
        return True
    return memory.access_count >= ENOUGH_USES
