"""Extracts the values of a statement: counts, durations, rates, times, dates, money, sizes; each in one base unit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, lru_cache

from holdfast.core.frozen import frozen
from holdfast.statements.statement_tokens import StatementToken, marks, root, words_of
from holdfast.text.stop_words import STOP_WORDS

_NO_UNIT: frozenset[str] = frozenset()
_MAX_COUNTED_WORDS = 4  # maximum number of words after a number that may name the counted things
_DIGITS = re.compile(r"([$€£]?)(\d[\d.,]*?)(?:\s?[-–]\s?(\d[\d.,]*?))?([a-z°%µ]*)$")
_CLOCK = re.compile(r"(\d{1,2}):(\d\d)(am|pm|h)?$")
_SLASHED = re.compile(r"\d{1,4}/\d{1,2}(?:/\d{1,4})?$|\d{4}-\d\d-\d\d$")


@frozen
class Value:
    """One value: its kind, its amount (`low` to `high` for a range), the words it counts (`unit`), and its tokens.

    `bound` is ">=" or "<=" if the text gives only a limit.
    """

    kind: str
    low: float
    high: float
    unit: frozenset[str]
    start: int
    end: int
    text: str
    bound: str = ""

    def equals(self, other: Value) -> bool:
        """Is it the same amount, in whatever unit?"""
        slack = 0.06 if self.kind == "size" else 0.005  # a megabyte is a million bytes, or 1024 squared
        return all(
            abs(one - two) <= slack * max(abs(one), abs(two), 1e-9)
            for one, two in ((self.low, other.low), (self.high, other.high))
        )


def values_of(tokens: Sequence[StatementToken]) -> tuple[Value, ...]:
    """All values among the tokens, in order."""
    return tuple(_values(tokens))


def _values(tokens: Sequence[StatementToken]) -> Iterator[Value]:
    place = 0
    while place < len(tokens):
        value = _value(tokens, place) if _begins(tokens[place].word) else None
        if value is None:
            place += 1
            continue
        value = _with_rest(tokens, value)
        text = " ".join(token.text for token in tokens[value.start : value.end])
        yield replace(value, text=text, bound=_bound(tokens, value.start))
        place = value.end


@lru_cache(maxsize=1 << 14)
def _begins(word: str) -> bool:
    """Can a value begin with this word? A cheap check that rules out most words."""
    kinds = ("weekday", "month", "clock", "rate", "times", "number")
    listed = word in _EACH or word in _ARTICLES or any(word in _amounts(kind) for kind in kinds)
    return listed or word[0].isdigit() or word[0] in "$€£"


def _value(tokens: Sequence[StatementToken], at: int) -> Value | None:
    return _special(tokens, at) or _amount(tokens, at)


def _special(tokens: Sequence[StatementToken], at: int) -> Value | None:
    """Parses a time of day, a date, a weekday, or a frequency (`daily`, `every hour`)."""
    word = tokens[at].word
    if clock := _CLOCK.match(word):
        return _clock(tokens, at, int(clock[1]) + int(clock[2]) / 60, clock[3] or "")
    for kind in ("weekday", "clock"):
        if word in _amounts(kind):
            return _plain(kind, _amounts(kind)[word], at, at + 1)
    if _SLASHED.match(word):
        return _plain("date", float(re.sub(r"[/-]", "", word)), at, at + 1)
    return _date(tokens, at) if word in _amounts("month") else _how_often(tokens, at)


def _how_often(tokens: Sequence[StatementToken], at: int) -> Value | None:
    word = tokens[at].word
    if word in _amounts("rate"):
        return _plain("rate", 1 / _amounts("rate")[word], at, at + 1)
    period = _period(tokens, at + 1) if word in _EACH else 0.0
    return _plain("rate", 1 / period, at, at + 2) if period else None


def _date(tokens: Sequence[StatementToken], at: int) -> Value | None:
    """Parses `June 24th` or `24 June`; a month alone is a date only with a capital or after `en`."""
    month = _amounts("month")[tokens[at].word]
    for beside, start, end in ((at + 1, at, at + 2), (at - 1, at - 1, at + 1)):
        day = re.match(r"(\d{1,2})(?:st|nd|rd|th|er)?$", _word(tokens, beside))
        if day:
            return _plain("date", month * 100 + int(day[1]), start, end)
    named = tokens[at].text[0].isupper() or _word(tokens, at - 1) in ("en", "fin", "début")
    return _plain("date", month * 100, at, at + 1) if named and at else None


def _clock(tokens: Sequence[StatementToken], at: int, hour: float, half: str) -> Value:
    following = _word(tokens, at + 1)
    end = at + 2 if following in _HALVES and not half else at + 1
    half = half or (following if end == at + 2 else "")
    late = half.startswith("p") and hour < 12
    return _plain("clock", hour + 12 * late, at, end)


def _amount(tokens: Sequence[StatementToken], at: int) -> Value | None:
    """Parses a number with its unit or the things it counts; a number in a name (`Charge 3`) is no amount."""
    word = tokens[at].word
    if word in _ARTICLES:
        return _one_period(tokens, at)
    if word in _amounts("times"):
        return _times(tokens, at)
    if word in _amounts("number"):
        return _counted(tokens, at, _spelled(tokens, at))
    digits = _DIGITS.match(word)
    return None if digits is None or _of_a_name(tokens, at) else _written(tokens, at, digits)


def _one_period(tokens: Sequence[StatementToken], at: int) -> Value | None:
    """Parses `within an hour`, `after a day`; elsewhere `a day` counts nothing."""
    period = _period(tokens, at + 1)
    if not period or _word(tokens, at - 1) not in _LASTING:
        return None
    return Value("duration", period, period, _NO_UNIT, at, at + 2, "")


def _times(tokens: Sequence[StatementToken], at: int) -> Value | None:
    """Parses `twice` and the like; `once` is mostly a conjunction."""
    before, following = _word(tokens, at - 1), _word(tokens, at + 1)
    counted = before in ("only", "just", "exactly", "most") or following in ("a", "per", "every", "each", "")
    if tokens[at].word == "once" and not counted:
        return None
    times = _amounts("times")[tokens[at].word]
    return Value("count", times, times, frozenset({"time"}), at, at + 1, "")


def _written(tokens: Sequence[StatementToken], at: int, digits: re.Match[str]) -> Value | None:
    """Parses `$20`, `5th`, `9am`, `25MB`, `10-12`."""
    low = _number(digits[2])
    high = _number(digits[3]) if digits[3] else low
    if digits[1]:
        return Value("money", low, high, frozenset({digits[1]}), at, at + 1, "")
    if not digits[4] or digits[4] in ("st", "nd", "rd", "th"):
        return _counted(tokens, at, (low, high, at + 1))
    return _clock(tokens, at, high, digits[4]) if digits[4] in _HALVES else _measured(digits[4], low, high, at, at + 1)


def _of_a_name(tokens: Sequence[StatementToken], at: int) -> bool:
    """Are the digits part of a name: `Charge 3`, `EOS 80D`, `5K`, `ticket 8`?"""
    written, before = tokens[at].text, tokens[at - 1] if at else None
    capital = written[-1].isupper() and len(written.lstrip("0123456789")) == 1
    named = before is not None and (before.name or before.word in marks("numbered"))
    return capital or (named and written.isdigit())


def _spelled(tokens: Sequence[StatementToken], at: int) -> tuple[float, float, int]:
    low = _amounts("number")[tokens[at].word]
    following = _amounts("number").get(_word(tokens, at + 1))
    if following and low >= 20 and following < 10:
        return low + following, low + following, at + 2
    if following and following >= 100:
        return low * following, low * following, at + 2
    return low, low, at + 1


def _counted(tokens: Sequence[StatementToken], at: int, number: tuple[float, float, int]) -> Value | None:
    low, high, end = number
    following = _word(tokens, end)
    if _describes(tokens, at, end):
        return None
    if following in _HALVES:
        return replace(_clock(tokens, at, high, following), end=end + 1)
    if hour := _hour(tokens, at, low, end):
        return hour
    if tokens[at].word[0].isdigit() and tokens[at].word[-1] in "tdh" and _day(tokens, at):
        return _plain("date", _amounts("month").get(_word(tokens, at + 2), 0) * 100 + low, at, at + 1)
    scale = _amounts("thousand").get(following)
    if scale:
        return Value("count", low * scale, high * scale, _counted_words(tokens, end + 1)[0], at, end + 1, "")
    return _measured(following, low, high, at, end + 1) or _things(tokens, at, number)


def _hour(tokens: Sequence[StatementToken], at: int, hour: float, end: int) -> Value | None:
    """Parses an hour without a mark of its own: `at 8`, `à 9 h`, `à 9 h 30`."""
    if _word(tokens, at - 1) not in ("at", "à", "until", "till") or not (tokens[at].word.isdigit() and hour <= 24):
        return None
    following = _word(tokens, end)
    if following in ("h", "heures", "heure"):
        minutes = _word(tokens, end + 1)
        exact = minutes.isdigit() and len(minutes) == 2
        return _plain("clock", hour + (int(minutes) / 60 if exact else 0), at, end + 1 + exact)
    alone = not following or tokens[end].mark or following in STOP_WORDS or following in _amounts("weekday")
    return _plain("clock", hour, at, end) if alone else None


def _things(tokens: Sequence[StatementToken], at: int, number: tuple[float, float, int]) -> Value | None:
    """A count of the things named after the number (`25 new postcards`) or before it (`page 200`)."""
    low, high, end = number
    unit, _ = _counted_words(tokens, end)
    if end < len(tokens) and tokens[end].name and tokens[at].word.isdigit():
        return None  # `14 Mill Lane` is an address
    if not unit and at and tokens[at - 1].word.isalpha() and tokens[at - 1].word not in STOP_WORDS:
        unit = frozenset({tokens[at - 1].root})
    return Value("count", low, high, unit, at, end, "")


def _describes(tokens: Sequence[StatementToken], at: int, end: int) -> bool:
    """Does the number only describe something (a `3-day` trip, `this one`)? Then it is no count."""
    joined = end < len(tokens) and tokens[end].joined
    return joined or (tokens[at].word in _DOUBTFUL and _no_count(tokens, at))


def _measured(unit: str, low: float, high: float, at: int, end: int) -> Value | None:
    """An amount in a known unit, converted to the base unit; None if the word is no unit."""
    for kind, scale in _units().get(unit, ()):
        return Value(kind, low * scale, high * scale, _NO_UNIT, at, end, "")
    return None


def _with_rest(tokens: Sequence[StatementToken], value: Value) -> Value:
    """Extends a value: `27 minutes and 45 seconds` is one value; `twice a week` and `every 5 minutes` are rates."""
    if value.kind == "duration":
        value = _summed(tokens, value)
        if _word(tokens, value.start - 1) in ("every", "toutes", "tous"):
            return replace(value, kind="rate", low=1 / (value.high or 1), high=1 / (value.low or 1))
        return replace(value, kind="age") if _word(tokens, value.end) == "old" else value
    return _per_time(tokens, value) if value.kind in ("count", "money") else value


def _per_time(tokens: Sequence[StatementToken], value: Value) -> Value:
    last = _counted_words(tokens, value.end)[1] if value.kind == "count" else value.end
    for place in range(value.end, last + 1):
        word = _word(tokens, place)
        each = word in ("a", "an", "per", "each", "every", "par")
        period = _amounts("rate").get(word) or (each and _period(tokens, place + 1))
        if period:
            kind = "rate" if value.kind == "count" else "money"
            end = place + 1 + each
            return replace(value, kind=kind, low=value.low / period, high=value.high / period, end=end)
    return value


def _period(tokens: Sequence[StatementToken], at: int) -> float:
    """The length of a unit of time; 0 for other words."""
    return dict(_units().get(_word(tokens, at), ())).get("duration", 0.0)


def _summed(tokens: Sequence[StatementToken], value: Value) -> Value:
    place = value.end + (_word(tokens, value.end) in ("and", "et", ","))
    more = _amount(tokens, place) if place < len(tokens) else None
    if more is None or more.kind != "duration" or more.low >= value.low:
        return value
    return replace(value, low=value.low + more.low, high=value.high + more.high, end=more.end)


def _bound(tokens: Sequence[StatementToken], start: int) -> str:
    before = " ".join(token.word for token in tokens[max(0, start - 4) : start])
    for words, bound in words_of("bounds.txt"):
        if before.endswith((words, f"{words} of", f"{words} the")) or f" {words} " in f" {before} ":
            return bound
    return ""


def _counted_words(tokens: Sequence[StatementToken], at: int) -> tuple[frozenset[str], int]:
    """The roots of the words after a number that may name what it counts, and the end of these words."""
    end = at
    while end < len(tokens) and end - at < _MAX_COUNTED_WORDS:
        token = tokens[end]
        if token.mark or token.word in _breaks() or token.word[0].isdigit() or token.word in _amounts("rate"):
            break
        end += 1
    return frozenset(token.root for token in tokens[at:end]) - {root("new"), root("different"), root("more")}, end


def _day(tokens: Sequence[StatementToken], at: int) -> bool:
    """Is it a day of a month: `the 15th of April`, `on the 15th`?"""
    of_month = _word(tokens, at + 1) == "of" and _word(tokens, at + 2) in _amounts("month")
    return of_month or (_word(tokens, at - 1) == "the" and _word(tokens, at - 2) == "on")


def _no_count(tokens: Sequence[StatementToken], at: int) -> bool:
    """Is it no count: `this one`, `one of`, `the first four`, `pair them`? `second` is mostly a unit of time."""
    word, before, following = tokens[at].word, _word(tokens, at - 1), _word(tokens, at + 1)
    if word in ("couple", "pair"):
        return following != "of"
    if word in ("first", "second"):
        return before not in ("my", "our") or following in _amounts("number") or following in _breaks()
    return before in _POINTING or not following or following in _breaks() or not following[0].isalpha()


def _plain(kind: str, amount: float, start: int, end: int) -> Value:
    return Value(kind, amount, amount, _NO_UNIT, start, end, "")


def _number(digits: str) -> float:
    plain = digits.rstrip(".,")
    plain = plain.replace(",", "") if re.fullmatch(r"\d{1,3}(,\d{3})+(\.\d+)?", plain) else plain.replace(",", ".")
    return float(plain) if plain.count(".") < 2 else float(plain.replace(".", ""))


def _word(tokens: Sequence[StatementToken], at: int) -> str:
    return tokens[at].word if 0 <= at < len(tokens) else ""


@cache
def _amounts(kind: str) -> dict[str, float]:
    entries = ((amount, words) for name, amount, *words in words_of("amounts.txt") if name == kind)
    return {word: float(amount) for amount, words in entries for word in words}


@cache
def _units() -> dict[str, tuple[tuple[str, float], ...]]:
    found: dict[str, tuple[tuple[str, float], ...]] = {}
    for kind, scale, *words in words_of("units.txt"):
        for word in words:
            found[word] = (*found.get(word, ()), (kind, float(scale)))
    return found


@cache
def _breaks() -> frozenset[str]:
    """Words at which the name of what is counted ends."""
    return (STOP_WORDS - {"s"}) | frozenset(
        "already now so far last next since currently ago today yesterday per lately recently".split()
    )


_HALVES = ("am", "pm", "o'clock")
_ARTICLES = ("a", "an", "un", "une")
_LASTING = frozenset("within after for than under about every dans après pendant en sous".split())
_EACH = ("every", "each", "chaque")
_DOUBTFUL = frozenset("one first second couple pair".split())
_POINTING = frozenset("this that which the no another any each every new old other good great first last one".split())
