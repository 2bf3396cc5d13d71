"""Counting which memories are found, and recording what each session was given: used by recall."""

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

    def supply(self, project: str, session: str, ids: Sequence[str], at: datetime) -> bool:
        """Records what was supplied to a session: for a month, at most the newest thousand of each session.

        Never waits long for other writers: returns False if it recorded nothing.
        """
        ...

    def supplied(self, project: str, session: str) -> frozenset[str]:
        """The ids of what was supplied to a session since it last ended."""
        ...
