"""How sure a memory still is: one law, computed at read from the stored base, never written back (R-J1)."""

from __future__ import annotations

from datetime import datetime


def current_confidence(
    base: float, half_life_days: float | None, since: datetime, now: datetime, *, protected: bool = False
) -> float:
    """`base × 0.5^(days / half-life)`; what is pinned, verified or without a half-life does not decay."""
    if protected or half_life_days is None:
        return base
    days = max(0.0, (now - since).total_seconds() / 86_400)
    return float(base * 0.5 ** (days / half_life_days))
