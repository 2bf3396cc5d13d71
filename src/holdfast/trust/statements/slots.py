"""Estimates whether two values belong to one slot: by units, surrounding words, and whether they give a state."""

from __future__ import annotations

from holdfast.trust.statements.parsing import Statement
from holdfast.trust.statements.tokens import common, marks
from holdfast.trust.statements.values import Value

_FAINT = 0.15  # weight of a common word beside a value: it says little about the topic, but something about the value
_COMMON = 0.1


def slot_measures(new: Statement, v: Value, old: Statement, w: Value) -> dict[str, float]:
    """The measures of a pair of values, each from 0 to 1."""
    deal = v.kind in ("money", "date") or _marked(new, v, "deal") or _marked(old, w, "deal")
    fewer = v.kind in ("count", "duration") and v.high < w.low
    return {
        "unit": _unit(v, w),
        "around": _around(new, v, old, w),
        "stands": (_stands(new, v) + _stands(old, w)) / 2,
        "deal": float(deal),
        "falls": float(fewer and (_marked(new, v, "gathered") or _marked(old, w, "gathered"))),
    }


def kinship(new: Statement, v: Value, old: Statement, w: Value) -> float:
    """One number for the similarity: the mean of unit and surrounding words."""
    return 0.5 * _unit(v, w) + 0.5 * _around(new, v, old, w)


def _unit(v: Value, w: Value) -> float:
    if v.kind not in ("count", "rate"):
        return 1.0
    if not v.unit or not w.unit:
        return 0.5
    return 1.0 if v.unit & w.unit else 0.0


def _around(new: Statement, v: Value, old: Statement, w: Value) -> float:
    one, two = _context(new, v), _context(old, w)
    least = min(sum(one.values()), sum(two.values()))
    return sum(one[word] for word in one.keys() & two.keys()) / least if least else 0.0


def _context(statement: Statement, value: Value) -> dict[str, float]:
    words = {token.root for token in statement.around(value) if token.text[0].isalpha()}
    return {word: statement.topic.get(word, _FAINT if common().get(word, 0.0) > _COMMON else 0.0) for word in words}


def _stands(statement: Statement, value: Value) -> float:
    """Does the text give the value as the current state (`I have`, `I've added`, `now`, `so far`)?"""
    return (_marked(statement, value, "standing") + _marked(statement, value, "now")) / 2


def _marked(statement: Statement, value: Value, mark: str) -> bool:
    return any(token.word in marks(mark) for token in statement.around(value))
