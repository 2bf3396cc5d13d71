"""What was found and used: held by recall, inject and measure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol


class UsageWriting(Protocol):
    """The writing face for usage: statistics, not truth."""

    def found(self, project: str, answers: Sequence[Sequence[str]], at: datetime) -> bool:
        """Counts, for each answer, an access to each of its memories, and that its first five were found together.

        Never waits long for other writers: returns False when this count was left out.
        """
        ...
