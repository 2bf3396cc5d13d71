"""Compares two statements by their words alone: where nothing may be read, or the reader is not installed.

The words are aligned. Those that both share are the subject and the attribute; a single difference after the verb is
another value, and a difference before it or a second one distinguishes two things.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import product

from holdfast.statements.alignment import SegmentPair, Unit, align, content_keys, units_of
from holdfast.statements.change_words import MARKS
from holdfast.statements.oppositions import is_reversed, oppositions
from holdfast.statements.parsing import Statement, read
from holdfast.statements.statement_tokens import marks, root
from holdfast.statements.statement_values import Value
from holdfast.statements.verdict import APART, Verdict, are_short, conflict, may_conflict, sentences

_LIKELY = 0.8  # the certainty of a verdict by words alone
_NAMED = 0.6  # minimum share of what a statement denies or withdraws that the older one has
_SHARED, _SHARED_IF_TOLD = 0.3, 0.2  # minimum share of equal words in the shorter statement
_BESIDE, _BESIDE_IF_TOLD = 0.5, 2.0  # maximum weight of what only one statement says
_WEIGHTY = 1.5  # minimum weight of equal words where any other word may be the value
_LONG = 14  # number of words up to which a statement is compared by the reader alone
_SAME_TOPIC = 3  # number of equal words of content of two statements about one count
_ROLE = re.compile(
    r"\b(?:owns?|leads?|maintains?|manages?|responsible|in charge|chairs?|heads?|is (?:the|our)|occupe|dirige|gère|"
    r"est (?:le|la|l'|notre))(?!\w)"
)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b(?![.,:]\d)")


@lru_cache(maxsize=1024)
def by_words(new: str, old: str, corrects: bool = False) -> Verdict:
    """The verdict of the words, also of single sentences; `corrects` is set if the new one is known to be a change."""
    own = [read(text) for text in dict.fromkeys((new, *sentences(new)))]
    others = [read(text) for text in dict.fromkeys((old, *sentences(old)))]
    found = (_compared(one, other, corrects) for one, other in product(own, others))
    return max(found, key=lambda verdict: (verdict.kind == "update", verdict.kind == "clash"))


def _compared(new: Statement, old: Statement, corrects: bool) -> Verdict:
    if not may_conflict(new, old) or new.adds or old.adds or falls(new, old):
        return APART
    if counts_again(new, old) and len(new.topic.keys() & old.topic.keys()) > 1:
        return conflict(new, old, "update", _LIKELY)
    if not are_short(new, old):
        return APART
    if gives_up_plan(new, old) or _denies(new, old) or _withdraws(new, old) or _moves(new, old):
        return conflict(new, old, "update", _LIKELY)
    told = corrects or bool((new.change.kinds - old.change.kinds) & MARKS)
    return _by_difference(new, old, told)


def _denies(new: Statement, old: Statement) -> bool:
    """Does the new statement name a value of the old one as outdated (`instead of Tuesdays`)?"""
    denied = [unit for unit in units_of(new) if unit.start in new.change.denied and unit.kind != "speaker"]
    # A plain word alone, such as `stripped` in `applied, not stripped`, names no value. After `from` it does.
    named = any(unit.kind != "word" or unit.start in new.change.replaced for unit in denied)
    beside = content_keys(new) & content_keys(old) - {unit.key for unit in denied}
    return bool(named or beside) and _covered(denied, _said_of_subject(old))


def gives_up_plan(new: Statement, old: Statement) -> bool:
    """Does it say that what was planned will not happen: `We are moving to MongoDB in May`, `We stay on MySQL`?"""
    if "stay" not in new.change.kinds or "plan" not in old.change.kinds:
        return False
    return _names_one_thing(new.frame) and _names_one_thing(old.frame)


def _names_one_thing(statement: Statement) -> bool:
    """Does it name one thing, apart from a time?"""
    units = [u for u in units_of(statement) if u.family != "time" and u.text.lower() not in marks("moving")]
    return [unit.kind == "speaker" for unit in units] == [True, False]


def _withdraws(new: Statement, old: Statement) -> bool:
    """Does it say that the older statement no longer holds? Only plain words of it may be missing there."""
    if not (new.change.kinds - old.change.kinds) & {"gone", "ends"}:
        return False
    left_out = new.change.marked | new.change.gone | new.change.denied
    said = [unit for unit in units_of(new) if unit.kind != "speaker" and unit.start not in left_out]
    known = content_keys(old)
    if any(unit.kind != "word" and unit.key not in known for unit in said):
        return False
    return _covered(said, known) and not _said_of_subject(old).isdisjoint(unit.key for unit in said)


def _moves(new: Statement, old: Statement) -> bool:
    """Does somebody say that they moved, and before where they live?"""
    alone = new.personal and old.personal and "moves" in new.change.kinds
    return alone and not marks("place").isdisjoint(token.word for token in old.tokens)


def _covered(units: Iterable[Unit], keys: frozenset[str]) -> bool:
    weights = [(unit.weight, unit.key in keys) for unit in units]
    known = sum(weight for weight, is_known in weights if is_known)
    return known > 0 and known >= _NAMED * sum(weight for weight, _ in weights)


def _said_of_subject(old: Statement) -> frozenset[str]:
    """The keys that follow the verb of the old statement: `Sass` in `We use Sass`, not in `Sass is fast`."""
    return frozenset([unit.key for unit in units_of(old) if unit.start >= old.verb and unit.kind != "speaker"])


def counts_again(new: Statement, old: Statement) -> bool:
    """Did a value change in somebody's life, in long sentences with much else?

    "I've added 17 postcards so far, and I'd like to keep track." A sentence with another date tells of another event.
    """
    if not (new.personal and old.personal) or max(len(new.tokens), len(old.tokens)) <= _LONG or falls(new, old):
        return False
    values = [opposition.values for opposition in oppositions(new, old) if opposition.values]
    years = [set(_YEAR.findall(statement.text)) for statement in (new, old)]
    if any(value.kind == "date" for value, _ in values) or (all(years) and not years[0] & years[1]):
        return False
    return any(_is_one_count(new, value, old, before) for value, before in values)


def _is_one_count(new: Statement, value: Value, old: Statement, before: Value) -> bool:
    """Are they counts of the same things, the newer one a current state?"""
    words = [{token.word for token in s.around(v)} for s, v in ((new, value), (old, before))]
    if value.kind == "money" or words[0].isdisjoint(marks("now") | marks("standing")):
        return False
    counted = [_counted(v) for v in (value, before)]
    if value.kind in ("count", "rate") and all(counted) and counted[0].isdisjoint(counted[1]):
        return False
    around = [{token.root for token in s.around(v)} for s, v in ((new, value), (old, before))]
    return share_topic(new, old) or not (new.topic.keys() & old.topic.keys()).isdisjoint(around[0] & around[1])


def share_topic(new: Statement, old: Statement) -> bool:
    """Do they share enough words of content to be about one thing?"""
    return len(new.topic.keys() & old.topic.keys()) >= _SAME_TOPIC


def falls(new: Statement, old: Statement) -> bool:
    """Is a count of what somebody collected or finished lower than before? Then it counts other things."""
    if not (new.personal or old.personal):
        return False
    values = [o.values for o in oppositions(new, old) if o.values and o.values[0].kind == "count"]
    return any(
        value.high < before.low
        and any(token.word in marks("gathered") for s, v in ((new, value), (old, before)) for token in s.around(v))
        for value, before in values
    )


def _counted(value: Value) -> frozenset[str]:
    return value.unit - {root("one"), root("ones")}


def _by_difference(new: Statement, old: Statement, told: bool) -> Verdict:
    """The verdict by the one difference of aligned words; `told` is set if the new statement tells a change."""
    found = oppositions(new.frame, old.frame)
    opposed = [o for o in found if o.kind in ("antonym", "contrast")]
    roots = [frozenset[str]().union(*side) for side in ([o.new_roots for o in opposed], [o.old_roots for o in opposed])]
    aligned = align(new.frame, old.frame, *roots)
    pairs = [pair for pair in aligned.pairs if not (pair.head and (pair.new.is_speaker or pair.old.is_speaker))]
    reversed_ = is_reversed(found)
    contrasts = sum(o.kind == "contrast" for o in found)
    if len(pairs) + reversed_ + contrasts != 1 or any(pair.head for pair in pairs if not _names_role(new, pair)):
        return APART
    alone = [s for s in (*aligned.new, *aligned.old) if not s.is_speaker and not (told and s.families == {"time"})]
    if any(s.head for s in alone) or sum(s.weight for s in alone) > (_BESIDE_IF_TOLD if told else _BESIDE):
        return APART
    shared = sum(unit.weight for unit in aligned.shared if unit.kind != "speaker")
    shorter = min(sum(unit.weight for unit in units) for units in (aligned.new_units, aligned.old_units))
    if not shared or shared < (_SHARED_IF_TOLD if told else _SHARED) * shorter:
        return APART
    if bool(new.frame.condition) != bool(old.frame.condition):
        return APART
    if not pairs:
        return conflict(new, old, "update" if told else "clash", _LIKELY)
    replaces = pairs[0].head or _is_another_value(new, old, pairs[0], told and shared >= _WEIGHTY, told)
    return conflict(new, old, "update", _LIKELY) if replaces else APART


def _names_role(new: Statement, pair: SegmentPair) -> bool:
    """Is it who has a role that one person or thing at a time has: `Karl owns the service`?"""
    return (
        pair.families <= {"name", "word"}
        and _ROLE.search(" ".join(token.word for token in new.frame.tokens)) is not None
    )


def _is_another_value(new: Statement, old: Statement, pair: SegmentPair, any_word: bool, told: bool) -> bool:
    """Is it a value, or a name or word that replaces another: after `is`, or where a change is told?"""
    if pair.families & {"amount", "time", "id"}:
        sides = ((new.frame, pair.new), (old.frame, pair.old))
        values = [[v for v in s.values if any(u.start == v.start for u in segment.units)] for s, segment in sides]
        counted = [frozenset[str]().union(*(value.unit for value in side)) for side in values]
        return not (all(counted) and counted[0].isdisjoint(counted[1]))
    if any_word or (told and "name" in pair.families):
        return True
    if pair.new.word != pair.old.word:
        return False
    words = [{token.word for token in statement.frame.tokens} for statement in (new, old)]
    place = all(not side.isdisjoint(marks("being") | marks("place")) for side in words)
    place = place and (words[0] | words[1]).isdisjoint(marks("additive"))
    return pair.new.word in marks("being") or (place and pair.new.word in marks("towards"))
