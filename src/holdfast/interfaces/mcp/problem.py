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
_FIND_MEMORY = "Use search_memory to find it; it shows the id of each memory."
_FIND_NAME = "Use search_memory to find texts that mention it."
_FIND_CODE = "Index the code first (`holdfast index`), then try again."
# The command in a hint for a person that a tool does too.
_INDEX_COMMAND = "`holdfast index`"
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
    if _INDEX_COMMAND in error.hint:
        return _FIND_CODE
    if error.detail.startswith("memory"):
        return _FIND_MEMORY
    hint = _own(error.hint)
    return hint or _FIND_NAME if error.detail.startswith("entity") else hint


def _own(hint: str) -> str:
    """A hint that names no command of the shell."""
    return "" if _COMMAND.search(hint) else hint
