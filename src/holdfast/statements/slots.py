"""Estimates whether two values belong to one slot: by units, surrounding words, and whether they are current."""

from __future__ import annotations

from holdfast.statements.parsing import Statement
from holdfast.statements.statement_tokens import common, marks
from holdfast.statements.statement_values import Value

# Weight of a common word beside a value: it says little about the topic, but something about the value.
_CONTEXT_WEIGHT = 0.15
_MIN_COMMON = 0.1


def slot_measures(new: Statement, v: Value, old: Statement, w: Value) -> dict[str, float]:
    """The measures of a pair of values, each from 0 to 1, by their names in `data/weights.json`."""
    deal = v.kind in ("money", "date") or _marked(new, v, "deal") or _marked(old, w, "deal")
    fewer = v.kind in ("count", "duration") and v.high < w.low
    return {
        "unit": _unit_similarity(v, w),
        "around": _context_similarity(new, v, old, w),
        "stands": (_states_current(new, v) + _states_current(old, w)) / 2,
        "deal": float(deal),
        "falls": float(fewer and (_marked(new, v, "gathered") or _marked(old, w, "gathered"))),
    }


def slot_similarity(new: Statement, v: Value, old: Statement, w: Value) -> float:
    """How likely two values belong to one slot, 0 to 1: the mean similarity of units and surrounding words."""
    return 0.5 * _unit_similarity(v, w) + 0.5 * _context_similarity(new, v, old, w)


def _unit_similarity(v: Value, w: Value) -> float:
    if v.kind not in ("count", "rate"):
        return 1.0
    if not v.unit or not w.unit:
        return 0.5
    return 1.0 if v.unit & w.unit else 0.0


def _context_similarity(new: Statement, v: Value, old: Statement, w: Value) -> float:
    new_words, old_words = _context(new, v), _context(old, w)
    least = min(sum(new_words.values()), sum(old_words.values()))
    return sum(new_words[word] for word in new_words.keys() & old_words.keys()) / least if least else 0.0


def _context(statement: Statement, value: Value) -> dict[str, float]:
    words = {token.root for token in statement.around(value) if token.text[0].isalpha()}
    common_words = {word: _CONTEXT_WEIGHT for word in words if common().get(word, 0.0) > _MIN_COMMON}
    return {word: statement.topic.get(word, common_words.get(word, 0.0)) for word in words}


def _states_current(statement: Statement, value: Value) -> float:
    """How clearly the text gives the value as the current state (`I have`, `I've added`, `now`, `so far`), 0 to 1."""
    return (_marked(statement, value, "standing") + _marked(statement, value, "now")) / 2


def _marked(statement: Statement, value: Value, mark: str) -> bool:
    return any(token.word in marks(mark) for token in statement.around(value))
