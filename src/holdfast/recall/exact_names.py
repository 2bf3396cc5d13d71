"""Names asked for as a whole: a memory of that very file, version or dotted name comes before its neighbours."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from holdfast.text.words import wholes

if TYPE_CHECKING:
    from holdfast.recall.question import Notes, Question
    from holdfast.recall.steps import Candidates

_SEPARATORS = re.compile(r"::|->|[/\\:]")


@dataclass(frozen=True, slots=True)
class ExactNames:
    """Half of the score becomes the share of the question's names that stand in the candidate as asked.

    Why: measures by words do not see their order, and `src/auth/login.py` has the words of `src/login/auth.py`.
    """

    name: str = "whole"

    def __call__(self, question: Question, found: Candidates) -> tuple[Candidates, Notes]:
        names = wholes(question.text)
        if not names or not found:
            return found, {"skipped": "no name asked for as a whole"}
        held = [_held(names, one.of.searched if one.of else "") for one in found]
        scored = [one._replace(score=(one.score + share) / 2) for one, share in zip(found, held, strict=True)]
        return tuple(sorted(scored, key=lambda one: (-one.score, one.passage))), {"names": names}


def _held(names: Sequence[str], text: str) -> float:
    said = _SEPARATORS.sub(".", text.lower())
    return sum(_pattern(name).search(said) is not None for name in names) / len(names)


@lru_cache(maxsize=256)
def _pattern(name: str) -> re.Pattern[str]:
    """The name between boundaries, whichever way its parts are joined; a version with or without its v."""
    return re.compile(rf"(?<!\w)v?{re.escape(_SEPARATORS.sub('.', name))}(?!\w)")
