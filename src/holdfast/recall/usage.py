"""Counts how often memories are found, in batches, so that a search does not wait for a write."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from holdfast.store.writing.usage import UsageWriting

_ANSWERS = 16


class UsageCounter:
    """Buffers the counts of up to sixteen answers. A killed process may lose them: they are only statistics."""

    def __init__(self, usage: UsageWriting, project: str, now: Callable[[], datetime]) -> None:
        self._usage = usage
        self._project = project
        self._now = now
        self._pending: list[tuple[str, ...]] = []
        self._lock = threading.Lock()

    def found(self, ids: Sequence[str]) -> None:
        """Records the ids of one answer, and writes when sixteen answers are pending."""
        with self._lock:
            self._pending.append(tuple(ids))
            full = len(self._pending) >= _ANSWERS
        if full:
            self.write()

    def write(self) -> None:
        """Writes all pending counts; drops them if they cannot be written."""
        with self._lock:
            pending, self._pending = self._pending, []
        if pending:
            self._usage.found(self._project, pending, self._now())
