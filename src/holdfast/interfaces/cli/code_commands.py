"""The commands impact, deps, flow and modules."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from holdfast.interfaces.cli import completion
from holdfast.interfaces.cli.app import CommandOptions, command, option, print_text
from holdfast.interfaces.cli.command_arguments import LIMIT, WholeNumber
from holdfast.interfaces.language import translate
from holdfast.system.project import relative

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.core.code_analysis import ReachedCode
    from holdfast.interfaces.cli.app import Decorated
    from holdfast.workspace import Workspace

_DEPTH = WholeNumber(1, 20)
_SHOWN = 12


def _target() -> str:
    return translate("TARGET is a file, a folder, file:symbol, file:line, or a symbol with a unique name.")


def _edges() -> str:
    sure = translate("The number of an entry says how sure the dependency is, from 0 to 1.")
    return f"{_target()} {sure}"


def _drawn(function: Decorated) -> Decorated:
    """Adds the options that print a graph as a picture."""
    function = option("--mermaid", "drawing", flag_value="mermaid", help="Print the graph for Mermaid.")(function)
    return option("--dot", "drawing", flag_value="dot", help="Print the graph for Graphviz.")(function)


@command("impact", more=_edges)
@click.argument("target", shell_complete=completion.files)
@option("--depth", type=_DEPTH, default=3, metavar="N", show_default=True, help="Maximum number of steps.")
@option("--limit", type=LIMIT, default=_SHOWN, metavar="N", show_default=True, help="Lines to show per depth.")
@_drawn
def impact(options: CommandOptions, target: str, depth: int, limit: int, drawing: str | None) -> None:
    from holdfast.interfaces.cli.code_text import impact_text

    with options.open() as ws:
        found = ws.impact(_inside(ws, target), depth)
    _print(options, found, lambda: impact_text(found, limit), found.target, found.affected, drawing)


@command("deps", more=_edges)
@click.argument("target", shell_complete=completion.files)
@option("--depth", type=_DEPTH, default=1, metavar="N", show_default=True, help="Maximum number of steps.")
@option("--limit", type=LIMIT, default=_SHOWN, metavar="N", show_default=True, help="Lines to show per depth.")
@_drawn
def deps(options: CommandOptions, target: str, depth: int, limit: int, drawing: str | None) -> None:
    from holdfast.interfaces.cli.code_text import dependencies_text

    with options.open() as ws:
        found = ws.dependencies(_inside(ws, target), depth)
    _print(options, found, lambda: dependencies_text(found, limit), found.target, found.needed, drawing)


@command(
    "flow", more=lambda: _target() + "\n" + translate("Without a TARGET, the entry points of the project are listed.")
)
@click.argument("target", required=False, metavar="[TARGET]", shell_complete=completion.files)
@option("--depth", type=_DEPTH, default=3, metavar="N", show_default=True, help="Maximum number of steps.")
@option("--limit", type=LIMIT, default=_SHOWN, metavar="N", show_default=True, help="Lines to show per part.")
@_drawn
def flow(options: CommandOptions, target: str | None, depth: int, limit: int, drawing: str | None) -> None:
    from holdfast.interfaces.cli.flow_text import entry_points_text, flow_text

    with options.open() as ws:
        if target is None:
            points = ws.entry_points()
            options.print_result(points, lambda: entry_points_text(points))
            return
        found = ws.flow(_inside(ws, target), depth)
    if drawing is None or options.json:
        options.print_result(found, lambda: flow_text(found, limit))
    else:
        from holdfast.interfaces.cli.drawing import draw_flow

        print_text(draw_flow(found, drawing))


@command("modules")
@_drawn
def modules(options: CommandOptions, drawing: str | None) -> None:
    from holdfast.interfaces.cli.modules_text import modules_text

    with options.open() as ws:
        found = ws.modules()
    if drawing is None or options.json:
        options.print_result(found, lambda: modules_text(found))
    else:
        from holdfast.interfaces.cli.drawing import draw_modules

        print_text(draw_modules(found, drawing))


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
