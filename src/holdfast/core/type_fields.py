"""The structured fields of memory types: their names, formats and checks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from holdfast.core.frozen import frozen

Check = Callable[[Any], bool]


@frozen
class Field:
    """A structured field: its name, its format in words and as a check, and whether it is required.

    `paths`, if there is one, returns the files that a value names; they must belong to the project.
    """

    name: str
    looks_like: str
    check: Check
    required: bool = False
    paths: Callable[[Any], Iterable[str]] | None = None


def text_field(name: str, required: bool = False) -> Field:
    """A field with a text."""
    return Field(name, "a text", _is_text, required)


def list_field(name: str, required: bool = False) -> Field:
    """A field with a list of texts."""
    return Field(name, "a list of texts", _is_list_of_texts, required)


def path_list_field(name: str, required: bool = False) -> Field:
    """A field with a list of files of the project."""
    return Field(name, "a list of files of the project", _is_list_of_texts, required, paths=lambda value: value)


def count_field(name: str, required: bool = False) -> Field:
    """A field with a whole number, 0 or more."""
    return Field(name, "a count, 0 or more", _is_count, required)


def number_field(name: str, required: bool = False) -> Field:
    """A field with a number, 0 or more."""
    return Field(name, "a number, 0 or more", _is_number, required)


def one_of(*words: str) -> Check:
    """Checks that a value is one of these words."""
    return lambda value: value in words


def is_boolean(value: Any) -> bool:
    """Checks for true or false."""
    return isinstance(value, bool)


def is_steps(value: Any) -> bool:
    """Checks for the steps of a recipe."""
    return isinstance(value, list | tuple) and bool(value) and all(_is_step(step) for step in value)


def is_in_progress(value: Any) -> bool:
    """Checks for the description of unfinished work."""
    return (
        isinstance(value, Mapping)
        and _is_text(value.get("description"))
        and isinstance(value.get("next_step", ""), str)
        and set(value) <= {"description", "next_step"}
    )


def files_of_steps(value: Any) -> list[str]:
    """The files that the steps of a recipe name."""
    return [step["canonical_file"] for step in value if step.get("canonical_file")]


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_list_of_texts(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(v, str) for v in value)


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value >= 0


def _is_step(value: Any) -> bool:
    if not isinstance(value, Mapping) or not _is_text(value.get("description")) or not _is_count(value.get("order")):
        return False
    allowed = {"order", "description", "canonical_file", "canonical_line"}
    return (
        set(value) <= allowed
        and isinstance(value.get("canonical_file", ""), str)
        and _is_count(value.get("canonical_line", 0))
    )
