"""Compares two short statements: same, newer value, clash, or unrelated."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import product
from pathlib import Path

from holdfast.core.frozen import frozen
from holdfast.trust.statements.features import remaining, update_measures, weigh
from holdfast.trust.statements.oppositions import Opposition, oppositions
from holdfast.trust.statements.parsing import Statement, read
from holdfast.trust.statements.rules import contradiction
from holdfast.trust.statements.slots import slot_similarity
from holdfast.trust.statements.tokens import weight

_FILE = Path(__file__).parent / "data" / "weights.json"
_JACCARD = 0.75  # minimum word overlap of a repetition
_NEAR = 0.784  # minimum closeness of a repetition with a new word
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[\"'(A-ZÀ-Ý0-9])|\n+")
_MAX_SENTENCES = 12
_ANSWERED = 0.5  # score of two answers to one question that no rule can compare
_MAX_NEW_WEIGHT = 0.35  # maximum weight of the new words in a repetition: less than one content word
_MIN_WORDS = 4  # minimum number of words for a statement that is contained in a longer one
# Minimum probability of an update when the caller knows whether the slot is the same.
_MIN_PROBABILITY = {True: 0.35, False: 0.97}


@frozen
class Verdict:
    """How a new statement relates to an old one.

    `same`: it says nothing new. `update`: the same attribute has another value, and the newer one replaces the older.
    `clash`: both cannot be true, and it is unknown which is. `apart`: they do not affect each other.
    For an update or a clash, `difference` quotes what differs (`20 → 25`), and `by` classifies it: value, option,
    antonym, negation, contrast or scope.
    """

    kind: str
    difference: str
    score: float
    by: str = ""


def compare(new: str, old: str, *, similarity: float | None = None, same_slot: bool | None = None) -> Verdict:
    """Compares two statements by their words; a fraction of a millisecond.

    `similarity` is the closeness of their vectors, if known: 0 for unrelated texts on average, 1 for equal ones. It
    makes `same` and `update` more reliable. `same_slot` is the caller's knowledge: True if both answer the same
    question that has one answer, False if they do not.
    """
    weights = fitted_weights()["words" if similarity is None else "near"]
    whole = compare_parsed(read(new), read(old), weights, similarity=similarity, same_slot=same_slot)
    new_sentences, old_sentences = sentences(new), sentences(old)
    if whole.kind != "apart" or len(new_sentences) == len(old_sentences) == 1:
        return whole
    word_weights = fitted_weights()["words"]  # the similarity is that of the whole texts, not of sentences
    pairs = product(map(read, new_sentences), map(read, old_sentences))
    comparable = (pair for pair in pairs if same_slot or may_contradict(*pair))
    verdicts = (compare_parsed(*pair, word_weights, same_slot=same_slot) for pair in comparable)
    found = [verdict for verdict in verdicts if verdict.kind in ("update", "clash")]
    return max(found, key=lambda verdict: verdict.score, default=whole)


def may_contradict(new: Statement, old: Statement) -> bool:
    """Can they contradict each other? They must share a content word, or be personal statements with values."""
    values = new.values and old.values and (new.personal or old.personal)
    return bool(values) or not new.topic.keys().isdisjoint(old.topic)


def compare_parsed(
    new: Statement,
    old: Statement,
    weights: Mapping[str, float],
    *,
    similarity: float | None = None,
    same_slot: bool | None = None,
) -> Verdict:
    """Like `compare`, for parsed statements and given weights."""
    found = oppositions(new, old)
    if repeats(new, old, found, similarity):
        return Verdict("same", "", 1.0)
    if (new.personal or old.personal) and any(opposition.values for opposition in found):
        measures = update_measures(new, old, found, similarity)
        # A collected amount does not decrease: a smaller count is a different one.
        likely = 0.0 if measures.get("falls") else weigh(measures, weights)
        update = _update(new, old, found, likely, same_slot)
        if update is not None:
            return update
        different = any(measures.get(sign) for sign in ("deal", "falls", "dated"))
        if different or remaining(new, old, found).least_alone > 0:
            found = tuple(opposition for opposition in found if opposition.kind != "value")
    against = contradiction(new, old, found)
    if against is None or same_slot is False:
        return _in_one_slot(new, old) if same_slot else Verdict("apart", "", 0.0)
    replaced = against.opposition.kind in ("value", "option") or new.changed
    return Verdict("update" if replaced else "clash", against.opposition.quoted, against.score, against.opposition.kind)


@lru_cache(maxsize=4096)
def sentences(text: str) -> tuple[str, ...]:
    """The first sentences of a text, at most twelve; cached."""
    found = [sentence for sentence in _SENTENCE.split(text.strip()) if sentence]
    return tuple(found[:_MAX_SENTENCES])


@cache
def fitted_weights() -> Mapping[str, Mapping[str, float]]:
    """The weights shipped with the package, fitted by `bench/statements_fit.py`."""
    weights: Mapping[str, Mapping[str, float]] = json.loads(_FILE.read_text(encoding="utf-8"))["weights"]
    return weights


def repeats(new: Statement, old: Statement, found: Sequence[Opposition], similarity: float | None) -> bool:
    """Does the old statement contain the new one: the same values, polarity and words in the same order?

    Word overlap alone loses information (`tabs, not spaces`). So every word of the new one must occur in the old one,
    in order and as often; if the vectors are close, one word of little weight may be new.
    """
    if found or not _values_repeated(new, old) or new.force != old.force or new.negated != old.negated:
        return False
    new_words = _new_words(new.normalised, old.normalised)
    if new_words is None:
        return False
    union = len(set(new.normalised) | set(old.normalised))
    alike = len(set(new.normalised) & set(old.normalised)) / union if union else 1.0
    if not new_words and (alike >= _JACCARD or len(new.normalised) >= _MIN_WORDS):
        return True
    near = similarity is not None and similarity >= _NEAR
    return near and sum(map(weight, new_words)) <= _MAX_NEW_WEIGHT


def _new_words(new: Sequence[str], old: Sequence[str]) -> list[str] | None:
    """The words of the new statement that the old one lacks; None if the shared words have another order."""
    known, place, new_words = set(old), 0, []
    for word in new:
        if word not in known:
            new_words.append(word)
            continue
        while place < len(old) and old[place] != word:
            place += 1
        if place == len(old):
            return None
        place += 1
    return new_words


def _update(
    new: Statement, old: Statement, found: Sequence[Opposition], likely: float, same_slot: bool | None
) -> Verdict | None:
    """The verdict for a newer value in a personal statement: decided by fitted measures, not by rules."""
    if likely < (fitted_weights()["least"]["update"] if same_slot is None else _MIN_PROBABILITY[same_slot]):
        return None
    pairs = [opposition for opposition in found if opposition.values]
    best = max(pairs, key=lambda o: slot_similarity(new, o.values[0], old, o.values[1]) if o.values else 0.0)
    return Verdict("update", best.quoted, round(likely, 3), "value")


def _in_one_slot(new: Statement, old: Statement) -> Verdict:
    """The verdict for two answers to one question that no rule can compare."""
    rest = remaining(new, old, ())
    sides = ((old, rest.old), (new, rest.new))
    texts = (" ".join(token.text for token in statement.tokens if token.root in words) for statement, words in sides)
    return Verdict("update", " → ".join(texts), _ANSWERED, "option")


def _values_repeated(new: Statement, old: Statement) -> bool:
    return all(any(v.kind == w.kind and v.equals(w) for w in old.values) for v in new.values)
