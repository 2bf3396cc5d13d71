"""What is said of two statements, and when one repeats the other or is about another thing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from holdfast.core.frozen import frozen
from holdfast.statements.alignment import align
from holdfast.statements.change_words import CHANGES
from holdfast.statements.oppositions import oppositions
from holdfast.statements.parsing import Statement, read
from holdfast.statements.statement_tokens import weight

_JACCARD = 0.75  # minimum word overlap of a repetition
_NEAR = 0.784  # minimum closeness of a repetition with a new word
_MAX_NEW_WEIGHT = 0.35  # maximum weight of the new words in a repetition: less than one content word
_MIN_WORDS = 4  # minimum number of words for a statement that is contained in a longer one
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[\"'A-ZÀ-Ý0-9])|(?<=[!?])\s+|\n+")
_MAX_SENTENCES = 12
_MAX_TOKENS = 40  # a longer text makes several statements


@frozen
class Verdict:
    """How a new statement relates to an old one.

    `same`: it says nothing new. `update`: the same attribute has another value, and the newer one replaces the older.
    `clash`: both cannot be true, and it is unknown which is. `apart`: they do not affect each other.
    For an update or a clash, `difference` quotes what differs (`20 → 25`), and `by` classifies it: value, option,
    antonym, negation, contrast, scope, or meaning if no single word differs, in which case both statements are quoted.
    `stated` is set if the new statement says itself that something changed.
    """

    kind: str
    difference: str = ""
    score: float = 0.0
    by: str = ""
    stated: bool = False


APART = Verdict("apart")
SAME = Verdict("same", score=1.0)


def marks_change(text: str) -> bool:
    """Does a text say that something changed?"""
    return bool(read(text).change.kinds & CHANGES)


def say_the_same(one: str, other: str) -> bool:
    """Do two near copies of a text say the same, apart from additions?

    No word may be replaced by another one: a weekday, a number, a name or an antonym may be all that differs.
    """
    first, second = read(one), read(other)
    return not align(first, second).pairs and not oppositions(first, second)


def conflict(new: Statement, old: Statement, kind: str, score: float) -> Verdict:
    """The verdict that both cannot hold, with what differs: a reversal, a value, two words, or the whole meaning."""
    found = oppositions(new.frame, old.frame)
    reversal = next((o for o in found if o.kind != "value"), None)
    values = [o.quoted for o in found if o.values]
    aligned = align(new.frame, old.frame)
    ending = sorted(new.change.marked | new.change.gone) if new.change.kinds & {"gone", "ends"} else []
    said = " ".join(unit.text for unit in aligned.shared if unit.kind != "speaker")
    if reversal is not None:
        quoted, by = reversal.quoted, reversal.kind
    elif values:
        quoted, by = values[0], "value"
    elif ending and said:
        quoted, by = f"{said} ↔ {' '.join(new.tokens[place].text for place in ending)}", "negation"
    elif len(aligned.pairs) == 1:
        quoted, by = f"{aligned.pairs[0].old.text} → {aligned.pairs[0].new.text}", "option"
    else:
        quoted, by = f"{old.text} → {new.text}", "meaning"
    return Verdict(kind, quoted, round(score, 3), by, kind == "update" and bool(new.change.kinds & CHANGES))


def are_numbered_apart(new: Statement, old: Statement) -> bool:
    """Are they about things of one kind with different numbers: `Ticket 8 needs a review`, `Ticket 9 needs one`?"""
    return any(
        name == other and numbers.isdisjoint(others)
        for name, numbers in new.numbered.items()
        for other, others in old.numbered.items()
    )


def may_conflict(new: Statement, old: Statement) -> bool:
    """Is it worth comparing them? A question or somebody's opinion changes nothing."""
    return not ((new.unsure and not old.unsure) or are_numbered_apart(new, old))


def are_short(new: Statement, old: Statement) -> bool:
    """Is each short enough to be one statement?"""
    return max(len(new.tokens), len(old.tokens)) <= _MAX_TOKENS


@lru_cache(maxsize=4096)
def sentences(text: str) -> tuple[str, ...]:
    """The first sentences of a text, at most twelve; cached."""
    found = [sentence for sentence in _SENTENCE.split(text.strip()) if sentence]
    return tuple(found[:_MAX_SENTENCES])


def repeats(new: Statement, old: Statement, similarity: float | None = None) -> bool:
    """Does the old statement contain the new one: the same values, polarity and words in the same order?

    Word overlap alone loses information (`tabs, not spaces`). So every word of the new one must occur in the old one,
    in order and as often; if the vectors are close, one word of little weight may be new.
    """
    if oppositions(new, old) or not _values_repeated(new, old) or new.force != old.force or new.negated != old.negated:
        return False
    if new.ended != old.ended:  # `On n'utilise plus Redis` says more than `On utilise Redis`
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


def _values_repeated(new: Statement, old: Statement) -> bool:
    return all(any(v.kind == w.kind and v.equals(w) for w in old.values) for v in new.values)
