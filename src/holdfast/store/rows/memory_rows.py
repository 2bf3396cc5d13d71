"""Maps memories and their history to rows and back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from datetime import datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from holdfast.core.anchor import CodeAnchor
from holdfast.core.answer import Filters
from holdfast.core.clock import LONG_AGO, stamp, stored_time
from holdfast.core.errors import InvalidInput
from holdfast.core.memory import EMPTY, ChunkLocation, Memory, Relation, Taint, WorkUnit
from holdfast.store.rows.row import Row, stored_json
from holdfast.text.fingerprints import fingerprint

# What reading a damaged value raises.
UNREADABLE = (ValueError, TypeError, KeyError, AttributeError, InvalidInput)

if TYPE_CHECKING:
    from holdfast.core.memory_description import LoggedOperation, MemoryEvent


def row_of(memory: Memory) -> dict[str, Any]:
    """The row of a memory, by column name."""
    return {
        "id": memory.id,
        "project_id": memory.project,
        "type": memory.type,
        "content": memory.content,
        "content_hash": fingerprint(memory.content),
        "confidence": memory.confidence,
        "tags": _list(memory.tags),
        "related_files": _list(memory.files),
        "related_modules": _list(memory.modules),
        "created_at": stamp(memory.created_at),
        "event_time": _stamp(memory.event_time),
        "last_accessed_at": _stamp(memory.last_accessed_at),
        "access_count": memory.access_count,
        "session_id": memory.session,
        "phase": memory.phase,
        "commit_sha": memory.commit,
        "scope": memory.scope,
        "work_unit_ref": _work_unit(memory.work_unit),
        "methodology": memory.methodology,
        "source": memory.source,
        "source_role": memory.source_role,
        "target_node_id": memory.target_node,
        "impacted_node_ids": _list(memory.impacted_nodes),
        "relations": _relations(memory.relations),
        "decay_half_life_days": memory.half_life_days,
        "provenance_session_ids": _list(memory.provenance_sessions),
        "source_ids": _list(memory.source_ids),
        "needs_review": int(memory.needs_review),
        "user_verified": int(memory.verified),
        "taint": _dump({"tool": memory.taint.tool, "step": memory.taint.step}) if memory.taint else None,
        "citation_text": memory.citation,
        "pinned": int(memory.pinned),
        "deprecated": int(memory.forgotten),
        "deprecated_at": _stamp(memory.forgotten_at),
        "stale_at": _stamp(memory.stale_at),
        "valid_until": _stamp(memory.valid_until),
        "trust_level_scope": memory.visibility,
        **_chunk(memory.chunk),
        "redacted": int(memory.redacted),
        "fields": _map(memory.fields),
        "attributes": _map(memory.attributes),
        "anchors": anchors_json(memory.anchors),
        "questions": _list(memory.questions),
    }


def memory_of(row: Row) -> Memory:
    """The memory of a row; of a damaged row, what can be read of it."""
    # A dictionary first: SQLite's row searches through all column names for each lookup.
    values = dict(zip(row.keys(), row, strict=True))
    try:
        return _memory(values)
    except UNREADABLE:
        return _memory(_readable(values))


def _readable(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """A damaged row with the usual value in place of each that cannot be read. Such a memory waits for a review."""
    start = Memory(str(row["id"]), "fact", str(row["content"]), str(row["project_id"]), LONG_AGO, needs_review=True)
    good = row_of(start)
    for column, value in row.items():
        if column in good and column != "needs_review":
            try:
                _memory({**good, column: value})
            except UNREADABLE:
                continue
            good[column] = value
    return good


def earlier_memory(row: Row, before: str | None) -> Memory | None:
    """The memory of a row with the values it had before an operation, as JSON; None if the operation added it."""
    return None if before is None else _memory({**dict(zip(row.keys(), row, strict=True)), **json.loads(before)})


def _memory(row: Mapping[str, Any]) -> Memory:
    return Memory(
        id=row["id"],
        type=row["type"],
        content=row["content"],
        project=row["project_id"],
        created_at=stored_time(row["created_at"]),
        confidence=row["confidence"],
        tags=_tuple(row["tags"]),
        files=_tuple(row["related_files"]),
        modules=_tuple(row["related_modules"]),
        event_time=moment(row["event_time"]),
        last_accessed_at=moment(row["last_accessed_at"]),
        access_count=row["access_count"],
        session=row["session_id"],
        phase=row["phase"],
        commit=row["commit_sha"],
        scope=row["scope"],
        work_unit=_as_work_unit(row["work_unit_ref"]),
        methodology=row["methodology"],
        source=row["source"],
        source_role=row["source_role"],
        target_node=row["target_node_id"],
        impacted_nodes=_tuple(row["impacted_node_ids"]),
        relations=_as_relations(row["relations"]),
        half_life_days=row["decay_half_life_days"],
        provenance_sessions=_tuple(row["provenance_session_ids"]),
        source_ids=_tuple(row["source_ids"]),
        needs_review=bool(row["needs_review"]),
        verified=bool(row["user_verified"]),
        taint=Taint(**json.loads(row["taint"])) if row["taint"] else None,
        citation=row["citation_text"],
        pinned=bool(row["pinned"]),
        forgotten_at=moment(row["deprecated_at"]),
        stale_at=moment(row["stale_at"]),
        valid_until=moment(row["valid_until"]),
        visibility=row["trust_level_scope"],
        chunk=_as_chunk(row),
        redacted=bool(row["redacted"]),
        fields=_as_map(row["fields"]),
        attributes=_as_map(row["attributes"]),
        anchors=anchors_of(row["anchors"]),
        questions=_tuple(row["questions"]),
    )


def anchors_json(anchors: tuple[CodeAnchor, ...]) -> str:
    """The anchors of a memory as they are stored."""
    return _dump([_without_nulls(anchor) for anchor in anchors]) if anchors else "[]"


def anchors_of(text: str) -> tuple[CodeAnchor, ...]:
    """The anchors of a memory from their stored form."""
    return () if text == "[]" else tuple(CodeAnchor(**found) for found in json.loads(text))


def event_of(row: Row) -> MemoryEvent:
    """The event of a row of a memory's history."""
    from holdfast.core.memory_description import MemoryEvent

    return MemoryEvent(stored_time(row["at"]), row["verb"], row["reason"], stored_json(row["detail"], {}))


def operation_of(row: Row) -> LoggedOperation:
    """The entry of the log of a row."""
    from holdfast.core.memory_description import LoggedOperation

    return LoggedOperation(row["verb"], moment(row["at"]), row["memories"], row["text"] or "", bool(row["undone"]))


def parameters_of(project: str, filters: Filters, now: datetime) -> dict[str, Any]:
    """The parameters of the `filter` fragment."""
    return {
        "project": project,
        "now": stamp(now),
        "include_forgotten": int(filters.include_forgotten),
        "as_of": _stamp(filters.as_of),
        "types": _some(filters.types),
        "sources": _some(filters.sources),
        "scopes": _some(filters.scopes),
        "visibilities": _some(filters.visibilities),
        "tags": _some(filters.tags),
        "modules": _some(tuple(module.rstrip("/") for module in filters.modules)),
        "labels": _some(filters.labels),
        "doc_types": _some(filters.doc_types),
        "session": filters.session,
        "sessions": None if filters.sessions is None else json.dumps(filters.sessions),
        "not_session": filters.not_session,
        "min_confidence": filters.min_confidence,
        "needs_review": None if filters.needs_review is None else int(filters.needs_review),
        "since": _stamp(filters.since),
        "until": _stamp(filters.until),
    }


def moment(text: str | None) -> datetime | None:
    return stored_time(text) if text else None


def _stamp(at: datetime | None) -> str | None:
    return stamp(at) if at else None


def _some(values: tuple[str, ...]) -> str | None:
    return json.dumps(values) if values else None


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _list(values: tuple[str, ...]) -> str:
    return _dump(values) if values else "[]"


def _map(values: Mapping[str, Any]) -> str:
    return _dump(dict(values)) if values else "{}"


def _tuple(text: str) -> tuple[str, ...]:
    return () if text == "[]" else tuple(json.loads(text))


def _as_map(text: str) -> Mapping[str, Any]:
    return EMPTY if text == "{}" else MappingProxyType(json.loads(text))


def _work_unit(unit: WorkUnit | None) -> str | None:
    if unit is None:
        return None
    return _dump({"methodology": unit.methodology, "hierarchy": unit.hierarchy, "label": unit.label})


def _as_work_unit(text: str | None) -> WorkUnit | None:
    if not text:
        return None
    found = json.loads(text)
    return WorkUnit(found["methodology"], tuple(found["hierarchy"]), found["label"])


def _relations(relations: tuple[Relation, ...]) -> str:
    if not relations:
        return "[]"
    return _dump(
        [
            {"kind": r.kind, "memory": r.memory, "file": r.file, "confidence": r.confidence, "auto": r.auto}
            for r in relations
        ]
    )


def _as_relations(text: str) -> tuple[Relation, ...]:
    return () if text == "[]" else tuple(Relation(**found) for found in json.loads(text))


def _chunk(chunk: ChunkLocation | None) -> dict[str, Any]:
    return {
        "chunk_type": chunk.type if chunk else None,
        "chunk_start_line": chunk.start_line if chunk else None,
        "chunk_end_line": chunk.end_line if chunk else None,
        "context_prefix": chunk.prefix if chunk else None,
    }


def _without_nulls(anchor: CodeAnchor) -> dict[str, Any]:
    return {f.name: value for f in fields(anchor) if (value := getattr(anchor, f.name)) is not None}


def _as_chunk(row: Mapping[str, Any]) -> ChunkLocation | None:
    if row["chunk_type"] is None:
        return None
    return ChunkLocation(row["chunk_type"], row["chunk_start_line"], row["chunk_end_line"], row["context_prefix"])
