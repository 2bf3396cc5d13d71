"""The format of every field of an exported file, so that a forged file cannot bring in other values."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable
from typing import Any, TypeGuard

from holdfast.core.clock import unstamp
from holdfast.core.entity import LABELS, TYPES
from holdfast.core.type_fields import is_boolean, one_of
from holdfast.intake.limits import LONGEST_NAME, MOST_QUESTIONS
from holdfast.intake.secrets import redact
from holdfast.system.project import relative

# Field names, the format of these fields in words, and its check.
Shape = tuple[tuple[str, ...], str, Callable[[Any], bool]]
_LONGEST_LIST = 10_000
_ANYWHERE = os.path.join(os.sep, "project")


def is_text(value: Any) -> TypeGuard[str]:
    return isinstance(value, str)


def is_id(value: Any) -> bool:
    """Letters and digits, as Holdfast makes them, and no secret. Ids are shown, searched and compared as they are."""
    return is_name(value) and re.fullmatch(r"[A-Za-z0-9][\w.:-]*", value) is not None and redact(value) == value


def is_name(value: Any) -> TypeGuard[str]:
    """One short line without control characters: a session, a phase, a commit, a tag."""
    return is_text(value) and len(value) <= LONGEST_NAME and value.isprintable()


def is_word(value: Any) -> bool:
    return is_text(value) and re.fullmatch(r"[a-z][a-z_-]{0,39}", value) is not None


def is_moment(value: Any) -> bool:
    return is_name(value) and bool(unstamp(value))


def is_list(value: Any) -> TypeGuard[list[Any]]:
    return isinstance(value, list) and len(value) <= _LONGEST_LIST


def is_texts(value: Any) -> bool:
    return is_list(value) and all(map(is_text, value))


def is_names(value: Any) -> bool:
    return is_list(value) and all(map(is_name, value))


def is_questions(value: Any) -> bool:
    return is_names(value) and len(value) <= MOST_QUESTIONS and all(map(str.strip, value))


def is_ids(value: Any) -> bool:
    return isinstance(value, list) and all(map(is_id, value))


def is_paths(value: Any) -> bool:
    return is_list(value) and all(is_path(path) for path in value)


def is_path(value: Any) -> bool:
    return is_text(value) and relative(value, _ANYWHERE) == value


def is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**53


def is_nanoseconds(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**63


def is_number(value: Any) -> bool:
    return is_count(value) or (isinstance(value, float) and math.isfinite(value))


def is_mapping(value: Any) -> bool:
    return isinstance(value, dict)


def is_mappings(value: Any) -> bool:
    return is_list(value) and all(map(is_mapping, value))


def is_flat(value: Any) -> bool:
    return isinstance(value, dict) and all(
        inner is None or isinstance(inner, str | bool) or is_number(inner) for inner in value.values()
    )


def is_relation(value: Any) -> bool:
    if not is_flat(value):
        return False
    return all(
        check(value[name]) for name, check in (("memory", is_id), ("file", is_path)) if value.get(name) is not None
    )


def is_relations(value: Any) -> bool:
    return is_list(value) and all(map(is_relation, value))


MEMORY: tuple[Shape, ...] = (
    (("id",), "an id", is_id),
    (("content", "citation"), "a text", is_text),
    (("type", "scope", "source", "visibility"), "a word", is_word),
    (("project", "session", "phase", "commit", "methodology", "source_role", "target_node"), "a text", is_text),
    (("created_at", "event_time", "last_accessed_at", "forgotten_at"), "a time", is_moment),
    (("stale_at", "valid_until"), "a time", is_moment),
    (("tags", "modules", "impacted_nodes", "provenance_sessions", "source_ids"), "a list of texts", is_texts),
    (("files",), "a list of paths inside the project", is_paths),
    (("access_count",), "a count", is_count),
    (("half_life_days", "confidence"), "a number", is_number),
    (("needs_review", "verified", "pinned", "redacted"), "true or false", is_boolean),
    (("fields", "attributes", "work_unit"), "a mapping", is_mapping),
    (("taint", "chunk"), "a mapping of plain values", is_flat),
    (("relations",), "a list of relations", is_relations),
    (("anchors",), "a list of anchors", is_mappings),
    (("questions",), f"a list of at most {MOST_QUESTIONS} short texts", is_questions),
)
ANCHOR: tuple[Shape, ...] = (
    (("path",), "a path inside the project", is_path),
    (("symbol", "hash", "commit", "branch", "state"), "a short text on one line", is_name),
    (("line", "end_line", "size"), "a count", is_count),
    (("mtime_ns",), "a time in nanoseconds", is_nanoseconds),
    (("unchanged",), "a number", is_number),
)
EVENT: tuple[Shape, ...] = (
    (("memory_id",), "an id", is_id),
    (("verb",), "a verb", is_word),
    (("reason",), "a text", is_text),
    (("at",), "a time", is_moment),
    (("detail",), "a mapping", is_mapping),
)
SESSION: tuple[Shape, ...] = (
    (("id", "kind"), "a short text on one line", is_name),
    (("title", "recap"), "a text", is_text),
    (("consolidated_to", "trimmed_to"), "an id", is_id),
    (("created_at", "last_at", "consolidated_at", "archived_at"), "a time", is_moment),
)
HISTORY: tuple[Shape, ...] = (
    (("id",), "an id", is_id),
    (("session", "first", "last"), "a short text on one line", is_name),
    (("text",), "a text", is_text),
    (("how",), "a word", is_word),
    (("at",), "a time", is_moment),
    (("tools",), "a list of short texts", is_names),
)
ENTITY: tuple[Shape, ...] = (
    (("id",), "an id", is_id),
    (("name",), "a short text on one line", is_name),
    (("summary",), "a text", is_text),
    (("type",), "a type of entity", one_of(*TYPES)),
    (("label",), "a label of entities", one_of(*LABELS)),
    (("created_at",), "a time", is_moment),
    (("aliases",), "a list of short texts", is_names),
    (("memories",), "a list of ids", is_ids),
    (("protected",), "true or false", is_boolean),
)
MERGE: tuple[Shape, ...] = (
    *ENTITY,
    (("kept",), "an id", is_id),
    (("at",), "a time", is_moment),
    (("gained_names",), "a list of short texts", is_names),
    (("gained_memories",), "a list of ids", is_ids),
    (("gained_summary",), "true or false", is_boolean),
)
