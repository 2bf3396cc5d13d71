"""Whether two statements of one matter cannot both hold, and which piece of them decides it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from holdfast.trust.statements.features import Rest, remaining
from holdfast.trust.statements.oppositions import Opposition, turned
from holdfast.trust.statements.reading import Statement
from holdfast.trust.statements.slots import kinship

# How much both may tell beside the opposition: a word more on each side makes it another matter. An antonym leaves a
# little more room than a negation, since it often comes with words of its own.
_ROOM, _ROOM_OF_ANTONYMS = 0.75, 0.9
_SLOT = 0.5


@dataclass(frozen=True, slots=True)
class Contradiction:
    """The piece that decides, and how sure: 1 when nothing else differs, 0 at the edge of another matter."""

    piece: Opposition
    score: float


def contradiction(new: Statement, old: Statement, found: Sequence[Opposition]) -> Contradiction | None:
    """Why both cannot hold, or None."""
    rest = remaining(new, old, found)
    if not rest.shared or _two_matters(new, old, rest) or _two_cases(new, old, found):
        return None
    piece, room = _decisive(new, old, found)
    if piece is None or rest.both >= room:
        return None
    return Contradiction(piece, round(1.0 - rest.both / room, 3))


def _decisive(new: Statement, old: Statement, found: Sequence[Opposition]) -> tuple[Opposition | None, float]:
    kinds = {opposition.kind for opposition in found}
    if turned(found):
        piece = _first(found, "antonym", "negation")
        return piece, _ROOM if "negation" in kinds else _ROOM_OF_ANTONYMS
    if kinds == {"contrast"}:
        return found[0], _ROOM
    if "scope" in kinds:
        return _first(found, "scope"), _ROOM
    for opposition in found:
        if opposition.values and kinship(new, opposition.values[0], old, opposition.values[1]) >= _SLOT:
            return opposition, _ROOM
    if "option" in kinds and not (new.permits or old.permits):
        return _first(found, "option"), _ROOM
    return None, 0.0


def _two_matters(new: Statement, old: Statement, rest: Rest) -> bool:
    """Other subjects (`audit logs`, `debug logs`), or a part of the subject (`drafts of comments`)."""
    subjects = new.subject & rest.new.keys() and old.subject & rest.old.keys()
    return bool(subjects) or new.head in rest.new or old.head in rest.old


def _two_cases(new: Statement, old: Statement, found: Sequence[Opposition]) -> bool:
    """`By day` and `by night`, a rule and what is allowed beside it, an addition."""
    contrast = len(found) > 1 and any(opposition.kind == "contrast" for opposition in found)
    exception = new.default != old.default and (new.permits or old.permits)
    return contrast or exception or new.adds or old.adds


def _first(found: Iterable[Opposition], *kinds: str) -> Opposition:
    return min((o for o in found if o.kind in kinds), key=lambda o: kinds.index(o.kind))
