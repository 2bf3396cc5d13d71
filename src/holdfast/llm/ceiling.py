"""The daily ceiling on language model calls and tokens, counted before each call and shared by all processes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Any

from holdfast.core.errors import CeilingReached
from holdfast.core.frozen import frozen
from holdfast.core.health import DailyUsage

if TYPE_CHECKING:
    from collections.abc import Mapping

    from holdfast.store.writing.sessions import UsageCounting


@frozen
class Ceiling:
    """Limits calls and tokens per UTC day. A running call counts with its largest possible cost until it is settled."""

    counting: UsageCounting
    now: Callable[[], datetime]
    most_calls: int
    most_tokens: int

    def reserve(self, purpose: str, tokens: int) -> Reservation:
        """Counts a call that may take this many tokens. Raises CeilingReached if it would exceed a limit."""
        day = self._day()
        limits = {"most_calls": self.most_calls, "most_tokens": self.most_tokens}
        if not self.counting.reserve(day, purpose, tokens, **limits):
            raise CeilingReached(f"{self.most_calls:,} calls, {self.most_tokens:,} tokens")
        return Reservation(self.counting, day, purpose, tokens)

    def spent(self) -> DailyUsage:
        """Today's usage."""
        used = self.counting.usage(self._day())
        tokens = _sum(used, "prompt_tokens") + _sum(used, "completion_tokens")
        counts = (_sum(used, "calls"), tokens, _sum(used, "refused"))
        return DailyUsage(self._day(), *counts, self.most_calls, self.most_tokens, used)

    def _day(self) -> str:
        return self.now().date().isoformat()


@frozen
class Reservation:
    """A counted call that is not settled yet. If it never is, it stays counted in full."""

    counting: UsageCounting
    day: str
    purpose: str
    tokens: int

    def settle(self, prompt: int, completion: int) -> None:
        """Replaces the reserved tokens with those the call used."""
        self.counting.settle(self.day, self.purpose, reserved=self.tokens, prompt=prompt, completion=completion)


def _sum(used: Mapping[str, Mapping[str, Any]], name: str) -> int:
    return sum(int(counts[name]) for counts in used.values())
