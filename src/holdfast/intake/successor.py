"""Makes the memory that takes the place of another: a correction, or a copy with another visibility."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from holdfast.core.admission import Candidate
from holdfast.core.memory import PROPOSAL, USER_TAUGHT, Memory, Relation

if TYPE_CHECKING:
    from datetime import datetime


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
        attributes={name: value for name, value in old.attributes.items() if name != PROPOSAL},
    )


def moved(old: Memory, id: str, project: str, visibility: str, at: datetime) -> Memory:
    """The same memory in another project, from now on."""
    relations = (*old.relations, Relation("supersedes", memory=old.id))
    return replace(old, id=id, project=project, visibility=visibility, created_at=at, relations=relations)
