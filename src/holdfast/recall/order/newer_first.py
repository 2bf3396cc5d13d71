"""Ranks what was said later above what was said earlier about the same thing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import mul
from typing import TYPE_CHECKING

from holdfast.core.frozen import frozen
from holdfast.core.memory import DOCUMENT_PASSAGE_TYPES, REFLECTION
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


@frozen
class NewerFirst:
    """Moves what the user said on a later day in front of what was said before about the same thing.

    It may be a message or a memory learned from one. It moves only among the best candidates, if it matches the query
    nearly as well as the older one and fits a date of the query as well; its evidence stays its own. Does nothing
    without an embedder or for a query about the past (docs/decisions/0103-recall-parts.md).
    """

    reading: PassageSearch
    embed: Callable[[str], Embedded | None]
    name: str = "newer"

    def __call__(self, question: Question, candidates: Candidates) -> tuple[Candidates, Notes]:
        query = self.embed(question.text)
        if query is None or question.asks_past:
            return candidates, {"skipped": RecallCode.ASKS_PAST if query else RecallCode.NO_EMBEDDER}
        said = [c.passage for c in candidates[:_COMPARED] if _is_statement(c)]
        vectors = self.reading.vectors(query.embedder, said)
        scale = query.scales.of_passages(query.usual_size, query.usual_size)
        order, moved = list(candidates), 0
        for place in range(min(_OLDER, len(order))):
            later = [c for c in order[place + 1 : _COMPARED] if _could_replace(c, order[place])]
            same = [c for c in later if _closeness(c, order[place], vectors, scale) >= _SAME]
            if same:
                newest = max(same, key=lambda c: c.when)
                order.remove(newest)
                order.insert(place, newest)
                moved += 1
        return descending(order) if moved else candidates, {"moved": moved}


def _could_replace(new: RecallCandidate, old: RecallCandidate) -> bool:
    """Did the user say it on a later day, and does it match the query and its dates nearly as well?"""
    if not (_is_statement(old) and _is_by_user(new) and new.when.date() > old.when.date()):
        return False
    return new.score >= _NEARLY * old.score and not new.measure(TIME.name) < old.measure(TIME.name)


def _is_statement(candidate: RecallCandidate) -> bool:
    row = candidate.row
    return row is not None and row.type not in DOCUMENT_PASSAGE_TYPES and row.type != REFLECTION


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
