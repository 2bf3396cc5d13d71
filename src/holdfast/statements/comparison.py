"""Compares two short statements: the readers say whether both can hold, and the words what differs.

If they are not installed, words alone decide (`words.py`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from holdfast.core.errors import ModelError
from holdfast.models.reader import conflict_odds, nearness, read_change, read_relation
from holdfast.statements.odds import overheard_odds, relation_limits, tells_change
from holdfast.statements.oppositions import oppositions
from holdfast.statements.parsing import Statement, read
from holdfast.statements.verdict import (
    APART,
    SAME,
    Verdict,
    are_numbered_apart,
    are_short,
    conflict,
    may_conflict,
    repeats,
)
from holdfast.statements.words import by_words, counts_again, falls, gives_up_plan, share_topic
from holdfast.text.similarity import content_words

_LIKELY = 0.8  # the certainty of what words tell


def compare(
    new: str,
    old: str,
    *,
    similarity: float | None = None,
    corrects: bool = False,
    doubtful: bool = False,
    reading: bool = True,
    overheard: bool = False,
) -> Verdict:
    """Compares two statements; if they are near each other, a model reads both.

    Reading takes some milliseconds, and loads a model the first time; `reading=False` compares words only.
    `similarity` is the closeness of their vectors, if known: 0 for unrelated texts on average, 1 for equal ones. It
    makes `same` more reliable. `corrects` is set if the new statement is known to change an earlier one. `doubtful`
    also reports contradictions that are less likely, for a person to check. `overheard` is set
    for statements of conversations: few of them change each other, so a change needs more evidence than between
    memories that somebody taught.
    """
    one, other = read(new), read(old)
    if repeats(one, other, similarity):
        return SAME
    if corrects or not reading:
        return by_words(new, old, corrects)
    try:
        return _overheard(one, other) if overheard else _taught(one, other, doubtful)
    except ModelError:  # `holdfast doctor` reports missing and damaged files; words decide meanwhile
        return by_words(new, old)


def change_odds(new: str, old: str) -> float:
    """The log-odds that a statement of a conversation changes an older one; 0 if files of the models are damaged."""
    try:
        return overheard_odds(new, old)
    except ModelError:  # `holdfast doctor` reports missing and damaged files
        return 0.0


def _taught(new: Statement, old: Statement, doubtful: bool) -> Verdict:
    """The verdict about statements that somebody taught: the reader decides, and words say what differs."""
    limits = relation_limits()
    near = nearness(new.text, old.text)
    if near < limits.near or not may_conflict(new, old):
        return APART
    if (near >= limits.near_count and counts_again(new, old)) or gives_up_plan(new, old):
        return conflict(new, old, "update", _LIKELY)
    if not are_short(new, old):
        return APART
    scores = read_relation(new.text, old.text)
    odds = conflict_odds(scores)
    told = by_words(new.text, old.text).kind
    if odds >= limits.agreed and told == "update":
        return conflict(new, old, "update", _probability(odds))
    if odds < (limits.doubt if doubtful else limits.clash) or not _may_change(new, old):
        is_told = told in ("update", "clash") and odds >= limits.clash_told
        return conflict(new, old, "clash", _probability(odds)) if is_told else APART
    kind = "update" if odds >= limits.update and _replaces(new, old, scores) else "clash"
    return conflict(new, old, kind, _probability(odds))


def _overheard(new: Statement, old: Statement) -> Verdict:
    """The verdict about statements of a conversation."""
    limits = relation_limits()
    near = nearness(new.text, old.text)
    counted = near >= limits.near_count and share_topic(new, old) and counts_again(new, old)
    if may_conflict(new, old) and (counted or (near >= limits.near and gives_up_plan(new, old))):
        return conflict(new, old, "update", _LIKELY)
    doubts = new.unsure and not old.unsure
    if (doubts and "?" in new.text) or are_numbered_apart(new, old) or not are_short(new, old):
        return APART
    told = not doubts and by_words(new.text, old.text).kind == "update"
    if told and read_change(new.text, old.text) >= limits.clash:
        return conflict(new, old, "update", _LIKELY)
    least = limits.change_doubted if doubts else limits.change
    odds = overheard_odds(new.text, old.text, least=least)
    if odds < least or not _may_change(new, old):
        return APART
    replaces = tells_change(new.text, old.text) and not new.adds
    replaces = replaces or odds >= limits.change_sure or _replaces(new, old, read_relation(new.text, old.text))
    return conflict(new, old, "update" if replaces else "clash", _probability(odds))


def _may_change(new: Statement, old: Statement) -> bool:
    """Can the newer statement change the older? It has a word of content that the older has not, or reverses one.

    Neither if a date differs together with another value ("I caught 7 on 7/10", "I caught 9 on 7/22"), nor if a
    negation differs together with an opposite ("acknowledges after", "must not acknowledge before"), nor if what
    somebody collected became less.
    """
    found = oppositions(new.frame, old.frame)
    values = [opposition.values[0].kind for opposition in found if opposition.values]
    is_event = "date" in values and len(values) > 1
    is_reversed_twice = {"antonym", "negation"} <= {opposition.kind for opposition in found}
    says_more = bool(found) or new.ended or not content_words(new.text) <= content_words(old.text)
    return says_more and not (is_event or is_reversed_twice or falls(new, old))


def _replaces(new: Statement, old: Statement, scores: Sequence[float]) -> bool:
    """Does the newer statement hold instead of the older, rather than contradict it? What adds (`too`) does not."""
    _, update, contradiction, _ = scores
    return not new.adds and (update > contradiction or _differs_in_value(new, old))


def _differs_in_value(new: Statement, old: Statement) -> bool:
    """Does a value differ, and nothing that reverses the statement?"""
    found = oppositions(new.frame, old.frame)
    return any(o.values for o in found) and not any(o.kind in ("antonym", "negation") for o in found)


def _probability(odds: float) -> float:
    return 1 / (1 + math.exp(-odds))
