"""Ranks a user's later message above an earlier one about the same thing."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import accumulate
from typing import TYPE_CHECKING, TypeVar

from holdfast.core.memory import EPISODE
from holdfast.recall.measures import TIME
from holdfast.recall.paths import NEWEST
from holdfast.recall.question import Embedded, Found, Notes, Question
from holdfast.recall.reasons import RecallCode

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from holdfast.recall.reading import PassageSearch
    from holdfast.recall.steps import Candidates


Name = TypeVar("Name", int, str)

# Two messages are about the same thing from this cosine on, if the later one scores at least this share of the other.
_SAME = 0.78
_NEARLY = 0.80
# Two conversations have the same subject from this cosine on: one of them may amend a decision of the other.
_SUBJECT = 0.945
_AMENDING = re.compile(
    r"\b(?:amend\w*|supersed\w*|overrul\w+|updates? to|(?:we|was|were) settled|going forward|no longer|from now on"
    r"|revis(?:ed?|ion|ing)|chang\w+ (?:our|the|my|its) (?:mind|polic\w+|rules?|decisions?|plans?)"
    r"|new (?:rule|policy|ruling|decision)|ne \w+ plus|désormais|dorénavant|remplac\w+|annul\w+)\b|不再|改为|取代|修订",
    re.IGNORECASE,
)

# The words to search amending messages by, the number of messages to read, and of conversations to compare.
_AMENDING_WORDS = "amend amendment supersede superseding overrule revise revision désormais 取代 修订".split()
_AMENDMENTS, _CONVERSATIONS = 20, 12
# The number of candidates whose text is checked for amending words.
_READ = 40


@dataclass(frozen=True, slots=True)
class NewestWins:
    """Ranks a user's later message above an earlier one about the same thing.

    Swaps messages among the best `deep`. A message that says it amends a rule moves before the first hit, whatever its
    rank, if its conversation has the same subject. Does nothing without an embedder or for a query about the past.
    """

    reading: PassageSearch
    embed: Callable[[str], Embedded | None]
    deep: int = 5
    name: str = NEWEST.name

    def __call__(self, question: Question, found: Candidates) -> tuple[Candidates, Notes]:
        query = self.embed(question.text)
        if query is None or question.asks_past:
            return found, {"skipped": RecallCode.ASKS_PAST if query else RecallCode.NO_EMBEDDER}
        if not any(_by_user(one) for one in found[: self.deep]):
            return found, {"skipped": RecallCode.NO_MESSAGES}
        order = list(found)
        amended = self._amend(question, query.embedder, order)
        messages = [one.passage for one in order[: self.deep] if _by_user(one)]
        moved = amended + _swap(order, self.deep, self.reading.vectors(query.embedder, messages))
        return _descending(order) if moved else found, {"moved": moved}

    def _amend(self, question: Question, embedder: str, order: list[Found]) -> int:
        """Moves the latest amendment of the first hit before it; returns the number of moves, 0 or 1."""
        first = order[0]
        if not _by_user(first):
            return 0
        found = [one for one in (*order[1:_READ], *self._amendments(question, order)) if _amends(one, first)]
        nearest = found[:_CONVERSATIONS]
        sessions = [_session(first), *dict.fromkeys(map(_session, nearest))]
        middles = self.reading.session_vectors(embedder, question.project, sessions)
        same = [one for one in nearest if _alike(_session(one), _session(first), middles) >= _SUBJECT]
        if not same:
            return 0
        latest = max(same, key=_when)
        # An amendment is about the same thing, so its evidence is that of the message it amends.
        evidence = first.factors.get("evidence", 1.0)
        latest = latest._replace(factors={**first.factors, **latest.factors, "evidence": evidence})
        order[:] = [latest, *(one for one in order if one.passage != latest.passage)]
        return 1

    def _amendments(self, question: Question, found: Sequence[Found]) -> list[Found]:
        """Amending messages that no path found: they need not resemble the query."""
        known = {one.passage for one in found}
        ranked = self.reading.find_words(
            question.project, _AMENDING_WORDS, question.filters, _AMENDMENTS, effort=_AMENDMENTS
        )
        new = [passage for passage, _ in ranked if passage not in known]
        rows, day = self.reading.factors(question.project, new, question.filters), question.day
        return [Found(row.passage, {self.name: 1}, {}, row=row) for row in rows if row.known_on(day)]


def _swap(order: list[Found], deep: int, vectors: Mapping[int, NDArray[np.float32]]) -> int:
    """Swaps an earlier message with a later one about the same thing that scores nearly as well; returns the swaps."""
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
    """Whether the new message is from a later day, scores nearly as well, and fits the time of the query as well."""
    in_time = not new.measure(TIME.name) < old.measure(TIME.name)
    another_day = _when(new).date() > _when(old).date()
    return _later(new, old) and another_day and in_time and new.score >= _NEARLY * old.score


def _alike(one: Name, other: Name, vectors: Mapping[Name, NDArray[np.float32]]) -> float:
    return float(vectors[one] @ vectors[other]) if one in vectors and other in vectors else 0.0


def _amends(new: Found, old: Found) -> bool:
    return _later(new, old) and _session(new) != _session(old) and _AMENDING.search(_text(new)) is not None


def _later(new: Found, old: Found) -> bool:
    return _by_user(new) and _by_user(old) and _when(new) > _when(old)


def _descending(found: Sequence[Found]) -> Candidates:
    """Raises scores where needed so that they fall with the order."""
    raised = accumulate(reversed([one.score for one in found]), max)
    return tuple(one.with_score(score) for one, score in zip(found, reversed(list(raised)), strict=True))


def _by_user(found: Found) -> bool:
    return found.row is not None and found.row.type == EPISODE and found.row.role == "user"


def _session(found: Found) -> str:
    return (found.row.session if found.row else None) or ""


def _when(found: Found) -> datetime:
    assert found.row is not None
    return found.row.when


def _text(found: Found) -> str:
    return found.row.searched if found.row else ""
