"""Makes the memory that takes the place of another: a correction, a copy, or one that another has strengthened."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from holdfast.core.admission import Candidate
from holdfast.core.memory import PROPOSAL, USER_TAUGHT, Memory, Relation
from holdfast.intake.limits import MOST_QUESTIONS
from holdfast.intake.new_memory import unique

if TYPE_CHECKING:
    from datetime import datetime

# Maximum number of sessions that a memory lists as its origin.
_MAX_SESSIONS = 50


def successor(old: Memory, text: str, source: str) -> Candidate:
    """The candidate for a correction: it keeps type and relations; only a person's correction clears the taint."""
    return Candidate(
        text=text,
        type=old.type,
        source=source,
        files=old.files,
        modules=old.modules,
        tags=old.tags,
        session=old.session,
        when=old.event_time,
        scope=old.scope,
        visibility=old.visibility,
        phase=old.phase,
        commit=old.commit,
        work_unit=old.work_unit,
        methodology=old.methodology,
        source_ids=old.source_ids,
        taint=None if source == USER_TAUGHT else old.taint,
        pinned=old.pinned,
        impacted_nodes=old.impacted_nodes,
        chunk=old.chunk,
        fields=old.fields,
        questions=old.questions,
        attributes={name: value for name, value in old.attributes.items() if name != PROPOSAL},
    )


def moved(old: Memory, id: str, project: str, visibility: str, at: datetime) -> Memory:
    """The same memory in another project, from now on."""
    relations = (*old.relations, supersedes(old))
    return replace(old, id=id, project=project, visibility=visibility, created_at=at, relations=relations)


def reinforced(current: Memory, new: Memory, at: datetime) -> Memory:
    """The stored memory after it was stated again.

    A program that repeats a memory does not make it surer while a person's review is due. A repeated statement is about
    the code as it is now.
    """
    surer = new.verified or not current.needs_review
    here = current.project == new.project
    stronger = replace(
        current,
        confidence=max(current.confidence, new.confidence) if surer else current.confidence,
        tags=unique((*current.tags, *new.tags)),
        files=unique((*current.files, *new.files)) if here else current.files,
        modules=unique((*current.modules, *new.modules)) if here else current.modules,
        provenance_sessions=unique((*current.provenance_sessions, *new.provenance_sessions))[-_MAX_SESSIONS:],
        source_ids=unique((*current.source_ids, *new.source_ids)),
        questions=_joined(current, new) if here else current.questions,
        access_count=current.access_count + 1,
        last_accessed_at=at,
        verified=current.verified or new.verified,
        needs_review=current.needs_review and not new.verified,
        pinned=current.pinned or new.pinned,
        stale_at=new.stale_at,
        anchors=() if current.stale_at else current.anchors,
    )
    return stronger.bound_to(new.anchors)


def merged(kept: Memory, old: Memory) -> Memory:
    """The memory that stays after its duplicate was merged into it."""
    return replace(
        kept,
        tags=unique((*kept.tags, *old.tags)),
        files=unique((*kept.files, *old.files)),
        questions=_joined(kept, old),
        provenance_sessions=unique((*kept.provenance_sessions, *old.provenance_sessions)),
        relations=(*kept.relations, supersedes(old)),
        confidence=max(kept.confidence, min(old.confidence, 1.0)),
    )


def _joined(current: Memory, other: Memory) -> tuple[str, ...]:
    """The questions of a memory and, as far as there is room, those of another one that says the same."""
    return unique((*current.questions, *other.questions))[:MOST_QUESTIONS]


def supersedes(old: Memory) -> Relation:
    """The relation of a memory to the one that it replaces."""
    return Relation("supersedes", memory=old.id)
