"""What language models may cost in a day, counted before each call and held by all processes together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from holdfast.core.errors import CeilingReached

if TYPE_CHECKING:
    from collections.abc import Mapping

    from holdfast.store.writing.sessions import UsageCounting


@dataclass(frozen=True, slots=True)
class DailyUsage:
    """What language models were asked on a day, and how much may be asked."""

    day: str
    calls: int
    tokens: int
    refused: int
    most_calls: int
    most_tokens: int
    by_purpose: Mapping[str, Mapping[str, int]]


@dataclass(frozen=True, slots=True)
class Ceiling:
    """At most so many calls and tokens a day (UTC). Hard: what is under way is counted in full until it is settled."""

    counting: UsageCounting
    now: Callable[[], datetime]
    most_calls: int
    most_tokens: int

    def reserve(self, purpose: str, tokens: int) -> Reservation:
        """Counts a call that may take so many tokens. Raises CeilingReached when it would go over."""
        day = self._day()
        limits = {"most_calls": self.most_calls, "most_tokens": self.most_tokens}
        if not self.counting.reserve(day, purpose, tokens, **limits):
            raise CeilingReached(f"{self.most_calls:,} calls, {self.most_tokens:,} tokens")
        return Reservation(self.counting, day, purpose, tokens)

    def spent(self) -> DailyUsage:
        """How today stands."""
        used = self.counting.usage(self._day())
        tokens = _sum(used, "prompt_tokens") + _sum(used, "completion_tokens")
        counts = (_sum(used, "calls"), tokens, _sum(used, "refused"))
        return DailyUsage(self._day(), *counts, self.most_calls, self.most_tokens, used)

    def _day(self) -> str:
        return self.now().date().isoformat()


@dataclass(frozen=True, slots=True)
class Reservation:
    """A call that is counted and not yet settled. One that is never settled stays counted in full."""

    counting: UsageCounting
    day: str
    purpose: str
    tokens: int

    def settle(self, prompt: int, completion: int) -> None:
        """Puts what the call took in the place of what was reserved."""
        self.counting.settle(self.day, self.purpose, reserved=self.tokens, prompt=prompt, completion=completion)


def _sum(used: Mapping[str, Mapping[str, Any]], name: str) -> int:
    return sum(int(counts[name]) for counts in used.values())
