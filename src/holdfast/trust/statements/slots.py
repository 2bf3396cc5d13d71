"""How likely two values fill one slot: what they count, the words around them, and whether they tell a state."""

from __future__ import annotations

from holdfast.trust.statements.reading import Statement
from holdfast.trust.statements.tokens import common
from holdfast.trust.statements.values import Value

_FAINT = 0.15  # a word that says little of what a text is about still says something of what a number is for


def slot_measures(new: Statement, v: Value, old: Statement, w: Value) -> dict[str, float]:
    """Measures of a pair of values, each 0 to 1."""
    one, two = _context(new, v), _context(old, w)
    shared = sum(one[word] for word in one.keys() & two.keys())
    least = min(sum(one.values()), sum(two.values()))
    stands = (_stands(new, v), _stands(old, w))
    return {
        "unit": _unit(v, w),
        "around": shared / least if least else 0.0,
        "around_mass": min(shared, 2.0) / 2.0,
        "stands": sum(stands) / 2,
        "plan": float(_marked(new, v, _PLANS) or _marked(old, w, _PLANS)),
        "past": float(_marked(new, v, _PAST) or _marked(old, w, _PAST)),
        "deal": float(v.kind in ("money", "date") or _marked(new, v, _DEALS) or _marked(old, w, _DEALS)),
        "falls": float(_falls(v, w) and (_marked(new, v, _GATHERED) or _marked(old, w, _GATHERED))),
        "apart_names": _other_names(new, v, old, w),
    }


def kinship(new: Statement, v: Value, old: Statement, w: Value) -> float:
    """One figure for it: what they count and what stands around them."""
    measures = slot_measures(new, v, old, w)
    return 0.5 * measures["unit"] + 0.5 * measures["around"]


def _unit(v: Value, w: Value) -> float:
    if v.kind not in ("count", "rate"):
        return 1.0
    if not v.unit or not w.unit:
        return 0.5
    return 1.0 if v.unit & w.unit else 0.0


def _context(statement: Statement, value: Value) -> dict[str, float]:
    words = {token.root for token in statement.around(value) if token.text[0].isalpha()}
    return {word: statement.topic.get(word, _FAINT if word in common() and common()[word] > 0.1 else 0.0) for word in words}


def _stands(statement: Statement, value: Value) -> float:
    """Does the text tell the value as how things stand (`I have`, `I've added`, `now`, `so far`)?"""
    words = {token.word for token in statement.around(value)}
    return float(bool(words & _STATES)) * 0.5 + float(bool(words & _NOW)) * 0.5


def _marked(statement: Statement, value: Value, marks: frozenset[str]) -> bool:
    return any(token.word in marks for token in statement.around(value))


def _falls(v: Value, w: Value) -> bool:
    return v.kind in ("count", "duration") and v.high < w.low


def _other_names(new: Statement, v: Value, old: Statement, w: Value) -> float:
    """Does each value stand beside a name that the other text does not know?"""
    ours = {t.root for t in new.around(v) if t.name} - old.topic.keys()
    theirs = {t.root for t in old.around(w) if t.name} - new.topic.keys()
    return float(bool(ours) and bool(theirs))


_STATES = frozenset("i've we've have has had i'm we're am is are it's been that's got my our usually".split())
_NOW = frozenset("now currently already far current recently lately just usually always highest total best again".split())
# What one has gathered does not grow less: fewer of it are others.
_GATHERED = frozenset(
    """finished completed added tried attended visited watched met worn wore been times collected gained done made
    far already""".split()
)
_PLANS = frozenset(
    """want wants wanted need needs plan planning goal aim aiming hope hoping would like i'd thinking considering looking
    should could until will i'll we'll might maybe start""".split()
)
_PAST = frozenset("ago yesterday today initially originally initial went back took last".split())
_DEALS = frozenset("paid pay bought buy sold sell cost costs price earned earning worth fee ordered".split())
