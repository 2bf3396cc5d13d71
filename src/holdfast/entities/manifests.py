"""Reads which libraries a project declares: package.json, pyproject.toml, requirements.txt, Cargo.toml, go.mod.

Manifests are files of others: they are bounded in size and number, and one that cannot be read declares nothing.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from holdfast.system.files import read_file

_LARGEST, _MOST_FILES, _MOST_FOLDERS, _MOST_NAMES, _DEEPEST = 300_000, 60, 200, 3_000, 2
# The parser of TOML takes time in proportion to the parts of the longest key, for every line and every part of a key.
_MOST_STEPS = 4_000_000
_LONGEST_NAME = 100
_NODE = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")
_RUST = ("dependencies", "dev-dependencies", "build-dependencies")
_REQUIREMENT = re.compile(r"\s*([A-Za-z0-9][\w.-]{0,99})")
_GO_MODULE = re.compile(r"(?:require[ \t]+)?([a-z0-9][\w.~/-]{2,200})[ \t]+v\d\S*")
_GO_VERSION = re.compile(r"(?:/v\d+|\.v\d+)$")
_REQUIREMENTS = re.compile(r"requirements[\w.-]{0,40}\.txt")
_NOT_A_LIBRARY = frozenset(["python"])
_SKIPPED = frozenset(["node_modules", "vendor", "third_party", "venv", "dist", "build", "target", "site-packages"])


def manifests(root: str) -> tuple[str, ...]:
    """The manifests of a project: in its folder, and of packages up to two folders below it."""
    found: list[str] = []
    folders = [root]
    for _ in range(_DEEPEST + 1):
        inside: list[str] = []
        for folder in folders:
            names, below = _entries(folder)
            found += [os.path.join(folder, name) for name in names if _reader(name)]
            inside += below
        folders = inside[:_MOST_FOLDERS]
    return tuple(found[:_MOST_FILES])


def declared_libraries(files: Iterable[str]) -> frozenset[str]:
    """The names of the libraries that these manifests declare, as they are written there."""
    names: dict[str, None] = {}
    for file in files:
        read = _reader(os.path.basename(file))
        for name in read(_text(file)) if read else ():
            if isinstance(name, str) and 1 < len(name) <= _LONGEST_NAME and len(names) < _MOST_NAMES:
                names[name] = None
    return frozenset(names) - _NOT_A_LIBRARY


def _entries(folder: str) -> tuple[list[str], list[str]]:
    names: list[str] = []
    below: list[str] = []
    try:
        with os.scandir(folder) as entries:
            for entry in sorted(entries, key=lambda entry: entry.name):
                if entry.is_dir(follow_symlinks=False):
                    below += [] if entry.name in _SKIPPED or entry.name.startswith(".") else [entry.path]
                elif entry.is_file(follow_symlinks=False):
                    names.append(entry.name)
    except OSError:
        return [], []
    return names, below


def _reader(name: str) -> Callable[[str], Iterable[Any]] | None:
    if _REQUIREMENTS.fullmatch(name):
        return _requirements
    return {"package.json": _package, "pyproject.toml": _python, "Cargo.toml": _cargo, "go.mod": _go}.get(name)


def _text(file: str) -> str:
    try:
        return read_file(file, _LARGEST).decode("utf-8", "replace")
    except OSError:
        return ""


def _package(text: str) -> Iterator[Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return
    for part in _NODE:
        yield from _mapping(found, part)


def _python(text: str) -> Iterator[Any]:
    found = _toml(text)
    project, poetry = _mapping(found, "project"), _mapping(_mapping(found, "tool"), "poetry")
    lists = [project.get("dependencies"), *_mapping(project, "optional-dependencies").values()]
    lists += _mapping(found, "dependency-groups").values()
    for entries in lists:
        yield from _requirements("\n".join(filter(_is_text, entries)) if isinstance(entries, list) else "")
    yield from _mapping(poetry, "dependencies")
    yield from _mapping(poetry, "dev-dependencies")
    for group in _mapping(poetry, "group").values():
        yield from _mapping(group, "dependencies")


def _requirements(text: str) -> Iterator[Any]:
    yield from (found[1] for line in text.splitlines() if (found := _REQUIREMENT.match(line)))


def _cargo(text: str) -> Iterator[Any]:
    found = _toml(text)
    for table in (found, _mapping(found, "workspace")):
        for part in _RUST:
            yield from _mapping(table, part)


def _go(text: str) -> Iterator[Any]:
    """The last part of each module's path, without its version. Modules that others need have a comment behind."""
    for line in text.splitlines():
        if found := _GO_MODULE.fullmatch(line.strip()):
            yield _GO_VERSION.sub("", found[1]).rpartition("/")[2]


def _toml(text: str) -> Mapping[str, Any]:
    parts = [1 + line.count(".") for line in text.split("\n")]
    if max(parts) * sum(parts) > _MOST_STEPS:
        return {}
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):
        return {}


def _mapping(found: object, name: str) -> Mapping[str, Any]:
    inner = found.get(name) if isinstance(found, Mapping) else None
    return inner if isinstance(inner, Mapping) else {}


def _is_text(value: object) -> bool:
    return isinstance(value, str)
