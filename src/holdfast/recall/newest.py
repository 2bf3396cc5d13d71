"""Of two that tell of the same thing, the later stands first."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import accumulate
from typing import TYPE_CHECKING

from holdfast.recall.question import Embedded, Found, Notes, Question

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from holdfast.recall.steps import Candidates
    from holdfast.store.reading import Reading

    Vectors = Mapping[int, NDArray[np.float32]]

# From here on two user's turns are about the same thing, when both answer the question nearly as well.
_SAME = 0.78
_NEARLY = 0.80
# A turn that says it changes a rule needs to be nearer to what it changes, but not to the question.
_AMENDS = 0.86
_AMENDING = re.compile(
    r"\b(?:amend\w*|supersed\w*|overrul\w+|updates? to|(?:we|was|were) settled|going forward|no longer|from now on"
    r"|revis(?:ed?|ion|ing)|chang\w+ (?:our|the|my|its) (?:mind|polic\w+|rules?|decisions?|plans?)"
    r"|new (?:rule|policy|ruling|decision)|ne \w+ plus|désormais|dorénavant|remplac\w+|annul\w+)\b|不再|改为|取代|修订",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class NewestWins:
    """Lets what a user said later stand before what they said earlier about the same thing.

    Two of the best `deep` change places; a turn that says it amends a rule joins them from wherever it was found.
    Passes without an embedder, and when the question asks how it was before.
    """

    reading: Reading
    embed: Callable[[str], Embedded | None]
    deep: int = 5
    leading: int = 3
    name: str = "newest"

    def __call__(self, question: Question, found: Candidates) -> tuple[Candidates, Notes]:
        asked = self.embed(question.text)
        if asked is None or question.asks_past:
            return found, {"skipped": "it asks for the past" if asked else "no embedder"}
        amending = [one for one in found[self.leading :] if _said_by_user(one) and _AMENDING.search(_text(one))]
        compared = {one.passage for one in (*found[: self.deep], *amending) if _said_by_user(one)}
        vectors = self.reading.vectors(asked.embedder, sorted(compared))
        order = list(found)
        moved = _amend(order, amending, self.leading, vectors) + _swap(order, self.deep, vectors)
        return _descending(order) if moved else found, {"moved": moved}


def _amend(order: list[Found], amending: Sequence[Found], leading: int, vectors: Vectors) -> int:
    """Puts each amendment right before the rule it changes, if that rule leads; returns how many."""
    moved = 0
    for new in amending:
        old = next((one for one in order[:leading] if _later(new, one) and _alike(new, one, vectors) >= _AMENDS), None)
        if old is not None:
            order.remove(new)
            order.insert(order.index(old), new)
            moved += 1
    return moved


def _swap(order: list[Found], deep: int, vectors: Vectors) -> int:
    """Lets an earlier turn change places with a later one that tells the same and answers nearly as well."""
    moved = 0
    for place, new in enumerate(order[:deep]):
        for above in range(place):
            old = order[above]
            same = _later(new, old) and new.score >= _NEARLY * old.score and _alike(new, old, vectors) >= _SAME
            if same:
                order[above], order[place] = new, old
                moved += 1
                break
    return moved


def _alike(one: Found, other: Found, vectors: Vectors) -> float:
    if one.passage not in vectors or other.passage not in vectors:
        return 0.0
    return float(vectors[one.passage] @ vectors[other.passage])


def _later(new: Found, old: Found) -> bool:
    return _said_by_user(new) and _said_by_user(old) and _when(new) > _when(old)


def _descending(found: Sequence[Found]) -> Candidates:
    """Scores made to fall with the order: what stands first is worth no less than what follows."""
    raised = accumulate(reversed([one.score for one in found]), max)
    return tuple(one._replace(score=score) for one, score in zip(found, reversed(list(raised)), strict=True))


def _said_by_user(found: Found) -> bool:
    return found.of is not None and found.of.type == "episode" and found.of.role == "user"


def _when(found: Found) -> datetime:
    assert found.of is not None
    return found.of.event_time or found.of.created_at


def _text(found: Found) -> str:
    return found.of.searched if found.of else ""
