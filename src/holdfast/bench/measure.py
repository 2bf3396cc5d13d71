"""A measurement, and functions to take one."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Measurement:
    """One figure: the median, the 95th percentile if it was measured repeatedly, and the budget.

    Times and sizes must stay below the budget, rates and shares above it.
    """

    name: str
    p50: float
    p95: float | None = None
    unit: str = "ms"
    budget: float | None = None

    @property
    def holds(self) -> bool | None:
        """Is the median within the budget? None when there is no budget."""
        if self.budget is None:
            return None
        return self.p50 >= self.budget if self.more_is_better else self.p50 < self.budget

    @property
    def more_is_better(self) -> bool:
        return self.unit.endswith("/s") or self.unit in ("share", "of all", "times as fast", "times as often", "pairs")


def milliseconds(name: str, seconds: Sequence[float], budget: float | None = None) -> Measurement:
    """The measurement of an operation that was timed several times."""
    return Measurement(name, 1000 * quantile(seconds, 0.5), 1000 * quantile(seconds, 0.95), "ms", budget)


def rate(name: str, count: float, seconds: float, unit: str = "rows/s", budget: float | None = None) -> Measurement:
    """The rate of an operation on many items."""
    return Measurement(name, count / seconds, None, unit, budget)


def quantile(samples: Sequence[float], share: float) -> float:
    """The quantile of the samples, interpolated between two neighbours."""
    ordered = sorted(samples)
    place = share * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])


def seconds_of(act: Callable[[], Any]) -> float:
    """Measures the time of one call."""
    started = time.perf_counter()
    act()
    return time.perf_counter() - started


def seconds_of_each(act: Callable[[Any], Any], items: Iterable[Any]) -> list[float]:
    """Measures the time of a call for each item."""
    return [seconds_of(partial(act, item)) for item in items]


def resident_megabytes() -> float:
    """The current memory use of this process; its peak where the system does not report the current use."""
    statm = Path("/proc/self/statm")
    if statm.exists():
        return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    if sys.platform == "win32":
        return float("nan")
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1e6 if sys.platform == "darwin" else peak / 1e3


def bytes_under(folder: Path) -> int:
    """The size of all files in a folder, at any depth."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def show_progress(progress: str) -> None:
    """Prints progress if a person watches."""
    if sys.stderr.isatty():
        print(f"… {progress}", file=sys.stderr, flush=True)
