"""Ranks what a user said later above what they said earlier about the same thing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import mul
from typing import TYPE_CHECKING, TypeVar

from holdfast.core.frozen import frozen
from holdfast.core.memory import EPISODE
from holdfast.recall.merging import descending
from holdfast.recall.paths import NEWEST
from holdfast.recall.question import Embedded, Notes, Question, RecallCandidate
from holdfast.recall.recall_reasons import RecallCode
from holdfast.recall.weigh.measures import TIME
from holdfast.text.patterns import compiled

if TYPE_CHECKING:
    from holdfast.core.cosine_scale import CosineScale
    from holdfast.recall.steps import Candidates
    from holdfast.recall.store_parts import PassageSearch


Name = TypeVar("Name", int, str)

# A later message replaces an earlier one from this closeness on, if it scores at least this share of the earlier one.
_SAME = 0.25
_NEARLY = 0.80
# From this closeness on, two conversations have the same subject, so one may amend a decision of the other.
_SUBJECT = 0.55
_AMENDING = (
    r"\b(?:amend\w*|supersed\w*|overrul\w+|updates? to|(?:we|was|were) settled|going forward|no longer|from now on"
    r"|revis(?:ed?|ion|ing)|chang\w+ (?:our|the|my|its) (?:mind|polic\w+|rules?|decisions?|plans?)"
    r"|new (?:rule|policy|ruling|decision)|ne \w+ plus|désormais|dorénavant|remplac\w+|annul\w+)\b|不再|改为|取代|修订"
)

# The words that find amending messages, the number of messages to read, and of conversations to compare.
_AMENDING_WORDS = "amend amendment supersede superseding overrule revise revision désormais 取代 修订".split()
_AMENDMENTS, _CONVERSATIONS = 20, 12
# The number of candidates whose text is checked for amending words.
_READ = 40


@frozen
class NewestWins:
    """Ranks a user's later message above an earlier one about the same thing; also memories learned from messages.

    Only those among the best `deep` change places. The exception: a message whose words say that it amends a rule
    moves to the top from any rank, if its conversation has the same subject as that of the first hit. Does nothing
    without an embedder or for a query about the past.
    """

    reading: PassageSearch
    embed: Callable[[str], Embedded | None]
    deep: int = 5
    name: str = NEWEST.name

    def __call__(self, question: Question, candidates: Candidates) -> tuple[Candidates, Notes]:
        query = self.embed(question.text)
        if query is None or question.asks_past:
            return candidates, {"skipped": RecallCode.ASKS_PAST if query else RecallCode.NO_EMBEDDER}
        if not any(_by_user(c) for c in candidates[: self.deep]):
            return candidates, {"skipped": RecallCode.NO_MESSAGES}
        order = list(candidates)
        amended = self._amend(question, query, order)
        messages = [c.passage for c in order[: self.deep] if _by_user(c)]
        vectors, scale = (
            self.reading.vectors(query.embedder, messages),
            query.scales.of_passages(query.usual_size, query.usual_size),
        )
        moved = amended + _swap(order, self.deep, lambda new, old: _closeness(new, old, vectors, scale) >= _SAME)
        return descending(order) if moved else candidates, {"moved": moved}

    def _amend(self, question: Question, query: Embedded, order: list[RecallCandidate]) -> int:
        """Moves the latest amendment of the first hit in front of it; returns the number of moves, 0 or 1."""
        first = order[0]
        if not _is_message(first):
            return 0
        found = [c for c in (*order[1:_READ], *self._amendments(question, order)) if _amends(c, first)]
        nearest = found[:_CONVERSATIONS]
        if not nearest:
            return 0
        sessions = [_session(first), *dict.fromkeys(map(_session, nearest))]
        vectors = self.reading.session_vectors(query.embedder, question.project, sessions)
        scale = query.scales.of_sessions()
        same = [c for c in nearest if _closeness(_session(c), _session(first), vectors, scale) >= _SUBJECT]
        if not same:
            return 0
        latest = max(same, key=lambda message: message.when)
        # An amendment is about the same thing, so its evidence is that of the message it amends.
        evidence = first.factors.get("evidence", 1.0)
        latest = latest._replace(factors={**first.factors, **latest.factors, "evidence": evidence})
        order[:] = [latest, *(c for c in order if c.passage != latest.passage)]
        return 1

    def _amendments(self, question: Question, candidates: Sequence[RecallCandidate]) -> list[RecallCandidate]:
        """Returns amending messages that no path found, because they need not resemble the query."""
        known = {c.passage for c in candidates}
        ranked = self.reading.find_words(
            question.project, _AMENDING_WORDS, question.filters, _AMENDMENTS, effort=_AMENDMENTS
        )
        new = [passage for passage, _ in ranked if passage not in known]
        rows, day = self.reading.factors(question.project, new, question.filters), question.last_day
        return [RecallCandidate(row.passage, {self.name: 1}, {}, row=row) for row in rows if row.known_on(day)]


def _swap(order: list[RecallCandidate], deep: int, is_same: Callable[[int, int], bool]) -> int:
    """Swaps each earlier message with a later one that could replace it; returns the number of swaps."""
    moved = 0
    for place, new in enumerate(order[:deep]):
        for above in range(place):
            old = order[above]
            if _could_replace(new, old) and is_same(new.passage, old.passage):
                order[above], order[place] = new, old
                moved += 1
                break
    return moved


def _could_replace(new: RecallCandidate, old: RecallCandidate) -> bool:
    """Whether the new message is from a later day, scores nearly as well, and fits the time of the query as well."""
    in_time = not new.measure(TIME.name) < old.measure(TIME.name)
    another_day = new.when.date() > old.when.date()
    return _later(new, old) and another_day and in_time and new.score >= _NEARLY * old.score


def _closeness(a: Name, b: Name, vectors: Mapping[Name, Iterable[float]], scale: CosineScale) -> float:
    if a not in vectors or b not in vectors:
        return 0.0
    return scale.closeness(float(sum(map(mul, vectors[a], vectors[b]))))


def _amends(new: RecallCandidate, old: RecallCandidate) -> bool:
    words = compiled(_AMENDING, re.IGNORECASE)
    amends = _is_message(new) and _later(new, old) and _session(new) != _session(old)
    return amends and words.search(_text(new)) is not None


def _later(new: RecallCandidate, old: RecallCandidate) -> bool:
    return _by_user(new) and _by_user(old) and new.when > old.when


def _by_user(candidate: RecallCandidate) -> bool:
    """Did the user say it in a conversation? It may be a message or a memory that was learned from one."""
    return candidate.row is not None and candidate.row.session is not None and candidate.row.role == "user"


def _is_message(candidate: RecallCandidate) -> bool:
    return _by_user(candidate) and candidate.row is not None and candidate.row.type == EPISODE


def _session(candidate: RecallCandidate) -> str:
    return (candidate.row.session if candidate.row else None) or ""


def _text(candidate: RecallCandidate) -> str:
    return candidate.row.searched if candidate.row else ""
