"""One memory in full: its history, the memories that replaced it and those it refers to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from holdfast.core.memory import Memory


@dataclass(frozen=True, slots=True)
class MemoryEvent:
    """One action on a memory, with its reason."""

    at: datetime
    verb: str
    reason: str
    detail: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class MemoryDescription:
    """A memory, everything that was done to it in order, its successors, and the memories its relations name."""

    memory: Memory
    history: tuple[MemoryEvent, ...]
    successors: tuple[Memory, ...]
    related: tuple[Memory, ...]
