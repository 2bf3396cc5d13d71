"""Checks what a caller passes where any object could come."""

from __future__ import annotations

from collections.abc import Iterable

from holdfast.core.errors import InvalidInput


def several(values: str | Iterable[str]) -> tuple[str, ...]:
    """The values; a single text counts as one value, not as its characters."""
    return (values,) if isinstance(values, str) else tuple(values)


def check_text(text: object, name: str = "text") -> None:
    """Raises InvalidInput for what is no text: chat models, for example, answer with None when they call a tool."""
    if not isinstance(text, str):
        raise InvalidInput(f"{name} must be text, not {type(text).__name__}", hint="Pass a str.")


def check_named(value: str | None, name: str) -> None:
    """Raises InvalidInput for an empty name, such as that of a person who is not known: None means none is given."""
    if value is not None and not str(value).strip():
        raise InvalidInput(f"{name} is empty", hint="Name it, or leave it out.")
