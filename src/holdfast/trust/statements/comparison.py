"""Compares two short statements by their words and, if they are near each other, by reading both."""

from __future__ import annotations

from holdfast.trust.statements.pair_model import bundled_pair_model
from holdfast.trust.statements.parsing import read
from holdfast.trust.statements.reading import by_reading, may_be_read
from holdfast.trust.statements.verdict import APART, Verdict, compare_words


def compare(
    new: str,
    old: str,
    *,
    similarity: float | None = None,
    corrects: bool = False,
    doubtful: bool = False,
    reading: bool = True,
) -> Verdict:
    """Compares two statements by their words, in a fraction of a millisecond; if they are near, a model reads both.

    Reading takes some milliseconds, and loads a model the first time; `reading=False` compares words only.
    `similarity` is the closeness of their vectors, if known: 0 for unrelated texts on average, 1 for equal ones. It
    makes `same` and `update` more reliable. `corrects` is set if the new statement is known to change an earlier one.
    `doubtful` also reports contradictions that are less likely than not, for a person to check.
    """
    verdict = compare_words(new, old, similarity, corrects)
    if reading and not corrects and verdict.kind != "same" and may_be_read(read(new), read(old)):
        verdict = by_reading(read(new), read(old), verdict)
    unlikely = verdict.kind == "clash" and verdict.score < bundled_pair_model().least["clash"]
    return APART if unlikely and not doubtful else verdict
