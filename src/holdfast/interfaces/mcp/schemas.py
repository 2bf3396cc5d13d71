"""JSON schemas that the MCP tools share."""

from __future__ import annotations

from typing import Any

from holdfast.core.admission import Outcome
from holdfast.core.certainty import Certainty

Schema = dict[str, Any]


def object_schema(properties: Schema, required: tuple[str, ...]) -> Schema:
    """An object with these properties and no others."""
    schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return {**schema, "required": list(required)} if required else schema


def text_schema(description: str, longest: int) -> Schema:
    """A text that is neither empty nor blank."""
    return {"type": "string", "minLength": 1, "maxLength": longest, "pattern": r"\S", "description": description}


def list_schema(description: str, most: int, choices: tuple[str, ...] = ()) -> Schema:
    """A list of texts, or of some of the given choices."""
    item: Schema = {"type": "string", "enum": list(choices)} if choices else {"type": "string", "minLength": 1}
    bounded = {"maxItems": most} if most else {"uniqueItems": True}
    return {"type": "array", "items": item, **bounded, "description": description}


def reasons_schema(description: str) -> Schema:
    """A list of reasons."""
    return {"type": "array", "items": REASON, "description": description}


ID: Schema = {
    "type": "string",
    "minLength": 4,
    "maxLength": 64,
    "description": "Id of the memory, in full or as shown after # in [Memory #…].",
}

HIT = object_schema(
    {
        "id": {"type": "string"},
        "type": {"type": "string"},
        "text": {"type": "string"},
        "files": {"type": "array", "items": {"type": "string"}},
        "tags": {"type": "array", "items": {"type": "string"}},
        "date": {"type": "string", "description": "Date of the event, or else the date it was stored."},
        "certainty": {
            "type": "string",
            "enum": [level.value for level in Certainty],
            "description": "How certainly it answers the query.",
        },
        "evidence": {"type": "number", "description": "Estimated probability that it answers the query, 0 to 1."},
        "score": {"type": "number", "description": "Orders the hits, 0 to 1; says nothing about how good they are."},
        "why": {"type": "string", "description": "Its rank on each recall path that found it."},
        "source": {"type": "string", "description": "Source of the memory, or the place in the document."},
        "confidence": {"type": "number", "description": "Confidence when it was stored, 0 to 1."},
        "verified": {"type": "boolean", "description": "A person taught or confirmed it."},
        "unreviewed": {"type": "boolean", "description": "It waits for a person's review."},
        "superseded": {"type": "boolean", "description": "A newer memory or document has replaced it."},
    },
    (
        "id", "type", "text", "files", "tags", "date", "certainty", "evidence", "score", "why", "source",
        "confidence", "verified", "unreviewed", "superseded",
    ),
)  # fmt: skip

REASON = object_schema(
    {
        "code": {"type": "string", "description": "For programs, such as `intake.new`."},
        "values": {"type": "object"},
        "text": {"type": "string"},
    },
    ("code", "values", "text"),
)

ADMISSION = object_schema(
    {
        "outcome": {"type": "string", "enum": [outcome.value for outcome in Outcome]},
        "reason": REASON,
        "id": {"type": ["string", "null"], "description": "Id of the stored memory, or of the existing duplicate."},
        "redacted": {
            "type": "array",
            "items": {"type": "string"},
            "description": "Kinds of secrets that were removed.",
        },
        "superseded": {"type": "array", "items": {"type": "string"}, "description": "Ids of the memories it replaces."},
        "warnings": reasons_schema("Memories it may contradict."),
    },
    ("outcome", "reason", "id", "redacted", "superseded", "warnings"),
)

COUNT = object_schema(
    {
        "type": {"type": "string"},
        "believed": {"type": "integer"},
        "to_review": {"type": "integer"},
        "superseded": {"type": "integer"},
        "forgotten": {"type": "integer"},
        "newest": {"type": "string"},
    },
    ("type", "believed", "to_review", "superseded", "forgotten", "newest"),
)

MENTIONING = object_schema(
    {
        "id": {"type": "string"},
        "type": {"type": "string"},
        "text": {"type": "string"},
        "date": {"type": "string", "description": "Date of the event, or else the date it was stored."},
    },
    ("id", "type", "text", "date"),
)
MONTH = object_schema({"month": {"type": "string"}, "memories": {"type": "integer"}}, ("month", "memories"))
NEIGHBOUR = object_schema(
    {
        "name": {"type": "string"},
        "type": {"type": "string"},
        "together": {"type": "integer", "description": "Number of memories that mention both."},
    },
    ("name", "type", "together"),
)

CITATION = object_schema(
    {
        "id": {"type": "string"},
        "text": {"type": "string"},
        "standing": {"type": "boolean", "description": "A rule for every task, whatever the task is."},
    },
    ("id", "text", "standing"),
)
