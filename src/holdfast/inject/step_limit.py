"""How many steps an agent may take: the planned number, multiplied by how much earlier tasks of the module took."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from holdfast.core.answer import Filters

if TYPE_CHECKING:
    from holdfast.store.reading import MemoryReading

_MOST_FACTOR = 2.0
_TYPE = "task_calibration"


def step_limit(reading: MemoryReading, project: str, base: int, module: str, maximum: int) -> int:
    """The calibrated limit: at most twice the base and never above the maximum, but never below the base itself."""
    factor = min(calibration(reading, project, module) or 1.0, _MOST_FACTOR)
    return max(base, min(math.ceil(base * factor), maximum)) if factor > 1 else base


def calibration(reading: MemoryReading, project: str, module: str) -> float | None:
    """The newest known ratio of the steps taken to the steps planned in a module; None if there is none."""
    for memory in reading.memories(project, Filters(types=(_TYPE,)), limit=200):
        ratio = memory.fields.get("ratio")
        if module in (memory.fields.get("module"), *memory.modules) and isinstance(ratio, int | float) and ratio > 0:
            return float(ratio)
    return None
