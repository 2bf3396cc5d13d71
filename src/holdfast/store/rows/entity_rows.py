"""Maps entities and their merges to rows and back."""

from __future__ import annotations

import json
from typing import Any

from holdfast.core.clock import stamp, stored_time
from holdfast.core.entity import Entity, EntityMerge
from holdfast.store.rows.row import Row, stored_json


def entity_row(entity: Entity) -> dict[str, Any]:
    """The row of an entity, by parameter name."""
    return {
        "id": entity.id,
        "project": entity.project,
        "name": entity.name,
        "type": entity.type,
        "label": entity.label,
        "summary": entity.summary,
        "relation": entity.relation,
        "protected": entity.protected,
        "created_at": stamp(entity.created_at),
        "aliases": json.dumps(entity.aliases),
    }


def merge_of(row: Row) -> EntityMerge:
    """The merge of a row."""
    return EntityMerge(
        entity=entity_of(row),
        memories=stored_json(row["memories"], ()),
        kept=row["kept_id"],
        at=stored_time(row["at"]),
        gained_names=stored_json(row["gained_names"], ()),
        gained_memories=stored_json(row["gained_memories"], ()),
        gained_summary=bool(row["gained_summary"]),
    )


def entity_of(row: Row) -> Entity:
    """The entity of a row."""
    return Entity(
        id=row["id"],
        project=row["project_id"],
        name=row["name"],
        type=row["type"],
        label=row["label"],
        created_at=stored_time(row["created_at"]),
        aliases=stored_json(row["aliases"], ()),
        summary=row["summary"],
        protected=bool(row["protected"]),
        mentions=row["mentions"],
        relation=row["relation"],
    )
