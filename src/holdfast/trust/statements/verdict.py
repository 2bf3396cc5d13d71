"""Two short statements side by side: the same, a newer value, a clash, or apart."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from holdfast.trust.statements.features import remaining, update_measures, weigh
from holdfast.trust.statements.oppositions import Opposition, oppositions
from holdfast.trust.statements.reading import Statement, read
from holdfast.trust.statements.rules import contradiction
from holdfast.trust.statements.slots import kinship

_FILE = Path(__file__).parent / "data" / "weights.json"
_JACCARD = 0.75
_NEAR = 0.93
_ALONE = 0.35  # what a repeated statement may tell beyond the first: less than one telling word
_SURE = {True: 0.35, False: 0.97}  # what is asked of an update when the caller knows whether the slots are the same


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a new statement stands to an old one.

    `same`: it tells nothing new. `update`: the same slot has another value, and the newer replaces the older. `clash`:
    both cannot hold, and which is right is not known. `apart`: each stands for itself. The reason quotes the pieces.
    """

    kind: str
    reason: str
    score: float


def compare(new: str, old: str, *, nearness: float | None = None, same_slot: bool | None = None) -> Verdict:
    """Compares two statements by their words; about a tenth of a millisecond.

    `nearness` is the cosine of their vectors where it is known: it makes `same` and `update` surer. `same_slot` is the
    caller's own knowledge: True when both answer the same question about the same subject, False when they do not.
    """
    weights = learned()["words" if nearness is None else "near"]
    return judge(read(new), read(old), weights, nearness=nearness, same_slot=same_slot)


def judge(
    one: Statement,
    two: Statement,
    weights: Mapping[str, float],
    *,
    nearness: float | None = None,
    same_slot: bool | None = None,
) -> Verdict:
    """`compare` with statements that are read already, and weights of the caller's choice."""
    found = oppositions(one, two)
    if repeats(one, two, found, nearness):
        return Verdict("same", "it says nothing new", 1.0)
    if one.personal or two.personal:
        likely = weigh(update_measures(one, two, found, nearness), weights)
        update = _update(one, two, found, likely, same_slot)
        if update is not None:
            return update
        found = tuple(opposition for opposition in found if opposition.kind != "value")
    against = contradiction(one, two, found)
    if against is None or same_slot is False:
        return Verdict("apart", "they speak of different things", 0.0)
    replaced = against.piece.kind in ("value", "option") or one.changed or one.ended
    return Verdict("update" if replaced else "clash", against.piece.reason, against.score)


@cache
def learned() -> Mapping[str, Mapping[str, float]]:
    """The weights that come with the package, fitted by `bench/statements_fit.py`."""
    weights: Mapping[str, Mapping[str, float]] = json.loads(_FILE.read_text(encoding="utf-8"))["weights"]
    return weights


def repeats(new: Statement, old: Statement, found: Sequence[Opposition], nearness: float | None) -> bool:
    """Is everything the new one tells told by the old one already, with the same values and in the same order?"""
    if found or not _values_told(new, old) or new.maybe != old.maybe or new.modal != old.modal:
        return False
    rest = remaining(new, old, found)
    alone = sum(rest.new.values())
    union = sum(rest.old.values()) + alone + rest.shared
    if alone == 0 and union and rest.shared / union >= _JACCARD:
        return _same_order(new, old)
    near = nearness is not None and nearness >= _NEAR
    return near and alone <= _ALONE and rest.shared > 0 and _same_order(new, old)


def _update(
    new: Statement, old: Statement, found: Sequence[Opposition], likely: float, same_slot: bool | None
) -> Verdict | None:
    """A newer value of what a person told of themselves: no rule decides that, but measures do."""
    pairs = [opposition for opposition in found if opposition.values]
    if not pairs or likely < (learned()["least"]["update"] if same_slot is None else _SURE[same_slot]):
        return None
    best = max(pairs, key=lambda o: kinship(new, o.values[0], old, o.values[1]) if o.values else 0.0)
    return Verdict("update", best.reason, round(likely, 3))


def _values_told(new: Statement, old: Statement) -> bool:
    return all(any(v.kind == w.kind and v.equals(w) for w in old.values) for v in new.values)


def _same_order(new: Statement, old: Statement) -> bool:
    """Do the words that both have come in the same order? `Tabs, not spaces` is not `spaces, not tabs`."""
    common = new.topic.keys() & old.topic.keys()
    return _sequence(new, common) == _sequence(old, common)


def _sequence(one: Statement, kept: Set[str]) -> list[str]:
    return list(dict.fromkeys(token.root for token in one.tokens if token.root in kept))


