"""Decay of confidence: computed on reading from the stored base, never written back."""

from __future__ import annotations

from datetime import datetime

_PER_HOUR = 0.995
_MINIMUM = 0.1


def current_confidence(
    base: float, half_life_days: float | None, since: datetime, now: datetime, *, protected: bool = False
) -> float:
    """Confidence after decay: `base × 0.5^(days / half-life)`. No decay without a half-life or if `protected`.

    Pinned and verified memories are protected.
    """
    if protected or half_life_days is None:
        return base
    days = max(0.0, (now - since).total_seconds() / 86_400)
    return float(base * 0.5 ** (days / half_life_days))


def document_confidence(base: float, since: datetime, now: datetime) -> float:
    """Confidence of a document: `base × 0.995^hours` since it was last found, or else last changed; at least 0.1."""
    hours = max(0.0, (now - since).total_seconds() / 3_600)
    return max(_MINIMUM, float(base * _PER_HOUR**hours))
