"""The commands impact and deps."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from holdfast.core.project import relative
from holdfast.interfaces.cli.app import CommandOptions, command, option, print_text
from holdfast.interfaces.cli.arguments import LIMIT
from holdfast.interfaces.language import translate

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.core.code_analysis import ReachedCode
    from holdfast.interfaces.cli.app import Decorated
    from holdfast.workspace import Workspace

_DEPTH = click.IntRange(1, 20)
_SHOWN = 12


def _target() -> str:
    return translate("TARGET is a file, a folder, file:symbol, file:line, or a symbol with a unique name.")


def _drawn(function: Decorated) -> Decorated:
    """Adds the options that print a graph as a picture."""
    function = option("--mermaid", "drawing", flag_value="mermaid", help="Print the graph for Mermaid.")(function)
    return option("--dot", "drawing", flag_value="dot", help="Print the graph for Graphviz.")(function)


@command("impact", more=_target)
@click.argument("target")
@option("--depth", type=_DEPTH, default=3, metavar="N", show_default=True, help="Maximum number of steps.")
@option("--limit", type=LIMIT, default=_SHOWN, metavar="N", show_default=True, help="Lines to show per depth.")
@_drawn
def impact(options: CommandOptions, target: str, depth: int, limit: int, drawing: str | None) -> None:
    from holdfast.interfaces.cli.code_text import impact_text

    with options.open(wait_for_model=False) as ws:
        found = ws.impact(_inside(ws, target), depth)
    _print(options, found, lambda: impact_text(found, limit), found.target, found.affected, drawing)


@command("deps", more=_target)
@click.argument("target")
@option("--depth", type=_DEPTH, default=1, metavar="N", show_default=True, help="Maximum number of steps.")
@option("--limit", type=LIMIT, default=_SHOWN, metavar="N", show_default=True, help="Lines to show per depth.")
@_drawn
def deps(options: CommandOptions, target: str, depth: int, limit: int, drawing: str | None) -> None:
    from holdfast.interfaces.cli.code_text import dependencies_text

    with options.open(wait_for_model=False) as ws:
        found = ws.dependencies(_inside(ws, target), depth)
    _print(options, found, lambda: dependencies_text(found, limit), found.target, found.needed, drawing)


def _print(
    options: CommandOptions,
    value: object,
    text: Callable[[], str],
    start: str,
    reached: tuple[ReachedCode, ...],
    drawing: str | None,
) -> None:
    if drawing is None or options.json:
        options.print_result(value, text)
    else:
        from holdfast.interfaces.cli.drawing import draw_paths

        print_text(draw_paths(start, reached, drawing))


def _inside(ws: Workspace, target: str) -> str:
    """Returns a target relative to the project if it names a file or folder relative to the working directory."""
    path, colon, symbol = target.partition(":")
    if path and os.path.exists(path) and (inside := relative(os.path.abspath(path), ws.root)):
        return f"{inside}{colon}{symbol}"
    return target
