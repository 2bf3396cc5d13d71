"""Limits what programs may do to a person's decisions: replace a memory, repeat a forgotten one, lose a taint."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from holdfast.core.memory import PROPOSAL, USER_TAUGHT
from holdfast.text.similarity import overlap, says_nothing_new, without_fillers

if TYPE_CHECKING:
    from collections.abc import Iterable

    from holdfast.core.admission import Candidate
    from holdfast.core.memory import Memory, Taint


def may_replace(source: str, old: Memory) -> bool:
    """May a candidate of this source replace the memory? Only a person replaces what a person decided."""
    return source == USER_TAUGHT or not old.is_persons


def as_proposal(candidate: Candidate, old: Memory) -> Candidate:
    """Turns a correction of a person's memory into a proposal, which waits for a person's review."""
    attributes = {**candidate.attributes, PROPOSAL: old.id}
    return replace(candidate, needs_review=True, pinned=False, attributes=attributes, replaces=(old.id,))


def inherited_taint(memory: Memory, similar: Iterable[Memory], near_duplicate: float) -> Taint | None:
    """The taint of the memory, or of an unreviewed one that it nearly repeats. A person's statement inherits none."""
    if memory.taint is not None or memory.source == USER_TAUGHT:
        return memory.taint
    tainted = (other for other in similar if other.taint is not None and not other.verified)
    return next((m.taint for m in tainted if overlap(memory.content, m.content) >= near_duplicate), None)


def repeats(memory: Memory, forgotten: Iterable[Memory], near_duplicate: float) -> Memory | None:
    """The forgotten memory that this one says again, with other punctuation or with words that mean nothing added."""
    said = without_fillers(memory.content)
    return next((m for m in forgotten if says_nothing_new(said, m.content, near_duplicate)), None)
