"""Compares two short statements by their words and, if they are near each other, by reading both."""

from __future__ import annotations

from dataclasses import replace

from holdfast.core.errors import ModelError
from holdfast.statements.pair_model import bundled_pair_model
from holdfast.statements.pair_reading import (
    are_apart,
    as_overheard,
    by_reading,
    is_sure_change,
    may_be_read,
    overheard_odds,
    tells_own_value,
)
from holdfast.statements.parsing import Statement, read
from holdfast.statements.verdict import APART, Verdict, compare_words


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
    """Compares two statements by their words, in a fraction of a millisecond; if they are near, a model reads both.

    Reading takes some milliseconds, and loads a model the first time; `reading=False` compares words only.
    `similarity` is the closeness of their vectors, if known: 0 for unrelated texts on average, 1 for equal ones. It
    makes `same` and `update` more reliable. `corrects` is set if the new statement is known to change an earlier one.
    `doubtful` also reports contradictions that are less likely than not, for a person to check. `overheard` is set for
    statements of conversations: few of them change each other, so a change needs more evidence than between memories
    that somebody taught.
    """
    verdict = compare_words(new, old, similarity, corrects)
    if reading and not corrects and verdict.kind != "same":
        verdict = _read(read(new), read(old), verdict, overheard)
    unlikely = verdict.kind == "clash" and verdict.score < bundled_pair_model().least["clash"]
    return APART if unlikely and not doubtful else verdict


def change_odds(new: str, old: str) -> float:
    """The log-odds that a statement of a conversation changes an older one; 0 if files of the models are damaged."""
    try:
        return overheard_odds(read(new), read(old))
    except ModelError:  # `holdfast doctor` reports missing and damaged files
        return 0.0


def _read(new: Statement, old: Statement, by_words: Verdict, overheard: bool) -> Verdict:
    """The verdict after reading.

    Statements of a conversation that are far apart or too long to read both hold, except a value that words tell of.
    """
    try:
        if overheard and is_sure_change(new, old):
            return replace(by_words, kind="update", stated=False)
        if not may_be_read(new, old):
            return by_words if not overheard or tells_own_value(new, old, by_words) else APART
        if overheard and are_apart(new, old, by_words):
            return APART
        verdict = by_reading(new, old, by_words)
        return as_overheard(new, old, by_words, verdict) if overheard else verdict
    except ModelError:  # `holdfast doctor` reports missing and damaged files; words decide meanwhile
        return by_words
