"""Suggests the name that was probably meant."""

from __future__ import annotations

from collections.abc import Iterable


def suggestion(name: str, names: Iterable[str]) -> str | None:
    """The known name most similar to an unknown one; None if none is similar."""
    from difflib import get_close_matches  # Imported here: only mistakes need it.

    return next(iter(get_close_matches(name.lower(), list(names), 1)), None)


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """A question that ends with a space, to put before a hint; empty if no name is similar."""
    found = suggestion(name, names)
    return f"Did you mean {found!r}? " if found else ""
