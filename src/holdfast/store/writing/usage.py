"""What was found and used: held by recall, inject and measure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol


class UsageWriting(Protocol):
    """The writing face for usage: statistics, not truth."""

    def found(self, project: str, ids: Sequence[str], at: datetime) -> bool:
        """Counts an access to each memory and, for the first five, that they were found together.

        Never waits long for other writers: returns False when this count was left out.
        """
        ...
