"""Limits of the fields of a memory, the same for `remember` and for imported files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from holdfast.core.errors import InvalidInput, InvalidMemory

if TYPE_CHECKING:
    from holdfast.core.memory import Memory

LONGEST_NAME = 200
# The longest text of an imported memory: that of the longest message.
LONGEST_TEXT = 1_000_000
_MOST_NAMES = 1_000
MOST_QUESTIONS = 4


def check_names(memory: Memory) -> None:
    """Raises InvalidMemory for a tag, path, session or other name that is too long or has control characters."""
    for name, values in _names(memory):
        if len(values) > _MOST_NAMES:
            raise InvalidMemory(f"{name} has more than {_MOST_NAMES} values")
        for value in values:
            if not _is_name(value):
                raise InvalidMemory(f"{name} must be short texts on one line, not {value[:40]!r}")


def check_questions(questions: tuple[str, ...]) -> None:
    """Raises InvalidMemory for more questions than a memory may have, or one that is empty, long or not one line."""
    if len(questions) > MOST_QUESTIONS:
        raise InvalidMemory(f"{len(questions)} questions are more than {MOST_QUESTIONS}")
    for question in questions:
        if not may_be_question(question):
            hint = f"Use one line of at most {LONGEST_NAME} characters for each."
            raise InvalidMemory(f"questions must be short texts on one line, not {question[:40]!r}", hint=hint)


def may_be_question(text: str) -> bool:
    """Is it one line that is neither empty nor too long?"""
    return bool(text.strip()) and _is_name(text)


def check_session(session: str, kind: str) -> None:
    """Raises InvalidInput for a session whose id or kind no memory may have: nothing could be learned from it."""
    for name, value in (("id", session), ("kind", kind)):
        if not _is_name(value):
            hint = f"Use at most {LONGEST_NAME} characters without line breaks and control characters."
            raise InvalidInput(f"session {name} {value[:40]!r}", hint=hint)


def _is_name(value: str) -> bool:
    return len(value) <= LONGEST_NAME and value.isprintable()


def _names(memory: Memory) -> Iterator[tuple[str, tuple[str, ...]]]:
    for name in ("tags", "modules", "files", "impacted_nodes", "provenance_sessions", "source_ids"):
        yield name, getattr(memory, name)
    for name in ("id", "session", "commit", "methodology", "source_role", "target_node"):
        yield name, (getattr(memory, name) or "",)
    yield "relations", tuple(relation.memory or relation.file or "" for relation in memory.relations)
    unit = memory.work_unit
    yield "work_unit", (unit.methodology, unit.label, *unit.hierarchy) if unit else ()
    yield "taint", (memory.taint.tool,) if memory.taint else ()
    yield "anchors", tuple(f"{anchor.path}{anchor.symbol or ''}" for anchor in memory.anchors)
    yield "chunk", (memory.chunk.prefix or "",) if memory.chunk else ()
