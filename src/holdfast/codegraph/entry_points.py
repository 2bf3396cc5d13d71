"""Finds where a program is entered from outside: main programs, commands, routes and handlers of events.

Frameworks call such code through decorators, registrations and names, which no edge of the graph shows.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from holdfast.codegraph.code_records import MODULE, Definition, FileRecord
from holdfast.codegraph.recognised_tests import belongs_to_tests
from holdfast.core.code import EntryPoint

_METHODS = ("get", "post", "put", "patch", "delete", "head", "options")
_GUARD = re.compile(rb"^if __name__ == ['\"]__main__['\"]", re.MULTILINE)
# A main function by language: the end of its file's path, and words among its modifiers.
_MAIN = {"go": ("", ()), "rust": ("main.rs", ()), "java": ("", ("static",))}
_MOST = 500


def entry_points(record: FileRecord, source: bytes) -> tuple[EntryPoint, ...]:
    """Returns the entry points of a file, by line. Tests have none: they are run by a test runner."""
    if belongs_to_tests(record.path):
        return ()
    lines = source.decode("utf-8", "replace").split("\n")
    found = [*_mains(record, source), *_decorated(record, lines), *_registered(record, lines), *_named(record)]
    return tuple(sorted(set(found), key=lambda point: (point.line, point.symbol, point.kind))[:_MOST])


def _mains(record: FileRecord, source: bytes) -> Iterator[EntryPoint]:
    name = record.path.rpartition("/")[2]
    if guard := _GUARD.search(source):
        yield EntryPoint("", "main", name, source.count(b"\n", 0, guard.start()) + 1)
    elif name == "__main__.py" or source.startswith(b"#!"):
        yield EntryPoint("", "main", name, 1)
    ending, modifiers = _MAIN.get(record.language, ("/", ()))
    for definition in record.definitions:
        is_main = definition.name == "main" and record.path.endswith(ending) and ending != "/"
        if is_main and set(modifiers) <= set(definition.modifiers):
            yield EntryPoint(definition.qualified, "main", name, definition.name_line)


def _decorated(record: FileRecord, lines: Sequence[str]) -> Iterator[EntryPoint]:
    for definition in record.definitions:
        for decorator in definition.decorators:
            expression = decorator.removesuffix("()")
            kind = next((kind for kind, pattern in _rules()["decorators"] if re.fullmatch(pattern, expression)), None)
            if kind is not None and (kind != "command" or _is_command(record, expression)):
                head = "\n".join(lines[definition.start_line - 1 : definition.name_line])
                name = _name(kind, expression, _argument(expression, head)) or definition.name
                yield EntryPoint(definition.qualified, kind, name, definition.name_line)
                break


def _is_command(record: FileRecord, decorator: str) -> bool:
    """Is a decorator such as `command` that of a package for commands? One of an object, `cli.command`, mostly is."""
    packages = _rules()["command packages"]
    return "." in decorator or any(
        one.module in packages and decorator in [name.alias for name in one.names] for one in record.imports
    )


def _registered(record: FileRecord, lines: Sequence[str]) -> Iterator[EntryPoint]:
    """Yields calls that register a function: `app.get("/users", list_users)`."""
    rules = _rules()["calls"] + (_rules()["urls.py"] if record.path.endswith("urls.py") else [])
    decorated = [definition for definition in record.definitions if definition.decorators]
    above = {line for d in decorated for line in range(d.start_line, max(d.name_line, d.start_line + 1))}
    for reference in record.references:
        if reference.kind != "call" or reference.line in above or reference.line > len(lines):
            continue
        matching = (rule for rule in rules if re.fullmatch(rule[1], reference.expression))
        kind, _, literal = next(matching, ("", "", ""))
        argument = _argument(reference.expression, lines[reference.line - 1]) if kind else ""
        if argument and re.match(literal, argument):
            name = _name(kind, reference.expression, argument)
            yield EntryPoint(record.symbol_of(reference.scope), kind, name, reference.line)


def _named(record: FileRecord) -> Iterator[EntryPoint]:
    """Yields functions that a platform finds by their names."""
    routes = _rules()["route files"]
    in_route_file = record.path.rpartition("/")[2] in routes["names"]
    for definition in record.definitions:
        if definition.kind != "function" or definition.parent != MODULE:
            continue
        if in_route_file and definition.name in routes["functions"]:
            yield EntryPoint(definition.qualified, "route", definition.name, definition.name_line)
        elif any(_is_named(definition, *rule) for rule in _rules()["functions"]):
            yield EntryPoint(definition.qualified, "handler", definition.name, definition.name_line)


def _is_named(definition: Definition, kind: str, name: str, parameters: Sequence[str] = ()) -> bool:
    return definition.name == name and [p.name for p in definition.parameters][: len(parameters)] == [*parameters]


def _argument(expression: str, text: str) -> str:
    """Returns the first argument of a call in a text if it is a literal."""
    called = re.escape(expression.rpartition(".")[2])
    found = re.search(rf"""\b{called}\s*\(\s*["'`]([^"'`\n]{{1,80}})["'`]""", text)
    return found[1] if found else ""


def _name(kind: str, expression: str, argument: str) -> str:
    """Returns what the entry point is called outside: `GET /users`, `build`, `exit`; "" if only its symbol names it."""
    verb = expression.rpartition(".")[2]
    if kind == "route":
        return " ".join(filter(None, [verb.upper() if verb.lower() in _METHODS else "", argument])) or verb
    return argument if argument or kind == "command" else verb


@cache
def _rules() -> dict[str, Any]:
    rules: dict[str, Any] = json.loads(Path(__file__).with_name("entry_points.json").read_text("utf-8"))
    return rules
