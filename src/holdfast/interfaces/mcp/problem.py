"""Renders errors for a model: in terms of tools, and of what it should tell the user."""

from __future__ import annotations

import re
from collections.abc import Mapping

from holdfast.core.errors import (
    HoldfastError,
    ModelError,
    NotFound,
    NotInstalled,
    NotPermitted,
    StoreError,
    UnknownType,
)
from holdfast.interfaces.mcp.plain import line

# The next step for a model. A person's next step, which names commands, is passed on to the user.
_HINTS: Mapping[type[HoldfastError], str] = {
    NotPermitted: "Tell the user, who can decide it.",
    UnknownType: "Use a type that the description of the tool names.",
}
_REMEMBERED = ("memory", "entity")
_FIND_MEMORY = "Use search_memory to find it; it shows the id of each memory."
# A hint for a person may name the tool that does the same.
_TOOL, _FIND_CODE = "index_project", "Use index_project first, then try again."
_FOR_THE_USER = (StoreError, ModelError, NotInstalled)
_COMMAND = re.compile(r"`holdfast|--\w|docs/")


def problem(error: HoldfastError) -> str:
    """Returns what is wrong and the next step, on one line."""
    text = f"{error.what}: {error.detail}" if error.detail else error.what
    return line(f"{text.rstrip('.')}. {_hint(error)}").rstrip()


def _hint(error: HoldfastError) -> str:
    if isinstance(error, NotFound):
        return _where(error)
    for kind, hint in _HINTS.items():
        if isinstance(error, kind):
            return hint
    if isinstance(error, _FOR_THE_USER):
        return f"Tell the user: {error.hint}" if error.hint else ""
    return _own(error.hint)


def _where(error: NotFound) -> str:
    """How to find what was not found: a memory, an entity, or code."""
    if _TOOL in error.hint:
        return _FIND_CODE
    return _FIND_MEMORY if error.detail.startswith(_REMEMBERED) else _own(error.hint)


def _own(hint: str) -> str:
    """A hint that names no command of the shell."""
    return "" if _COMMAND.search(hint) else hint
