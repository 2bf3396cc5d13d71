"""How many steps an agent may take: the planned number, multiplied by how much earlier tasks of the module took."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from holdfast.core.answer import Filters

if TYPE_CHECKING:
    from collections.abc import Collection

    from holdfast.core.memory import Memory
    from holdfast.store.reading import MemoryReading

_MOST_FACTOR = 2.0
CALIBRATION = "task_calibration"
_MOST_READ = 1_000
# How much more an item of a plan takes in a module than elsewhere, which nobody has planned.
_INFERRED = "step_overrun"


def step_limit(reading: MemoryReading, project: str, base: int, module: str, maximum: int) -> int:
    """The calibrated limit: at most twice the base and never above the maximum, but never below the base itself."""
    factor = min(calibration(reading, project, module) or 1.0, _MOST_FACTOR)
    return max(base, min(math.ceil(base * factor), maximum)) if factor > 1 else base


def calibration(reading: MemoryReading, project: str, module: str) -> float | None:
    """The best known ratio of the steps taken to the steps planned in a module; None if there is none."""
    ratios = (memory.fields.get("ratio") for memory in calibrations(reading, project, (module,)))
    return next((float(ratio) for ratio in ratios if isinstance(ratio, int | float) and ratio > 0), None)


def calibrations(reading: MemoryReading, project: str, modules: Collection[str]) -> list[Memory]:
    """The best calibration of each module: taught, else with planned figures, else the newest inferred one."""
    wanted = {module.strip("/") for module in modules}
    found = reading.memories(project, Filters(types=(CALIBRATION,)), limit=_MOST_READ)
    own = [one for one in found if not wanted.isdisjoint((one.fields.get("module"), *one.modules))]
    own.sort(key=lambda one: ("ratio" not in one.fields, not one.is_taught, one.attributes.get("signal") == _INFERRED))
    best: dict[str, Memory] = {}
    for one in own:
        best.setdefault(str(one.fields.get("module")), one)
    return list(best.values())
