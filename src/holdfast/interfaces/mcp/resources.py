"""The resources of the MCP server: the project's memory page, the context of a task, and single memories."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from holdfast.core.frozen import frozen
from holdfast.interfaces.mcp import render
from holdfast.interfaces.mcp.render import NOTE, NOTHING
from holdfast.interfaces.mcp.schemas import LONGEST_QUERY

if TYPE_CHECKING:
    from holdfast.workspace import Workspace

_TYPE = "text/markdown"
_CONTEXT, _TASK, _ITEM, _REVIEW = "memory://context", "memory://context/", "memory://item/", "memory://review"
_MOST_TO_REVIEW = 30

_LISTED: tuple[dict[str, Any], ...] = (
    {
        "uri": _CONTEXT,
        "name": "context",
        "title": "What is known about this project",
        "description": "The rules, preferences and most important memories of this project, for a session's start.",
        "mimeType": _TYPE,
    },
    {
        "uri": _REVIEW,
        "name": "review",
        "title": "Memories to review",
        "description": "The memories that wait for a person's review.",
        "mimeType": _TYPE,
    },
)
_TEMPLATES: tuple[dict[str, Any], ...] = (
    {
        "uriTemplate": f"{_TASK}{{task}}",
        "name": "task-context",
        "title": "Context of a task",
        "description": "The standing rules, and the notes from earlier work that matter for a task.",
        "mimeType": _TYPE,
    },
    {
        "uriTemplate": f"{_ITEM}{{id}}",
        "name": "memory",
        "title": "One memory",
        "description": "A memory in full, with its origin and history, by its id or the end of it.",
        "mimeType": _TYPE,
    },
)


@frozen
class Resources:
    """Resources and templates, as clients see them, and the function that reads one.

    `read` returns None if there is none with this address, and may raise HoldfastError.
    """

    listed: Sequence[dict[str, Any]]
    templates: Sequence[dict[str, Any]]
    read: Callable[[str, Callable[[], Workspace]], dict[str, Any] | None]


def _read(uri: str, open_workspace: Callable[[], Workspace]) -> dict[str, Any] | None:
    reader = _reader(uri)
    return None if reader is None else {"uri": uri, "mimeType": _TYPE, "text": reader(open_workspace())}


def _reader(uri: str) -> Callable[[Workspace], str] | None:
    if uri == _CONTEXT:
        return _page
    if uri == _REVIEW:
        return to_review
    argument = unquote(uri.partition("://")[2].partition("/")[2]).strip()[:LONGEST_QUERY]
    if uri.startswith(_TASK) and argument:
        return lambda workspace: render.packed(workspace.context(argument)).text
    if uri.startswith(_ITEM) and argument:
        return lambda workspace: render.described(workspace.describe(argument))
    return None


def to_review(workspace: Workspace) -> str:
    """Renders the memories that wait for a person's review."""
    memories = workspace.list(needs_review=True, limit=_MOST_TO_REVIEW)
    return render.listed(memories) if memories else "No memory waits for review."


def _page(workspace: Workspace) -> str:
    page = workspace.memory_page().strip()
    return f"{NOTE}\n\n{page}" if page else NOTHING


RESOURCES = Resources(_LISTED, _TEMPLATES, _read)
