"""Memories for tests."""

from __future__ import annotations

from datetime import UTC, datetime

from holdfast.core.memory import Memory


def memory(text: str, day: int, id: str = "") -> Memory:
    """A fact of the given day of January 2026."""
    return Memory(f"mem_{id or day}", "fact", text, "project", datetime(2026, 1, day, tzinfo=UTC))
