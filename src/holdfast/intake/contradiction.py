"""Finds the stored memories that a new one replaces or contradicts."""

from __future__ import annotations

from collections.abc import Iterable

from holdfast.core.frozen import frozen
from holdfast.core.memory import TAUGHT, Memory
from holdfast.core.reason import Reason
from holdfast.intake.intake_reasons import IntakeCode
from holdfast.text.similarity import content_words

# A longer text makes several statements; it is not compared.
_MAX_CHARACTERS = 300
# Statements about one subject share at least this fraction of the shorter one's words.
_MIN_SHARED = 0.4
# The number of characters of the contradicted memory in a warning.
_QUOTED = 120


@frozen
class Conflict:
    """A stored memory that cannot hold beside the new one, and why.

    `replaced` is set if the new one says so: it names the old value as outdated or withdraws the old statement.
    """

    memory: Memory
    why: Reason
    replaced: bool

    def warning(self, new: Memory) -> Reason:
        """The warning about the contradiction: the old text, the difference, and what the person can do."""
        old = self.memory.content
        quoted = old if len(old) <= _QUOTED else f"{old[:_QUOTED]}…"
        return Reason.of(IntakeCode.CONTRADICTS, id=self.memory.id, text=quoted, why=self.why, new=new.id)


def find_conflicts(memory: Memory, similar: Iterable[Memory]) -> tuple[Conflict, ...]:
    """The similar memories that contradict a new one. Long texts are not compared.

    Decision records are left out: a record states which one it replaces, and two titles may differ in a number only. So
    are two observations, whose texts come from the same templates: the observer names the ones it replaces.
    """
    if memory.from_decision_record or len(memory.content) > _MAX_CHARACTERS:
        return ()
    others = (other for other in similar if not other.from_decision_record and len(other.content) <= _MAX_CHARACTERS)
    compared = (other for other in others if not (memory.is_observation and other.is_observation))
    found = (_conflict(memory, other) for other in compared)
    return tuple(conflict for conflict in found if conflict is not None)


def _conflict(new: Memory, old: Memory) -> Conflict | None:
    from holdfast.statements import compare, marks_change
    from holdfast.statements.differences import DIFFERENCES

    if not _may_share_subject(new.content, old.content) and not marks_change(new.content):
        return None
    # Reading takes some milliseconds for each pair, and a session ends within 100: only what was taught is read.
    verdict = compare(new.content, old.content, reading=new.source in TAUGHT)
    if verdict.kind not in ("update", "clash"):
        return None
    why = Reason.of(DIFFERENCES[verdict.by], difference=verdict.difference)
    return Conflict(old, why, verdict.kind == "update" and verdict.stated)


def _may_share_subject(a: str, b: str) -> bool:
    """Do they share enough words to be about the same subject? Much cheaper than a comparison."""
    words_a, words_b = content_words(a), content_words(b)
    fewest = min(len(words_a), len(words_b))
    return len(words_a & words_b) >= max(1, min(2, fewest - 1), _MIN_SHARED * fewest)
