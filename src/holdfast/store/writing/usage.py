"""Counting which memories are found: used by recall."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol


class UsageWriting(Protocol):
    """Writes usage statistics."""

    def found(self, project: str, answers: Sequence[Sequence[str]], at: datetime) -> bool:
        """Counts, for each answer, an access to each of its memories and the pairs among its first five.

        Never waits long for other writers: returns False if it did not count.
        """
        ...
