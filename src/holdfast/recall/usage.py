"""Counts what was found, a few answers at a time: a search should not wait for a write."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from holdfast.store.writing.usage import UsageWriting

_ANSWERS = 16


class UsageCounter:
    """Holds back the counts of up to sixteen answers. They are statistics: a killed process may lose them."""

    def __init__(self, usage: UsageWriting, project: str, now: Callable[[], datetime]) -> None:
        self._usage = usage
        self._project = project
        self._now = now
        self._waiting: list[tuple[str, ...]] = []
        self._lock = threading.Lock()

    def found(self, ids: Sequence[str]) -> None:
        """Notes one answer."""
        with self._lock:
            self._waiting.append(tuple(ids))
            full = len(self._waiting) >= _ANSWERS
        if full:
            self.write()

    def write(self) -> None:
        """Writes what is held back. What cannot be written now is left out."""
        with self._lock:
            waiting, self._waiting = self._waiting, []
        if waiting:
            self._usage.found(self._project, waiting, self._now())
