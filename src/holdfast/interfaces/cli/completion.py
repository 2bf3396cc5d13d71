"""Completes arguments in a shell: ids of memories and sessions, with their text beside them, and files."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from holdfast.core.errors import HoldfastError
from holdfast.core.ids import short
from holdfast.interfaces.cli.app import CommandOptions
from holdfast.interfaces.cli.terminal import clean, fit

if TYPE_CHECKING:
    import click
    from click.shell_completion import CompletionItem

    from holdfast.workspace import Workspace

# The newest memories that are looked through for a beginning, and the columns of the text beside an id.
_LOOKED_THROUGH, _COLUMNS = 500, 60


def files(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Lets the shell complete a path."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(incomplete, type="file")]


def memories(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The ids of the newest memories, also forgotten ones."""

    def found(ws: Workspace) -> Iterable[tuple[str, str]]:
        listed = ws.list(limit=_LOOKED_THROUGH, include_forgotten=True)
        return ((short(memory.id), f"{memory.type}: {memory.content}") for memory in listed)

    return _items(ctx, incomplete, found)


def sessions(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The ids of the latest sessions."""

    def found(ws: Workspace) -> Iterable[tuple[str, str]]:
        return ((session.id, session.title or "") for session in ws.sessions(_LOOKED_THROUGH))

    return _items(ctx, incomplete, found)


def _items(
    ctx: click.Context, incomplete: str, found: Callable[[Workspace], Iterable[tuple[str, str]]]
) -> list[CompletionItem]:
    """What begins as the incomplete word; nothing where memory cannot be read: a shell shows no errors here."""
    from click.shell_completion import CompletionItem  # Imported here: only a shell that completes needs it.

    try:
        with (ctx.find_object(CommandOptions) or CommandOptions()).open(background=False) as ws:
            known = [(id, text) for id, text in found(ws) if id.startswith(incomplete)]
    except HoldfastError:
        return []
    return [CompletionItem(id, help=fit(clean(text), _COLUMNS) or None) for id, text in known]
