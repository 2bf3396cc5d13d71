"""Two short statements side by side: the same, a newer value, a clash, or apart."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product
from pathlib import Path

from holdfast.trust.statements.features import remaining, update_measures, weigh
from holdfast.trust.statements.oppositions import Opposition, oppositions
from holdfast.trust.statements.parsing import Statement, read
from holdfast.trust.statements.rules import contradiction
from holdfast.trust.statements.slots import kinship
from holdfast.trust.statements.tokens import weight

_FILE = Path(__file__).parent / "data" / "weights.json"
_JACCARD = 0.75
_NEAR = 0.93
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[\"'(A-ZÀ-Ý0-9])|\n+")
_MOST = 12
_ANSWERED = 0.5
_ALONE = 0.35  # what a repeated statement may tell beyond the first: less than one telling word
_FULL = 4  # so many words, all of them in a longer statement and in its order, tell a part of it
_SURE = {True: 0.35, False: 0.97}  # what is asked of an update when the caller knows whether the slots are the same


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a new statement relates to an old one.

    `same`: it says nothing new. `update`: the same attribute has another value, and the newer one replaces the older.
    `clash`: both cannot hold, and it is unknown which is right. `apart`: they do not affect each other.
    For an update or a clash, `difference` quotes what differs (`20 → 25`), and `by` classifies it: value, option,
    antonym, negation, contrast or scope.
    """

    kind: str
    difference: str
    score: float
    by: str = ""


def compare(new: str, old: str, *, nearness: float | None = None, same_slot: bool | None = None) -> Verdict:
    """Compares two statements by their words; a fraction of a millisecond.

    `nearness` is the cosine of their vectors where it is known: it makes `same` and `update` surer. `same_slot` is the
    caller's own knowledge: True when both answer one question that has one answer, False when they do not.
    """
    weights = learned()["words" if nearness is None else "near"]
    whole = judge(read(new), read(old), weights, nearness=nearness, same_slot=same_slot)
    ours, theirs = sentences(new), sentences(old)
    if whole.kind != "apart" or len(ours) == len(theirs) == 1:
        return whole
    words = learned()["words"]  # the nearness is of the whole texts and says nothing of their sentences
    pairs = product(map(read, ours), map(read, theirs))
    pieces = (judge(*pair, words, same_slot=same_slot) for pair in pairs if same_slot or touch(*pair))
    found = [verdict for verdict in pieces if verdict.kind in ("update", "clash")]
    return max(found, key=lambda verdict: verdict.score, default=whole)


def touch(one: Statement, two: Statement) -> bool:
    """Can one be against the other at all? Not where they share no telling word, but for values people tell."""
    values = one.values and two.values and (one.personal or two.personal)
    return bool(values) or not one.topic.keys().isdisjoint(two.topic)


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
        return Verdict("same", "", 1.0)
    if (one.personal or two.personal) and any(opposition.values for opposition in found):
        measures = update_measures(one, two, found, nearness)
        # What one has gathered does not grow less: a smaller count is another one.
        likely = 0.0 if measures.get("falls") else weigh(measures, weights)
        update = _update(one, two, found, likely, same_slot)
        if update is not None:
            return update
        other = any(measures.get(sign) for sign in ("deal", "falls", "dated"))
        if other or remaining(one, two, found).both > 0:
            found = tuple(opposition for opposition in found if opposition.kind != "value")
    against = contradiction(one, two, found)
    if against is None or same_slot is False:
        return _in_one_slot(one, two) if same_slot else Verdict("apart", "", 0.0)
    replaced = against.piece.kind in ("value", "option") or one.changed
    return Verdict("update" if replaced else "clash", against.piece.quoted, against.score, against.piece.kind)


@lru_cache(maxsize=4096)
def sentences(text: str) -> tuple[str, ...]:
    """The sentences of a text, the first ones of a long one; the same text is cut once."""
    found = [sentence for sentence in _SENTENCE.split(text.strip()) if sentence]
    return tuple(found[:_MOST])


@cache
def learned() -> Mapping[str, Mapping[str, float]]:
    """The weights that come with the package, fitted by `bench/statements_fit.py`."""
    weights: Mapping[str, Mapping[str, float]] = json.loads(_FILE.read_text(encoding="utf-8"))["weights"]
    return weights


def repeats(new: Statement, old: Statement, found: Sequence[Opposition], nearness: float | None) -> bool:
    """Does the old one tell it all already: the same values, the same polarity, the same words in the same order?

    Word overlap alone loses knowledge (`tabs, not spaces`). So every word of the new one must come in the old one, in
    its order and as often; where the vectors say that both mean the same, one faint word may be new.
    """
    if found or not _values_told(new, old) or new.force != old.force or new.negated != old.negated:
        return False
    alone = _beyond(new.said, old.said)
    if alone is None:
        return False
    union = len(set(new.said) | set(old.said))
    alike = len(set(new.said) & set(old.said)) / union if union else 1.0
    if not alone and (alike >= _JACCARD or len(new.said) >= _FULL):
        return True
    near = nearness is not None and nearness >= _NEAR
    return near and sum(map(weight, alone)) <= _ALONE


def _beyond(new: Sequence[str], old: Sequence[str]) -> list[str] | None:
    """The words of the new one that the old one lacks; None when those that both have come in another order."""
    known, place, alone = set(old), 0, []
    for word in new:
        if word not in known:
            alone.append(word)
            continue
        while place < len(old) and old[place] != word:
            place += 1
        if place == len(old):
            return None
        place += 1
    return alone


def _update(
    new: Statement, old: Statement, found: Sequence[Opposition], likely: float, same_slot: bool | None
) -> Verdict | None:
    """A newer value of what a person told of themselves: no rule decides that, but measures do."""
    if likely < (learned()["least"]["update"] if same_slot is None else _SURE[same_slot]):
        return None
    pairs = [opposition for opposition in found if opposition.values]
    best = max(pairs, key=lambda o: kinship(new, o.values[0], old, o.values[1]) if o.values else 0.0)
    return Verdict("update", best.quoted, round(likely, 3), "value")


def _in_one_slot(new: Statement, old: Statement) -> Verdict:
    """Two answers to one question, told in words that share nothing a rule could see."""
    rest = remaining(new, old, ())
    alone = ((old, rest.old), (new, rest.new))
    pieces = (" ".join(token.text for token in one.tokens if token.root in words) for one, words in alone)
    return Verdict("update", " → ".join(pieces), _ANSWERED, "option")


def _values_told(new: Statement, old: Statement) -> bool:
    return all(any(v.kind == w.kind and v.equals(w) for w in old.values) for v in new.values)
