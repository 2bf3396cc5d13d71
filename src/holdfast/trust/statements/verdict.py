"""Compares two short statements: same, newer value, clash, or unrelated."""

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
_ALONE = 0.35  # maximum weight of the new words in a repetition: less than one content word
_FULL = 4  # minimum number of words for a statement that is contained in a longer one
_SURE = {True: 0.35, False: 0.97}  # minimum probability of an update when the caller knows whether the slot is the same


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

    `nearness` is the cosine of their vectors, if known; it makes `same` and `update` more reliable. `same_slot` is
    the caller's knowledge: True if both answer the same question that has one answer, False if they do not.
    """
    weights = learned()["words" if nearness is None else "near"]
    whole = judge(read(new), read(old), weights, nearness=nearness, same_slot=same_slot)
    ours, theirs = sentences(new), sentences(old)
    if whole.kind != "apart" or len(ours) == len(theirs) == 1:
        return whole
    words = learned()["words"]  # nearness compares the whole texts, not their sentences
    pairs = product(map(read, ours), map(read, theirs))
    pieces = (judge(*pair, words, same_slot=same_slot) for pair in pairs if same_slot or touch(*pair))
    found = [verdict for verdict in pieces if verdict.kind in ("update", "clash")]
    return max(found, key=lambda verdict: verdict.score, default=whole)


def touch(one: Statement, two: Statement) -> bool:
    """Can they contradict each other? They must share a content word, or be personal statements with values."""
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
    """Like `compare`, for parsed statements and given weights."""
    found = oppositions(one, two)
    if repeats(one, two, found, nearness):
        return Verdict("same", "", 1.0)
    if (one.personal or two.personal) and any(opposition.values for opposition in found):
        measures = update_measures(one, two, found, nearness)
        # A collected amount does not decrease: a smaller count is a different one.
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
    """The first sentences of a text, at most twelve; cached."""
    found = [sentence for sentence in _SENTENCE.split(text.strip()) if sentence]
    return tuple(found[:_MOST])


@cache
def learned() -> Mapping[str, Mapping[str, float]]:
    """The weights shipped with the package, fitted by `bench/statements_fit.py`."""
    weights: Mapping[str, Mapping[str, float]] = json.loads(_FILE.read_text(encoding="utf-8"))["weights"]
    return weights


def repeats(new: Statement, old: Statement, found: Sequence[Opposition], nearness: float | None) -> bool:
    """Does the old statement contain the new one: the same values, polarity and words in the same order?

    Word overlap alone loses information (`tabs, not spaces`). So every word of the new one must occur in the old one,
    in order and as often; if the vectors are close, one word of little weight may be new.
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
    """The words of the new statement that the old one lacks; None if the shared words have another order."""
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
    """The verdict for a newer value in a personal statement: decided by fitted measures, not by rules."""
    if likely < (learned()["least"]["update"] if same_slot is None else _SURE[same_slot]):
        return None
    pairs = [opposition for opposition in found if opposition.values]
    best = max(pairs, key=lambda o: kinship(new, o.values[0], old, o.values[1]) if o.values else 0.0)
    return Verdict("update", best.quoted, round(likely, 3), "value")


def _in_one_slot(new: Statement, old: Statement) -> Verdict:
    """The verdict for two answers to one question that no rule can compare."""
    rest = remaining(new, old, ())
    alone = ((old, rest.old), (new, rest.new))
    pieces = (" ".join(token.text for token in one.tokens if token.root in words) for one, words in alone)
    return Verdict("update", " → ".join(pieces), _ANSWERED, "option")


def _values_told(new: Statement, old: Statement) -> bool:
    return all(any(v.kind == w.kind and v.equals(w) for w in old.values) for v in new.values)
