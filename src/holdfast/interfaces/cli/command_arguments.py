"""Parses arguments and standard input: texts, times, fields, files and filters; errors say what to write instead."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

import click

from holdfast.core.clock import unstamp, unstamp_until
from holdfast.core.errors import HoldfastError, InvalidFile, InvalidInput
from holdfast.core.memory import CHUNK_TYPES, SCOPES, SOURCES, VISIBILITIES, ChunkLocation
from holdfast.interfaces.cli import completion
from holdfast.interfaces.cli.app import Decorated, option
from holdfast.observer.session_kinds import LIMITS
from holdfast.system.files import read_file
from holdfast.system.project import relative

if TYPE_CHECKING:
    from holdfast.workspace import Workspace


class WholeNumber(click.IntRange):
    """A whole number in a range; the error names both ends."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        try:
            return int(super().convert(value, param, ctx))
        except click.BadParameter:
            expected = f"of at least {self.min}" if self.max is None else f"from {self.min} to {self.max}"
            self.fail(f"{value!r} is not a whole number {expected}.", param, ctx)


class Share(click.FloatRange):
    """A number from 0 to 1."""

    def __init__(self) -> None:
        super().__init__(0, 1)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        try:
            return float(super().convert(value, param, ctx))
        except click.BadParameter:
            self.fail(f"{value!r} is not a number from 0 to 1.", param, ctx)


LIMIT = WholeNumber(1, 10_000)
# The kinds of agents' sessions.
KIND = click.Choice(tuple(LIMITS))
# The longest text on standard input, and the largest file to import, in bytes.
_LARGEST_TEXT, _LARGEST_FILE = 8_000_000, 2_000_000_000
SHARE = Share()


def moment(text: str) -> datetime:
    """Parses a date, a date and time, or words such as "yesterday"; local unless it names a zone.

    Days mean their start.
    """
    return _moment(text, unstamp, first=True)


def last_moment(text: str) -> datetime:
    """Parses like `moment`, but days mean their end."""
    return _moment(text, unstamp_until, first=False)


def _moment(text: str, read: Callable[[str], datetime], first: bool) -> datetime:
    try:
        return read(text)
    except (ValueError, OverflowError, OSError):
        days = _days(text)
    if days is None:
        message = f"{text!r} is not a date; write it like 2026-07-01, 2026-07-01T14:30, yesterday or 3 days ago"
        raise click.BadParameter(message)
    return read((days[0] if first else days[1]).isoformat())


def _days(text: str) -> tuple[date, date] | None:
    """The first and last day that words mean; None unless all of the text is one expression of time."""
    from holdfast.text.days import windows  # Imported here: few commands name a time in words.

    said = " ".join(text.lower().split())
    today = datetime.now().astimezone().date()
    if said in ("today", "aujourd'hui", "aujourd’hui"):
        return today, today
    found = windows(said, today)
    return (found[0].start, found[0].end) if len(found) == 1 and len(found[0].phrase) == len(said) else None


def json_field(text: str) -> tuple[str, Any]:
    """Parses a structured field, `name=JSON`."""
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise click.BadParameter(f"{text!r} does not have the form name=JSON")
    try:
        return name, json.loads(value)
    except (ValueError, RecursionError):
        message = f"{value!r} is not JSON; put a text in double quotes, as in why='\"too slow\"'"
        raise click.BadParameter(message) from None


def node(text: str) -> str:
    """Parses a place in code, `FILE` or `FILE:SYMBOL`; the path may be relative to the working directory."""
    path, colon, symbol = text.partition(":")
    return f"{absolute(path)}{colon}{symbol}"


def chunk(text: str) -> ChunkLocation:
    """Parses a part of a file: its type and lines, `function:10-24` or `class`."""
    type, _, lines = text.partition(":")
    first, _, last = lines.partition("-")
    try:
        return ChunkLocation(type, int(first) if first else None, int(last or first) if first else None)
    except (ValueError, HoldfastError):
        message = f"{text!r} does not have the form TYPE or TYPE:LINE-LINE; types are {', '.join(CHUNK_TYPES)}"
        raise click.BadParameter(message) from None


def text_of(words: tuple[str, ...]) -> str:
    """Joins the words of a command to one text; a single `-` reads standard input."""
    return piped_in() if words == ("-",) else " ".join(words)


def piped_in(most: int = _LARGEST_TEXT) -> str:
    """Reads standard input, which must be UTF-8 and of at most `most` bytes."""
    if sys.stdin is None:
        raise InvalidInput("standard input is closed", hint="Pipe a text into the command, or give it as argument.")
    content = sys.stdin.buffer.read(most + 1)
    if len(content) > most:
        raise InvalidInput(f"standard input has more than {most:,} bytes", hint="Give a shorter text.")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        where = f"standard input is not UTF-8 (byte {error.start + 1})"
        raise InvalidInput(where, hint="Convert it to UTF-8 and try again.") from error


def file_text(path: str) -> str:
    """Reads a file, which must be UTF-8; `-` reads standard input."""
    if path == "-":
        return piped_in(_LARGEST_FILE)
    try:
        return read_file(path, _LARGEST_FILE, links=True).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidFile(f"{path} is not UTF-8 (byte {error.start + 1})") from error
    except (OSError, ValueError) as error:  # ValueError: no file can have such a name.
        why = getattr(error, "strerror", error)
        raise InvalidFile(f"{path} cannot be read ({why})", hint="Check its name.") from error


def absolute(path: str) -> str:
    """Returns an absolute path with links in its folder resolved, like the folder of the project."""
    folder, name = os.path.split(os.path.abspath(path))
    return os.path.join(os.path.realpath(folder), name)


def filtering(function: Decorated) -> Decorated:
    """Adds the options that filter memories; `filters_of` reads them."""
    for add in reversed(_FILTERS):
        function = add(function)
    return function


def filters_of(ws: Workspace, options: dict[str, Any]) -> dict[str, Any]:
    """Returns the filters of the workspace from the options of `filtering`."""
    filters = {**options, "files": tuple(_inside(ws, path) for path in options["files"])}
    return {name: value for name, value in filters.items() if value not in (None, ())}


def _inside(ws: Workspace, path: str) -> str:
    inside = relative(absolute(path), ws.root)
    if inside is None:
        raise InvalidInput(f"{path} is outside the project {ws.root}", hint="Name a file or folder of the project.")
    return inside


def types(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Returns the memory types with this prefix, for shell completion."""
    from holdfast.core.memory_types import TypeRegistry

    return [name for name in TypeRegistry().names() if name.startswith(incomplete)]


_FILTERS = (
    option("--type", "types", multiple=True, metavar="TYPE", shell_complete=types, help="Only this type; repeatable."),
    option(
        "--file",
        "files",
        multiple=True,
        metavar="PATH",
        shell_complete=completion.files,
        help="Only about this file or folder; repeatable.",
    ),
    option("--tag", "tags", multiple=True, metavar="TAG", help="Only with this tag; repeatable."),
    option("--since", type=moment, metavar="DATE", help="Only from this date or time on."),
    option("--until", type=last_moment, metavar="DATE", help="Only up to this time, or the end of this day."),
    option(
        "--as-of",
        type=last_moment,
        metavar="DATE",
        help="Use memory as it was at this time, or at the end of this day.",
    ),
    option("--session", metavar="ID", help="Only from this session."),
    option("--min-confidence", type=SHARE, metavar="0..1", help="Minimum confidence after decay."),
    option("--source", "sources", multiple=True, type=click.Choice(SOURCES), help="Only from this source; repeatable."),
    option("--scope", "scopes", multiple=True, type=click.Choice(SCOPES), help="Only with this scope; repeatable."),
    option(
        "--visibility",
        "visibilities",
        multiple=True,
        type=click.Choice(VISIBILITIES),
        help="Only with this visibility; repeatable.",
    ),
    option("--module", "modules", multiple=True, metavar="NAME", help="Only about this module or folder; repeatable."),
    option("--review", "needs_review", is_flag=True, default=None, help="Only memories to review."),
)
