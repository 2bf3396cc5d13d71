"""Ranks what was said later above what was said earlier about the same thing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import mul
from typing import TYPE_CHECKING

from holdfast.core.frozen import frozen
from holdfast.core.memory import DOCUMENT_PASSAGE_TYPES, EPISODE, REFLECTION
from holdfast.recall.merging import descending
from holdfast.recall.recall_reasons import RecallCode
from holdfast.recall.weigh.measures import TIME

if TYPE_CHECKING:
    from array import array

    from holdfast.core.cosine_scale import CosineScale
    from holdfast.recall.question import Embedded, Notes, Question, RecallCandidate
    from holdfast.recall.steps import Candidates
    from holdfast.recall.store_parts import PassageSearch

# The best candidates that are compared, and the number of them that a newer one may move in front of.
_COMPARED, _OLDER = 10, 5
# The newer one must match the query itself: its score is at least this share of the older one's.
_NEARLY = 0.75
# From this closeness of their vectors on, two statements are about the same thing.
_SAME = 0.4
# Short statements that are compared, and how many pairs of them: reading one takes some milliseconds.
_SHORT, _MOST_PAIRS = 300, 6


@frozen
class NewerFirst:
    """Moves what the user said later in front of what was said before about the same thing.

    It may be a message or a memory learned from one, and moves only among the best candidates. Either it changes the
    older one, by the comparison that learning uses, if one of the two is a message: memories were compared when they
    were stored. Or it was said on a later day, is near the older one by its vector, matches the query nearly as well
    and fits a date of the query as well. Its evidence stays its own. Does nothing for a query about the past
    (docs/decisions/0103-recall-parts.md).
    """

    reading: PassageSearch
    embed: Callable[[str], Embedded | None]
    name: str = "newer"

    def __call__(self, question: Question, candidates: Candidates) -> tuple[Candidates, Notes]:
        if question.asks_past:
            return candidates, {"skipped": RecallCode.ASKS_PAST}
        near = self._nearness(question, candidates)
        order, moved, pairs = list(candidates), 0, _Pairs()
        for place in range(min(_OLDER, len(order))):
            old, others = order[place], order[place + 1 : _COMPARED]
            newer = [c for c in others if pairs.changes(c, old) or (_could_replace(c, old) and near(c, old) >= _SAME)]
            if newer:
                newest = max(newer, key=lambda c: c.when)
                order.remove(newest)
                order.insert(place, newest)
                moved += 1
        return descending(order) if moved else candidates, {"moved": moved}

    def _nearness(
        self, question: Question, candidates: Candidates
    ) -> Callable[[RecallCandidate, RecallCandidate], float]:
        """How near two candidates are by their vectors; 0 without an embedder."""
        query = self.embed(question.text)
        if query is None:
            return lambda new, old: 0.0
        said = [c.passage for c in candidates[:_COMPARED] if _is_statement(c)]
        vectors = self.reading.vectors(query.embedder, said)
        scale = query.scales.of_passages(query.usual_size, query.usual_size)
        return lambda new, old: _closeness(new, old, vectors, scale)


class _Pairs:
    """Compares pairs of statements, as many as one query may."""

    def __init__(self) -> None:
        self._left = _MOST_PAIRS

    def changes(self, new: RecallCandidate, old: RecallCandidate) -> bool:
        """Does a newer statement change an older one, of which one at least is a message?"""
        if not (_is_stated(new) and _is_short(old) and new.when > old.when and _fits_dates(new, old) and self._left):
            return False
        if new.row is None or old.row is None or EPISODE not in (new.row.type, old.row.type):
            return False
        from holdfast.statements import compare

        self._left -= 1
        return compare(new.row.searched, old.row.searched, overheard=True).kind == "update"


def _could_replace(new: RecallCandidate, old: RecallCandidate) -> bool:
    """Did the user say it on a later day, and does it match the query and its dates nearly as well?"""
    if not (_is_statement(old) and _is_by_user(new) and new.when.date() > old.when.date()):
        return False
    return new.score >= _NEARLY * old.score and _fits_dates(new, old)


def _fits_dates(new: RecallCandidate, old: RecallCandidate) -> bool:
    """Does the newer one fit a date that the query names as well as the older one?"""
    return not new.measure(TIME.name) < old.measure(TIME.name)


def _is_statement(candidate: RecallCandidate) -> bool:
    row = candidate.row
    return row is not None and row.type not in DOCUMENT_PASSAGE_TYPES and row.type != REFLECTION


def _is_short(candidate: RecallCandidate) -> bool:
    """Is it one statement? A longer text makes several."""
    return _is_statement(candidate) and candidate.row is not None and len(candidate.row.searched) <= _SHORT


def _is_stated(candidate: RecallCandidate) -> bool:
    """Is it a short statement of a person, or a memory? An assistant changes nothing."""
    return _is_short(candidate) and candidate.row is not None and candidate.row.role != "assistant"


def _is_by_user(candidate: RecallCandidate) -> bool:
    """Did the user say it in a conversation? It may be a message or a memory that was learned from one."""
    row = candidate.row
    return _is_statement(candidate) and row is not None and row.session is not None and row.role == "user"


def _closeness(
    new: RecallCandidate, old: RecallCandidate, vectors: Mapping[int, array[float]], scale: CosineScale
) -> float:
    if new.passage not in vectors or old.passage not in vectors:
        return 0.0
    return scale.closeness(sum(map(mul, vectors[new.passage], vectors[old.passage])))
