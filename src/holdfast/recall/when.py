"""Finds the dates a query names ("last Tuesday", "in May", "il y a deux jours"), relative to the day of the query."""

from __future__ import annotations

import re
import unicodedata
from datetime import UTC, date, datetime, time

from holdfast.core.frozen import frozen
from holdfast.recall.expressions import Days, Reader, expressions
from holdfast.text.patterns import compiled

# The number of characters to read: a query may be a whole page, but names a time early.
_READ = 4_000
_ACCENTS = str.maketrans("àâäçéèêëîïôöùûü’", "aaaceeeeiioouuu'")
# A date after one of these is the start of a range that ends today.
_SINCE = r"(?:\bsince (?:the )?|\bdepuis (?:l[ea] |l')?|自从?|从)$"


@frozen
class DateRange:
    """The days from `start` to `end`, both included, and the phrase of the query that names them."""

    start: date
    end: date
    phrase: str

    @property
    def width(self) -> int:
        """The number of days, at least two, because people date loosely."""
        return max((self.end - self.start).days + 1, 2)

    def nearness(self, day: date) -> float:
        """Returns 1 inside the range; outside, it halves with each width of distance."""
        gap = max((self.start - day).days, (day - self.end).days, 0)
        return float(0.5 ** (gap / self.width))

    def wider(self) -> tuple[datetime, datetime]:
        """Returns the range, extended by its width at both ends because people date loosely, as moments."""
        start = max(self.start.toordinal() - self.width, date.min.toordinal())
        end = min(self.end.toordinal() + self.width, date.max.toordinal())
        return (
            datetime.combine(date.fromordinal(start), time.min, UTC),
            datetime.combine(date.fromordinal(end), time.max, UTC),
        )


def windows(text: str, today: date) -> tuple[DateRange, ...]:
    """Returns the date ranges a text names, in order, relative to `today`; ignores case and accents.

    Reads only the first few thousand characters.
    """
    plain = unicodedata.normalize("NFC", text[:_READ]).lower().translate(_ACCENTS)
    found: list[tuple[int, int, DateRange]] = []
    for pattern, read in expressions(plain):
        for match in pattern.finditer(plain):
            if any(start < match.end() and match.start() < end for start, end, _ in found):
                continue
            days = _days(read, match, today)
            if days is not None:
                found.append((*match.span(), DateRange(*days, match[0].strip())))
    named: dict[Days, DateRange] = {}
    for _, _, window in sorted(found, key=lambda item: item[0]):
        named.setdefault((window.start, window.end), window)
    return tuple(named.values())


def nearest(ranges: tuple[DateRange, ...], day: date) -> float:
    """Returns how well a day fits the nearest of the ranges, 0 to 1; 0 without any."""
    return max((window.nearness(day) for window in ranges), default=0.0)


def _days(read: Reader, match: re.Match[str], today: date) -> Days | None:
    """Returns the days an expression means; None if there is no such day."""
    try:
        days = read(match, today)
    except (ValueError, OverflowError):
        return None
    since = match[0].startswith(("since", "depuis")) or compiled(_SINCE).search(match.string, 0, match.start())
    return (days[0], today) if days and since and days[0] <= today else days
