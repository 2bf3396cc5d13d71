"""Times named in a question ("last Tuesday", "in May", "il y a deux jours"), as windows seen from the asking date."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import UTC, date, datetime, time

from holdfast.recall.expressions import Days, Reader, expressions

# A question may be a whole page; whoever names a time does so early.
_READ = 4_000
_ACCENTS = str.maketrans("àâäçéèêëîïôöùûü’", "aaaceeeeiioouuu'")
# What follows lasts until today.
_SINCE = re.compile(r"(?:\bsince (?:the )?|\bdepuis (?:l[ea] |l')?|自从?|从)$")


@dataclass(frozen=True, slots=True)
class DateRange:
    """Days from `start` to `end`, both included, as a phrase of the question names them."""

    start: date
    end: date
    phrase: str

    @property
    def width(self) -> int:
        """In days; never less than two, because people date loosely."""
        return max((self.end - self.start).days + 1, 2)

    def nearness(self, day: date) -> float:
        """1 inside, falling by half for every width of the window outside."""
        gap = max((self.start - day).days, (day - self.end).days, 0)
        return float(0.5 ** (gap / self.width))

    def wider(self) -> tuple[datetime, datetime]:
        """From when to when something may have happened that people would still date so."""
        start = max(self.start.toordinal() - self.width, date.min.toordinal())
        end = min(self.end.toordinal() + self.width, date.max.toordinal())
        return (
            datetime.combine(date.fromordinal(start), time.min, UTC),
            datetime.combine(date.fromordinal(end), time.max, UTC),
        )


def windows(text: str, asked: date) -> tuple[DateRange, ...]:
    """The windows a question names, in order, seen from the day it is asked; case and accents do not matter.

    Only the first few thousand characters are read.
    """
    plain = unicodedata.normalize("NFC", text[:_READ]).lower().translate(_ACCENTS)
    found: list[tuple[int, int, DateRange]] = []
    for pattern, read in expressions(plain):
        for match in pattern.finditer(plain):
            if any(start < match.end() and match.start() < end for start, end, _ in found):
                continue
            days = _days(read, match, asked)
            if days is not None:
                found.append((*match.span(), DateRange(*days, match[0].strip())))
    named: dict[Days, DateRange] = {}
    for _, _, window in sorted(found, key=lambda one: one[0]):
        named.setdefault((window.start, window.end), window)
    return tuple(named.values())


def nearest(found: tuple[DateRange, ...], day: date) -> float:
    """How well a day fits the windows: the best of them, 0 when there are none."""
    return max((window.nearness(day) for window in found), default=0.0)


def _days(read: Reader, match: re.Match[str], asked: date) -> Days | None:
    """What an expression means; nothing where no calendar has such a day."""
    try:
        days = read(match, asked)
    except (ValueError, OverflowError):
        return None
    since = match[0].startswith(("since", "depuis")) or _SINCE.search(match.string, 0, match.start())
    return (days[0], asked) if days and since and days[0] <= asked else days
