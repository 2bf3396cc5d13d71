"""Builds the memory of a candidate: the defaults of its type, and paths relative to the project."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from holdfast.core.citation import CITATION_LENGTH, cite
from holdfast.core.clock import in_utc
from holdfast.core.errors import InvalidMemory
from holdfast.core.frozen import frozen
from holdfast.core.memory import USER_TAUGHT, Memory, Relation
from holdfast.intake.about_person import follows_person, needs_review
from holdfast.intake.limits import check_names, check_questions
from holdfast.system.project import relative
from holdfast.trust.taint import with_taint

if TYPE_CHECKING:
    from holdfast.core.admission import Candidate
    from holdfast.core.ids import Ids
    from holdfast.core.memory import ChunkLocation
    from holdfast.core.memory_types import MemoryType

_TAUGHT_CONFIDENCE = 0.95
_DEFAULT_CONFIDENCE = 0.8


@frozen
class MemoryBuilder:
    """Builds new memories of one project, or of the person who works in it."""

    ids: Ids
    now: Callable[[], datetime]
    project: str
    person: Callable[[], str]
    root: str

    def build(self, candidate: Candidate, memory_type: MemoryType, redacted: bool) -> Memory:
        """Returns the memory. Raises InvalidMemory for a name that is too long or a path outside the project."""
        taught, personal = candidate.source == USER_TAUGHT, follows_person(candidate)
        default = _TAUGHT_CONFIDENCE if taught else _DEFAULT_CONFIDENCE
        for path in memory_type.files_in(candidate.fields):
            self._inside(path)
        memory = Memory(
            id=self.ids.memory(memory_type.id_prefix),
            type=memory_type.name,
            content=candidate.text,
            project=self.person() if personal else self.project,
            created_at=self.now(),
            confidence=default if candidate.confidence is None else candidate.confidence,
            tags=unique(tag.strip() for tag in candidate.tags if tag.strip()),
            files=unique(self._inside(path) for path in candidate.files),
            modules=unique(candidate.modules),
            event_time=None if candidate.when is None else in_utc(candidate.when, "when"),
            session=candidate.session,
            phase=candidate.phase,
            commit=candidate.commit,
            scope=candidate.scope,
            work_unit=candidate.work_unit,
            methodology=candidate.methodology,
            source=candidate.source,
            source_role=candidate.source_role,
            relations=tuple(self._confined(relation) for relation in candidate.relations),
            half_life_days=memory_type.half_life_days if candidate.half_life_days is None else candidate.half_life_days,
            provenance_sessions=unique(filter(None, (*candidate.provenance_sessions, candidate.session))),
            source_ids=candidate.source_ids,
            needs_review=needs_review(candidate, personal),
            verified=taught and candidate.taint is None and not candidate.needs_review,
            citation=candidate.citation[:CITATION_LENGTH] if candidate.citation else cite(candidate.text),
            pinned=candidate.pinned,
            visibility=candidate.visibility or ("personal" if personal else "project"),
            target_node=self._node(candidate.target_node) if candidate.target_node else None,
            impacted_nodes=unique(map(self._node, candidate.impacted_nodes)),
            stale_at=None if candidate.stale_at is None else in_utc(candidate.stale_at, "stale_at"),
            chunk=_checked_chunk(candidate.chunk),
            redacted=redacted,
            fields=candidate.fields,
            attributes=candidate.attributes,
            questions=unique(question.strip() for question in candidate.questions),
        )
        check_names(memory)
        check_questions(memory.questions)
        return with_taint(memory, candidate.taint)

    def _node(self, node: str) -> str:
        path, colon, symbol = node.partition(":")
        return f"{self._inside(path)}{colon}{symbol}"

    def _confined(self, relation: Relation) -> Relation:
        return relation if relation.file is None else replace(relation, file=self._inside(relation.file))

    def _inside(self, path: str) -> str:
        inside = relative(path, self.root)
        if inside is None:
            raise InvalidMemory(f"{path} is outside the project {self.root}", hint="Name a file of the project.")
        return inside


def _checked_chunk(chunk: ChunkLocation | None) -> ChunkLocation | None:
    lines = [line for line in (chunk.start_line, chunk.end_line) if line is not None] if chunk else []
    if lines and (lines[0] < 1 or lines[0] > lines[-1]):
        detail = f"a chunk cannot go from line {lines[0]} to line {lines[-1]}"
        raise InvalidMemory(detail, hint="Count lines from 1, the first one first.")
    return chunk


def unique(values: Iterable[str]) -> tuple[str, ...]:
    """Returns the values in order, each once."""
    return tuple(dict.fromkeys(values))
