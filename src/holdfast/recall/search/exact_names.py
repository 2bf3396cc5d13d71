"""Raises candidates that contain a file path, version, dotted name or part of a word exactly as the query writes it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from holdfast.core.frozen import frozen
from holdfast.recall.paths import SUBSTRING
from holdfast.recall.recall_reasons import RecallCode
from holdfast.text.words import wholes

if TYPE_CHECKING:
    from holdfast.recall.question import Notes, Question
    from holdfast.recall.steps import Candidates

_SEPARATORS = r"::|->|[/\\:]"


@frozen
class ExactNames:
    """Averages the score with the share of the query's names that the candidate contains exactly.

    Word measures ignore order: `src/auth/login.py` has the same words as `src/login/auth.py`. They also ignore parts of
    words, so candidates found by a substring come first.
    """

    name: str = "whole"

    def __call__(self, question: Question, candidates: Candidates) -> tuple[Candidates, Notes]:
        names = wholes(question.text)
        literal = [float(SUBSTRING.name in c.raw) for c in candidates]
        if not names and not any(literal):
            return candidates, {"skipped": RecallCode.NO_EXACT_NAME}
        shares = literal if any(literal) else [_share(names, c.row.searched if c.row else "") for c in candidates]
        scored = [c.with_score((c.score + share) / 2) for c, share in zip(candidates, shares, strict=True)]
        return tuple(sorted(scored, key=lambda c: (-c.score, c.passage))), {"names": names}


def _share(names: Sequence[str], text: str) -> float:
    normalised = re.sub(_SEPARATORS, ".", text.lower())
    return sum(_pattern(name).search(normalised) is not None for name in names) / len(names)


@lru_cache(maxsize=256)
def _pattern(name: str) -> re.Pattern[str]:
    """Matches a name between word boundaries, whatever its separators; a version with or without its `v`."""
    return re.compile(rf"(?<!\w)v?{re.escape(re.sub(_SEPARATORS, '.', name))}(?!\w)")
