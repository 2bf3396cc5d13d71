"""Of two that tell of the same thing, the later stands first."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import accumulate
from typing import TYPE_CHECKING, TypeVar

from holdfast.core.memory import EPISODE
from holdfast.recall.question import Embedded, Found, Notes, Question

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from holdfast.recall.reading import PassageSearch
    from holdfast.recall.steps import Candidates


Name = TypeVar("Name", int, str)

# From here on two user's turns are about the same thing, when both answer the question nearly as well.
_SAME = 0.78
_NEARLY = 0.80
# From here on two conversations are about the same matter: one of them may change what the other settled.
_MATTER = 0.945
_AMENDING = re.compile(
    r"\b(?:amend\w*|supersed\w*|overrul\w+|updates? to|(?:we|was|were) settled|going forward|no longer|from now on"
    r"|revis(?:ed?|ion|ing)|chang\w+ (?:our|the|my|its) (?:mind|polic\w+|rules?|decisions?|plans?)"
    r"|new (?:rule|policy|ruling|decision)|ne \w+ plus|désormais|dorénavant|remplac\w+|annul\w+)\b|不再|改为|取代|修订",
    re.IGNORECASE,
)

# The words by which such turns are looked for, how many are looked at, and how many conversations are compared.
_AMENDING_WORDS = "amend amendment supersede superseding overrule revise revision désormais 取代 修订".split()
_AMENDMENTS, _CONVERSATIONS = 20, 12
# How many candidates are read for such words.
_READ = 40


@dataclass(frozen=True, slots=True)
class NewestWins:
    """Lets what a user said later stand before what they said earlier about the same thing.

    Two of the best `deep` change places. A turn that says it amends a rule stands before the first hit, wherever it was
    found, when its conversation is about the same matter. Passes without an embedder, and when the question asks how
    it was before.
    """

    reading: PassageSearch
    embed: Callable[[str], Embedded | None]
    deep: int = 5
    name: str = "newest"

    def __call__(self, question: Question, found: Candidates) -> tuple[Candidates, Notes]:
        asked = self.embed(question.text)
        if asked is None or question.asks_past:
            return found, {"skipped": "it asks for the past" if asked else "no embedder"}
        if not any(_said_by_user(one) for one in found[: self.deep]):
            return found, {"skipped": "nothing was said"}
        order = list(found)
        amended = self._amend(question, asked.embedder, order)
        said = [one.passage for one in order[: self.deep] if _said_by_user(one)]
        moved = amended + _swap(order, self.deep, self.reading.vectors(asked.embedder, said))
        return _descending(order) if moved else found, {"moved": moved}

    def _amend(self, question: Question, embedder: str, order: list[Found]) -> int:
        """Puts the latest amendment of what the first hit settled before it; returns how many."""
        first = order[0]
        if not _said_by_user(first):
            return 0
        found = [one for one in (*order[1:_READ], *self._amendments(question, order)) if _amends(one, first)]
        nearest = found[:_CONVERSATIONS]
        sessions = [_session(first), *dict.fromkeys(map(_session, nearest))]
        middles = self.reading.session_vectors(embedder, question.project, sessions)
        same = [one for one in nearest if _alike(_session(one), _session(first), middles) >= _MATTER]
        if not same:
            return 0
        latest = max(same, key=_when)
        # Why: it speaks of what it changes, so it is as sure as what it changes.
        latest = latest._replace(parts={**first.parts, **latest.parts, "evidence": first.parts.get("evidence", 1.0)})
        order[:] = [latest, *(one for one in order if one.passage != latest.passage)]
        return 1

    def _amendments(self, question: Question, found: Sequence[Found]) -> list[Found]:
        """Amending turns that were not found: they speak of what they change, not of what is asked."""
        known = {one.passage for one in found}
        ranked = self.reading.find_words(
            question.project, _AMENDING_WORDS, question.filters, _AMENDMENTS, effort=_AMENDMENTS
        )
        new = [passage for passage, _ in ranked if passage not in known]
        factors, day = self.reading.factors(question.project, new, question.filters), question.day
        return [Found(of.passage, {self.name: 1}, {}, of=of) for of in factors if of.known_on(day)]


def _swap(order: list[Found], deep: int, vectors: Mapping[int, NDArray[np.float32]]) -> int:
    """Lets an earlier turn change places with a later one that tells the same and answers nearly as well."""
    moved = 0
    for place, new in enumerate(order[:deep]):
        for above in range(place):
            old = order[above]
            if _could_replace(new, old) and _alike(new.passage, old.passage, vectors) >= _SAME:
                order[above], order[place] = new, old
                moved += 1
                break
    return moved


def _could_replace(new: Found, old: Found) -> bool:
    """Was it said on a later day, is it nearly as good an answer, and no farther from the time the question names?"""
    in_time = not new.measure("time") < old.measure("time")
    another_day = _when(new).date() > _when(old).date()
    return _later(new, old) and another_day and in_time and new.score >= _NEARLY * old.score


def _alike(one: Name, other: Name, vectors: Mapping[Name, NDArray[np.float32]]) -> float:
    return float(vectors[one] @ vectors[other]) if one in vectors and other in vectors else 0.0


def _amends(new: Found, old: Found) -> bool:
    return _later(new, old) and _session(new) != _session(old) and _AMENDING.search(_text(new)) is not None


def _later(new: Found, old: Found) -> bool:
    return _said_by_user(new) and _said_by_user(old) and _when(new) > _when(old)


def _descending(found: Sequence[Found]) -> Candidates:
    """Scores made to fall with the order: what stands first is worth no less than what follows."""
    raised = accumulate(reversed([one.score for one in found]), max)
    return tuple(one._replace(score=score) for one, score in zip(found, reversed(list(raised)), strict=True))


def _said_by_user(found: Found) -> bool:
    return found.of is not None and found.of.type == EPISODE and found.of.role == "user"


def _session(found: Found) -> str:
    return (found.of.session if found.of else None) or ""


def _when(found: Found) -> datetime:
    assert found.of is not None
    return found.of.when


def _text(found: Found) -> str:
    return found.of.searched if found.of else ""
