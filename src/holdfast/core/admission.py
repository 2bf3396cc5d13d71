"""Candidates for intake, and its answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from holdfast.core.arguments import check_fields
from holdfast.core.errors import InvalidMemory
from holdfast.core.frozen import frozen
from holdfast.core.memory import ChunkLocation, Memory, Relation, Taint, WorkUnit, empty_mapping
from holdfast.core.reason import Reason

# How a correction relates to the memory that it corrects.
CORRECTIONS = ("inaccurate", "outdated", "generalise", "duplicate_of")


class Outcome(StrEnum):
    """What happened to a candidate."""

    STORED = "stored"
    DUPLICATE = "duplicate"
    SUPERSEDED = "superseded"
    QUARANTINED = "quarantined"
    REFUSED = "refused"


@frozen
class Candidate:
    """A text to store as a memory. Only `text` is required.

    `type` is inferred from the text unless it is named.
    `replaces` are the ids of memories that it supersedes; they stay stored. `visibility` is `personal` for what holds
    in all of the person's projects; by default, what a person says of themselves is personal, all else `project`.
    `provenance_sessions` are the other sessions that show it. `quote` are a person's words that the text rests on; they
    count if they were said in this project.
    `force` stores a person's text even if it looks like a courtesy, a placeholder or routine output. `target_node` is
    the code it is about, `impacted_nodes` what a change of that affects: `src/app.py` or `src/app.py:Client.get`. From
    `stale_at` on it no longer applies. `questions` are up to four questions that it answers, each of at most 200
    characters, in other words than its own: they are searched beside the text.
    """

    text: str
    type: str | None = None
    files: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    session: str | None = None
    source: str = "user_taught"
    when: datetime | None = None
    confidence: float | None = None
    scope: str = "global"
    visibility: str | None = None
    phase: str | None = None
    commit: str | None = None
    work_unit: WorkUnit | None = None
    methodology: str | None = None
    source_role: str | None = None
    source_ids: tuple[str, ...] = ()
    provenance_sessions: tuple[str, ...] = ()
    quote: str | None = None
    relations: tuple[Relation, ...] = ()
    replaces: tuple[str, ...] = ()
    half_life_days: float | None = None
    taint: Taint | None = None
    needs_review: bool | None = None
    citation: str | None = None
    pinned: bool = False
    force: bool = False
    target_node: str | None = None
    impacted_nodes: tuple[str, ...] = ()
    stale_at: datetime | None = None
    chunk: ChunkLocation | None = None
    questions: tuple[str, ...] = ()
    fields: Mapping[str, Any] = field(default_factory=empty_mapping, hash=False)
    attributes: Mapping[str, Any] = field(default_factory=empty_mapping, hash=False)

    def with_fields(self, values: Mapping[str, Any]) -> Candidate:
        """Sets fields by name; any other name is a structured field of the memory's type.

        So is `work_unit` with a text, as outcomes have it. Raises InvalidMemory for a value of the wrong type.
        """
        own = {name: _as_field(name, value) for name, value in values.items() if not _is_structured(name, value)}
        made = replace(self, **own)
        check_fields(made, InvalidMemory)
        structured = {name: value for name, value in values.items() if name not in own}
        return replace(made, fields={**made.fields, **structured}) if structured else made


@frozen
class Redaction:
    """A secret that was removed before storing: its kind and placeholder, never its text."""

    kind: str
    placeholder: str
    start: int
    length: int


@frozen
class Admission:
    """Intake's answer: what happened, why, and to which memory.

    `memory` is the stored memory, or for a duplicate the one that was already there; None when refused.
    `superseded` are the ids of the memories it replaced. `warnings` name the memories it may contradict.
    """

    outcome: Outcome
    reason: Reason
    memory: Memory | None = None
    redactions: tuple[Redaction, ...] = ()
    superseded: tuple[str, ...] = ()
    warnings: tuple[Reason, ...] = ()

    @property
    def admitted(self) -> bool:
        """Is the text stored now, by this call or an earlier one?"""
        return self.outcome is not Outcome.REFUSED


def _is_structured(name: str, value: Any) -> bool:
    return name not in Candidate.__dataclass_fields__ or (name == "work_unit" and isinstance(value, str))


def _as_field(name: str, value: Any) -> Any:
    """The value as the field has it: one text where several are allowed, the place of a chunk by its names."""
    if isinstance(value, str) and Candidate.__dataclass_fields__[name].type == "tuple[str, ...]":
        return (value,)
    if name == "chunk" and isinstance(value, Mapping) and "type" in value:
        unknown = [key for key in value if key not in ChunkLocation.__dataclass_fields__]
        if not unknown:
            return ChunkLocation(**value)
    return value
