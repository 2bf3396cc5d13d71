"""Ranks a statement above an older one that it replaces, as soon as both are stored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from holdfast.core.errors import ModelError
from holdfast.core.frozen import frozen
from holdfast.core.memory import DOCUMENT_PASSAGE_TYPES, EPISODE, REFLECTION
from holdfast.recall.evidence.rerank import is_reranked
from holdfast.recall.merging import descending
from holdfast.recall.recall_reasons import RecallCode
from holdfast.recall.weigh.measures import TIME

if TYPE_CHECKING:
    from holdfast.recall.question import Notes, Question, RecallCandidate
    from holdfast.recall.steps import Candidates

# A longer text makes several statements; it is not compared.
_MAX_CHARACTERS = 300
# The number of the best candidates that may be outdated, and of those that may replace them.
_OUTDATED, _NEWER = 3, 10
# The number of pairs that are read, and the log-odds from which a statement changes another.
_MOST_READ, _MIN_ODDS = 6, 3.0


@frozen
class ReplacedLast:
    """Moves a newer statement in front of the older one that it replaces: `Thursdays instead of Tuesdays`.

    Compares what people and memories say in the best ten candidates with the best three, by their words, so it works
    without an embedder and before a session is consolidated. A short correction (`no, 8 pm`) replaces a statement of
    the same session. Two memories are not compared: intake did that when the newer one was stored. Does nothing for a
    query about the past. `change`, if given, reads a few pairs in which words tell nothing; what fits a date of the
    query less replaces nothing by reading. Nothing is read where a reranker scored.
    """

    change: Callable[[str, str], float] | None = None
    name: str = "replaced"

    def __call__(self, question: Question, candidates: Candidates) -> tuple[Candidates, Notes]:
        if question.asks_past:
            return candidates, {"skipped": RecallCode.ASKS_PAST}
        order = list(candidates)
        moved, reader = 0, _ChangeReader(None if is_reranked(candidates) else self.change)
        for place in range(min(_OUTDATED, len(order))):
            newer = _replacement(order[place], order[place + 1 : _NEWER], reader)
            if newer is not None:
                order.remove(newer)
                order.insert(place, _as_certain(newer, order[place]))
                moved += 1
        return descending(order) if moved else candidates, {"moved": moved}


class _ChangeReader:
    """Reads pairs of statements, as many as one query may."""

    def __init__(self, change: Callable[[str, str], float] | None) -> None:
        self._change, self._left = change, _MOST_READ

    def changes(self, new: RecallCandidate, old: RecallCandidate) -> bool:
        """Does the newer statement change the older one? False if no more may be read, or the model fails."""
        if self._change is None or not self._left or new.row is None or old.row is None:
            return False
        self._left -= 1
        try:
            return self._change(new.row.searched, old.row.searched) >= _MIN_ODDS
        except ModelError:  # `holdfast doctor` names the damaged file; words decide meanwhile
            self._left = 0
            return False


def _replacement(
    old: RecallCandidate, others: Sequence[RecallCandidate], reader: _ChangeReader
) -> RecallCandidate | None:
    """The newest of the other candidates that replaces a statement; if words tell of none, the first by reading."""
    if not _is_statement(old):
        return None
    newer = [other for other in others if _is_stated(other) and other.when > old.when]
    told = max((other for other in newer if _replaces(other, old)), key=lambda other: other.when, default=None)
    in_time = (other for other in newer if not other.measure(TIME.name) < old.measure(TIME.name))
    spoken = (other for other in in_time if EPISODE in (_type(other), _type(old)))
    return told or next((other for other in spoken if reader.changes(other, old)), None)


def _replaces(new: RecallCandidate, old: RecallCandidate) -> bool:
    assert new.row is not None
    assert old.row is not None
    if EPISODE not in (new.row.type, old.row.type):
        return False
    from holdfast.statements import compare
    from holdfast.statements.corrections import corrects

    if new.row.session and new.row.session == old.row.session and corrects(new.row.searched, old.row.searched):
        return True
    return compare(new.row.searched, old.row.searched, reading=False).kind == "update"


def _is_stated(candidate: RecallCandidate) -> bool:
    """Is it a short statement of a person or a memory? An assistant replaces nothing."""
    return _is_statement(candidate) and candidate.row is not None and candidate.row.role != "assistant"


def _is_statement(candidate: RecallCandidate) -> bool:
    row = candidate.row
    if row is None or row.type == REFLECTION or row.type in DOCUMENT_PASSAGE_TYPES:
        return False
    return len(row.searched) <= _MAX_CHARACTERS


def _type(candidate: RecallCandidate) -> str:
    return candidate.row.type if candidate.row else ""


def _as_certain(new: RecallCandidate, old: RecallCandidate) -> RecallCandidate:
    """The newer statement answers the query as well as the one that it replaces."""
    evidence = max(candidate.factors.get("evidence", 0.0) for candidate in (new, old))
    return new.with_factors({"evidence": evidence}, max(new.score, old.score)) if evidence else new
