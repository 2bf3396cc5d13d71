"""Decides whether two statements about one subject contradict each other, and which difference decides it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from holdfast.trust.statements.features import Overlap, remaining
from holdfast.trust.statements.oppositions import Opposition, turned
from holdfast.trust.statements.parsing import Statement
from holdfast.trust.statements.slots import kinship

# Maximum additional content besides the opposition: one more content word on each side means different subjects.
_ROOM = 0.75
_SLOT = 0.5


@dataclass(frozen=True, slots=True)
class DecisiveDifference:
    """The decisive opposition and its score: 1 if nothing else differs, 0 at the limit to a different subject."""

    piece: Opposition
    score: float


def contradiction(new: Statement, old: Statement, found: Sequence[Opposition]) -> DecisiveDifference | None:
    """The difference because of which both cannot hold, or None."""
    if not found:
        return None
    rest = remaining(new, old, found)
    if not rest.shared or _two_matters(new, old, rest) or _two_cases(new, old, rest, found):
        return None
    piece = _decisive(new, old, found)
    if piece is None or rest.both >= _ROOM:
        return None
    return DecisiveDifference(piece, round(1.0 - rest.both / _ROOM, 3))


def _decisive(new: Statement, old: Statement, found: Sequence[Opposition]) -> Opposition | None:
    kinds = {opposition.kind for opposition in found}
    if turned(found):
        return _first(found, "antonym", "negation")
    if kinds == {"contrast"}:
        return found[0]
    if "scope" in kinds:
        return _first(found, "scope")
    for opposition in found:
        if opposition.values and kinship(new, opposition.values[0], old, opposition.values[1]) >= _SLOT:
            return opposition
    return _first(found, "option") if "option" in kinds and not (new.permits or old.permits) else None


def _two_matters(new: Statement, old: Statement, rest: Overlap) -> bool:
    """Different subjects (`audit` and `debug logs`), a subtype (`express parcels`) or a part (`drafts of comments`)?"""
    others = new.subject & rest.new.keys() and old.subject & rest.old.keys()
    shared = new.topic.keys() & old.topic.keys()
    return bool(others or new.kinds_of(shared) & rest.new.keys() or old.kinds_of(shared) & rest.old.keys())


def _two_cases(new: Statement, old: Statement, rest: Overlap, found: Sequence[Opposition]) -> bool:
    """Different cases (`by day`, `by night`), a rule and its exception, or an addition?"""
    contrast = len(found) > 1 and any(opposition.kind == "contrast" for opposition in found)
    condition = bool(new.condition & rest.new.keys()) != bool(old.condition & rest.old.keys())
    exception = new.default != old.default and (new.permits or old.permits)
    return contrast or condition or exception or new.adds or old.adds


def _first(found: Iterable[Opposition], *kinds: str) -> Opposition:
    return min((o for o in found if o.kind in kinds), key=lambda o: kinds.index(o.kind))
