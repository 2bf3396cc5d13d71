"""Finds and reads the files to import: bounded in number and size, never a device, never out of the project."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator

from holdfast.core.errors import InvalidFile
from holdfast.importers.import_kinds import IN_PROJECT, RULE_FOLDERS
from holdfast.system.files import read_file as read_bytes

MOST_FILES = 500
_LARGEST, _LARGEST_JSON = 4_000_000, 512_000_000
_DEEPEST_REFERENCE = 4
_REFERENCE = re.compile(r"(?<!\S)@([\w~./-]{1,200}\.md)(?!\S)")


def read_file(path: str) -> str:
    """The text of a regular file of limited size. Raises InvalidFile. Invalid bytes become replacement characters."""
    largest = _LARGEST_JSON if path.endswith((".json", ".jsonl", ".ndjson")) else _LARGEST
    try:
        return read_bytes(path, largest, links=True).decode("utf-8-sig", "replace")
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise InvalidFile(f"{path!r} cannot be read ({why})", hint="Check its name.") from None


def expand(path: str) -> Iterator[str]:
    """The file itself; of a folder, its files of a known kind, each once."""
    if not os.path.isdir(path):
        yield path
        return
    root, seen = os.path.realpath(path), set()
    for found in _known_files(path):
        full = os.path.realpath(found)
        if full not in seen and full.startswith(root + os.sep) and os.path.isfile(full):
            seen.add(full)
            yield found
            if len(seen) >= MOST_FILES:
                return


def with_references(path: str, text: str, root: str) -> str:
    """The text with the text of files that it refers to as `@docs/rules.md`, if they are in the project."""
    return "\n\n".join(_referenced(path, text, os.path.realpath(root), {os.path.realpath(path)}, _DEEPEST_REFERENCE))


def _known_files(folder: str) -> Iterator[str]:
    yield from (os.path.join(folder, name) for name in IN_PROJECT)
    for rules in RULE_FOLDERS:
        yield from _walk(os.path.join(folder, *rules.split("/")))
    # A folder of notes, such as those of basic-memory: everything in it, unless it is a project.
    if not any(os.path.lexists(os.path.join(folder, name)) for name in (*IN_PROJECT, ".git")):
        yield from _walk(folder)


def _walk(folder: str) -> Iterator[str]:
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "node_modules")
        yield from (os.path.join(parent, name) for name in sorted(names) if not name.startswith("."))


def _referenced(path: str, text: str, root: str, seen: set[str], depth: int) -> Iterable[str]:
    yield text
    if depth == 0:
        return
    for reference in _REFERENCE.findall(text):
        full = os.path.realpath(os.path.join(os.path.dirname(path), reference))
        if full in seen or not full.startswith(root + os.sep) or len(seen) > MOST_FILES:
            continue
        seen.add(full)
        try:
            inner = read_file(full)
        except InvalidFile:
            continue
        yield from _referenced(full, inner, root, seen, depth - 1)
