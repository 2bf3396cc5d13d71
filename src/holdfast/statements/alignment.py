"""Aligns two statements: the units they share, the pairs of segments that differ, and the segments of only one."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import accumulate

from holdfast.core.frozen import frozen
from holdfast.statements.parsing import Statement
from holdfast.statements.statement_tokens import concept, marks, weight

_PERIODS = frozenset(
    "day days week weeks month months year years yesterday today tomorrow jour jours semaine mois hier demain".split()
)
_TIMES = frozenset(("weekday", "date", "clock"))
_NUMBER = "number"  # the kind of a number without a unit: it may be an amount or an hour
_PLAIN = frozenset(("word", "name", "id", "speaker"))
_NOTHING: frozenset[str] = frozenset()
_TIME, _AMOUNT, _SPEAKER = frozenset(("time",)), frozenset(("amount",)), frozenset(("speaker",))
_VALUES = _TIME | _AMOUNT
_MIN_FIT = 1.0  # minimum fit of two segments that fill the same place


@frozen
class Unit:
    """A value, a name, a content word or a pronoun of the speaker. Units with equal keys say the same.

    `kind` is the kind of the value, number (without a unit), word, name, id (a number that names something) or speaker.
    """

    key: str
    kind: str
    text: str
    start: int
    end: int
    weight: float

    @property
    def concept(self) -> str:
        """Its key; words that mean nearly the same share one."""
        return concept(self.key) if self.kind == "word" else self.key

    @property
    def family(self) -> str:
        """Its kind; all amounts are one family, and all times."""
        return self.kind if self.kind in _PLAIN else "time" if self.kind in _TIMES else "amount"


@frozen
class Segment:
    """Units side by side that only one statement has, with their position.

    `kinds`, `families` and `weight` are those of its units. `head` is set if they precede the verb. `clause` is the
    number of punctuation marks and of words such as `because` before them. `word` is the word before them other than an
    article; `left` and `right` are the keys of the units beside them.
    """

    units: tuple[Unit, ...]
    kinds: frozenset[str]
    families: frozenset[str]
    weight: float
    head: bool
    clause: int
    word: str
    left: str
    right: str

    @property
    def values(self) -> frozenset[str]:
        """The families of its values."""
        return self.families & _VALUES

    @property
    def is_speaker(self) -> bool:
        return self.families == _SPEAKER

    @property
    def text(self) -> str:
        return " ".join(unit.text for unit in self.units)


@frozen
class SegmentPair:
    """Segments of the new and the old statement that fill the same place."""

    new: Segment
    old: Segment

    @property
    def head(self) -> bool:
        return self.new.head and self.old.head

    @property
    def families(self) -> frozenset[str]:
        """The families that both segments contain. A number without a unit may be a time."""
        return (self.new.families & self.old.families) | _bare(self.new, self.old) | _bare(self.old, self.new)


def _bare(one: Segment, other: Segment) -> frozenset[str]:
    """The families of values that a number without a unit may have, given the other segment: an hour or an amount."""
    if _NUMBER not in one.kinds:
        return _NOTHING
    return _TIME if "clock" in other.kinds else other.families & _AMOUNT


@frozen
class Alignment:
    """The units of both statements, those they share, the pairs that differ, and the segments of only one."""

    new_units: tuple[Unit, ...]
    old_units: tuple[Unit, ...]
    shared: tuple[Unit, ...]
    pairs: tuple[SegmentPair, ...]
    new: tuple[Segment, ...]
    old: tuple[Segment, ...]


@lru_cache(maxsize=16)
def align(
    new: Statement, old: Statement, new_opposed: frozenset[str] = _NOTHING, old_opposed: frozenset[str] = _NOTHING
) -> Alignment:
    """Aligns the units of two statements in order; units left over that are equal match in any order.

    Opposed words (`enabled` and `disabled`) are left out: the caller knows that they differ. Cached, because several
    measures of a pair need its alignment.
    """
    ours, theirs = (
        tuple([unit for unit in units_of(statement) if unit.key not in roots]) if roots else units_of(statement)
        for statement, roots in ((new, new_opposed), (old, old_opposed))
    )
    matched = _matched([unit.concept for unit in ours], [unit.concept for unit in theirs])
    new_segments = _segments(new, ours, matched.keys())
    old_segments = _segments(old, theirs, set(matched.values()))
    pairs = _paired(new_segments, old_segments)
    paired_new, paired_old = {id(pair.new) for pair in pairs}, {id(pair.old) for pair in pairs}
    return Alignment(
        ours,
        theirs,
        tuple(ours[n] for n in sorted(matched)),
        pairs,
        tuple(segment for segment in new_segments if id(segment) not in paired_new),
        tuple(segment for segment in old_segments if id(segment) not in paired_old),
    )


@lru_cache(maxsize=1024)
def units_of(statement: Statement) -> tuple[Unit, ...]:
    """The units of a statement, in order. Cached: one is compared with several."""
    return tuple(_units(statement))


@lru_cache(maxsize=1024)
def content_keys(statement: Statement) -> frozenset[str]:
    """The keys of its units other than pronouns of the speaker."""
    return frozenset([unit.key for unit in units_of(statement) if unit.kind != "speaker"])


def _units(statement: Statement) -> Iterator[Unit]:
    values = {value.start: value for value in statement.values}
    inside = {place for value in statement.values for place in range(value.start, value.end)}
    speakers = marks("speaker") | {"on"} if statement.french else marks("speaker")
    for place, token in enumerate(statement.tokens):
        if value := values.get(place):
            key = f"{value.kind} {value.low:g} {value.high:g}"
            kind = value.kind if value.kind != "count" or value.unit else _NUMBER
            yield Unit(key, kind, value.text, place, value.end, 1.0)
        elif place in inside or token.mark:
            continue
        elif token.word in speakers:
            yield Unit("speaker", "speaker", token.text, place, place + 1, 0.3)
        elif not token.word.isalpha() and any(map(str.isdigit, token.word)):
            yield Unit(token.word, "id", token.text, place, place + 1, 1.0)
        elif weight(token.root) > 0 or token.name or token.word.removesuffix("'s") in _PERIODS:
            kind = "name" if token.name else "word"
            yield Unit(token.root, kind, token.text, place, place + 1, 0.5 + 0.5 * weight(token.root))


def _matched(new: Sequence[str], old: Sequence[str]) -> dict[int, int]:
    """Positions of equal units: the longest runs first, then those that moved."""
    found: dict[int, int] = {}
    for block in SequenceMatcher(None, new, old, autojunk=False).get_matching_blocks():
        found |= {block.a + n: block.b + n for n in range(block.size)}
    taken = set(found.values())
    free = [place for place in range(len(old)) if place not in taken]
    for place, key in enumerate(new):
        moved = next((other for other in free if old[other] == key), None) if place not in found else None
        if moved is not None:
            found[place] = moved
            free.remove(moved)
    return found


def _segments(statement: Statement, units: Sequence[Unit], matched: Collection[int]) -> list[Segment]:
    """Groups units of only one statement that follow each other, or that together give a time."""
    groups: list[list[int]] = []
    for place in range(len(units)):
        if place in matched:
            continue
        if groups and groups[-1][-1] == place - 1 and _together(statement, units[place - 1], units[place]):
            groups[-1].append(place)
        else:
            groups.append([place])
    return [_segment(statement, units, group[0], group[-1]) for group in groups]


def _together(statement: Statement, one: Unit, other: Unit) -> bool:
    between = statement.tokens[one.end : other.start]
    apart = (one.start < statement.verb) != (other.start < statement.verb)
    if apart or any(token.text in ".!?;:" for token in between):
        return False
    return not between or {one.family, other.family} == {"time"}


def _segment(statement: Statement, units: Sequence[Unit], first: int, last: int) -> Segment:
    start, articles = units[first].start, marks("article")
    before = statement.tokens[max(0, start - 3) : start]
    own = tuple(units[first : last + 1])
    return Segment(
        units=own,
        kinds=frozenset([unit.kind for unit in own]),
        families=frozenset([unit.family for unit in own]),
        weight=sum([unit.weight for unit in own]),
        head=units[last].start < statement.verb,
        clause=_clauses(statement)[start],
        word=next((token.word for token in reversed(before) if token.word not in articles), ""),
        left=units[first - 1].key if first else "",
        right=units[last + 1].key if last + 1 < len(units) else "",
    )


@lru_cache(maxsize=1024)
def _clauses(statement: Statement) -> tuple[int, ...]:
    """For each token, the number of punctuation marks and of words such as `because` before it."""
    reasons = marks("reason")
    return tuple(accumulate([token.mark or token.word in reasons for token in statement.tokens], initial=0))


def _paired(new: Sequence[Segment], old: Sequence[Segment]) -> tuple[SegmentPair, ...]:
    """Pairs the segments that most likely fill the same place, best fit first, in the order of the new statement."""
    fits = [(_fit(one, other), n, m) for n, one in enumerate(new) for m, other in enumerate(old)]
    partners: dict[int, int] = {}
    for _, n, m in sorted([fit for fit in fits if fit[0] >= _MIN_FIT], reverse=True):
        if n not in partners and m not in partners.values():
            partners[n] = m
    return tuple(SegmentPair(new[n], old[m]) for n, m in sorted(partners.items()))


def _fit(new: Segment, old: Segment) -> float:
    """How well two segments fill the same place: values of one kind, the same position, the same words beside them."""
    kinds = new.kinds & old.kinds
    valued = kinds - _PLAIN or _bare(new, old) or _bare(old, new)
    return (
        (2.0 if valued else -1.0 if new.values or old.values else 0.0)
        + (0.8 if "name" in kinds else 0.4 if kinds else 0.0)
        + (0.6 if new.head == old.head else -2.0)
        + 0.5 * (new.word == old.word)
        + 0.7 * (new.left == old.left)
        + 0.7 * (new.right == old.right)
    )
