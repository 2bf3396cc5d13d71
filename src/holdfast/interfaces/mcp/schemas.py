"""JSON schemas that the MCP tools share."""

from __future__ import annotations

from typing import Any

Schema = dict[str, Any]

MOST_FILES = 100
LONGEST_NAME = 200
LONGEST_QUERY = 8_000
_LIMITS = (
    *("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "uniqueItems", "pattern"),
    *("minimum", "maximum"),
)


def object_schema(properties: Schema, required: tuple[str, ...]) -> Schema:
    """An object with these properties and no others."""
    schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return {**schema, "required": list(required)} if required else schema


def reply_schema(**fields: Schema) -> Schema:
    """The result of a tool: first the text for the model, then the few values that a program or a later call needs."""
    return {"type": "object", "properties": {"text": {"type": "string"}, **fields}, "required": ["text", *fields]}


def for_models(schema: Schema) -> Schema:
    """The schema as a client lists it: without limits, which a call is checked for with a clear message.

    A client puts every schema into every prompt.
    """
    shown = {name: value for name, value in schema.items() if name not in _LIMITS}
    if "properties" in shown:
        shown["properties"] = {name: for_models(value) for name, value in shown["properties"].items()}
    return {**shown, "items": for_models(shown["items"])} if "items" in shown else shown


def text_schema(description: str, longest: int) -> Schema:
    """A text that is neither empty nor blank."""
    return {"type": "string", "maxLength": longest, "pattern": r"\S", "description": description}


def list_schema(description: str, most: int, choices: tuple[str, ...] = ()) -> Schema:
    """A list of texts, or of some of the given choices."""
    item: Schema = {"type": "string", "enum": list(choices)} if choices else {"type": "string", "minLength": 1}
    bounded = {"maxItems": most} if most else {"uniqueItems": True}
    return {"type": "array", "items": item, **bounded, "description": description}


def count_schema(description: str = "") -> Schema:
    """A number of things."""
    return {"type": "integer", "description": description} if description else {"type": "integer"}


def limit_schema(description: str, usual: int, most: int) -> Schema:
    """The maximum number of results."""
    return {"type": "integer", "minimum": 1, "maximum": most, "default": usual, "description": description}


ID: Schema = {
    "type": "string",
    "minLength": 4,
    "maxLength": 64,
    "description": "Its id, as shown after # in [Memory #…].",
}
