"""Decides whether two statements about one subject contradict each other, and which difference decides it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from holdfast.core.frozen import frozen
from holdfast.trust.statements.features import Overlap, remaining
from holdfast.trust.statements.oppositions import Opposition, is_reversed
from holdfast.trust.statements.parsing import Statement
from holdfast.trust.statements.slots import slot_similarity

# Both statements must have less other content than this: one more content word on each side is another subject.
_MAX_REST = 0.75
_MIN_SLOT_SIMILARITY = 0.5


@frozen
class DecisiveDifference:
    """The decisive opposition and its score: 1 if nothing else differs, 0 at the limit to a different subject."""

    opposition: Opposition
    score: float


def contradiction(new: Statement, old: Statement, found: Sequence[Opposition]) -> DecisiveDifference | None:
    """The difference that makes two statements contradict each other, or None."""
    if not found:
        return None
    rest = remaining(new, old, found)
    if not rest.shared or _subjects_differ(new, old, rest) or _cases_differ(new, old, rest, found):
        return None
    decisive = _decisive(new, old, found)
    if decisive is None or rest.least_alone >= _MAX_REST:
        return None
    return DecisiveDifference(decisive, round(1.0 - rest.least_alone / _MAX_REST, 3))


def _decisive(new: Statement, old: Statement, found: Sequence[Opposition]) -> Opposition | None:
    kinds = {opposition.kind for opposition in found}
    if is_reversed(found):
        return _first(found, "antonym", "negation")
    if kinds == {"contrast"}:
        return found[0]
    if "scope" in kinds:
        return _first(found, "scope")
    for opposition in found:
        values = opposition.values
        if values and slot_similarity(new, values[0], old, values[1]) >= _MIN_SLOT_SIMILARITY:
            return opposition
    return _first(found, "option") if "option" in kinds and not (new.permits or old.permits) else None


def _subjects_differ(new: Statement, old: Statement, rest: Overlap) -> bool:
    """Are the subjects different: `audit` and `debug logs`, `parcels` and `express parcels`, `drafts` of comments?"""
    others = new.subject & rest.new.keys() and old.subject & rest.old.keys()
    shared = new.topic.keys() & old.topic.keys()
    return bool(others or new.modifiers_of(shared) & rest.new.keys() or old.modifiers_of(shared) & rest.old.keys())


def _cases_differ(new: Statement, old: Statement, rest: Overlap, found: Sequence[Opposition]) -> bool:
    """Are the cases different: `by day` and `by night`, a rule and its exception, an addition?"""
    contrast = len(found) > 1 and any(opposition.kind == "contrast" for opposition in found)
    condition = bool(new.condition & rest.new.keys()) != bool(old.condition & rest.old.keys())
    exception = new.default != old.default and (new.permits or old.permits)
    return contrast or condition or exception or new.adds or old.adds


def _first(found: Iterable[Opposition], *kinds: str) -> Opposition:
    return min((o for o in found if o.kind in kinds), key=lambda o: kinds.index(o.kind))
