"""Counts how often memories are found, in batches, so that a search does not wait; records what sessions were given."""

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

    def supplied(self, session: str) -> frozenset[str]:
        """The ids of what a session was given by earlier calls, also of other processes."""
        return self._usage.supplied(self._project, session)

    def supply(self, session: str, ids: Sequence[str]) -> None:
        """Records at once what a session is given. If the store is busy, it may be given again."""
        if ids:
            self._usage.supply(self._project, session, ids, self._now())

    def write(self) -> None:
        """Writes all pending counts; drops them if they cannot be written."""
        with self._lock:
            pending, self._pending = self._pending, []
        if pending:
            self._usage.found(self._project, pending, self._now())
