"""Reads tsconfig.json and package.json. Both come from outside: malformed files count as empty."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Callable
from typing import Any

from holdfast.core.frozen import frozen

_LARGEST = 1_000_000  # characters
_LONGEST_CHAIN = 16  # of `extends`
# Strings are matched first, so that a comment sign inside one stays.
_COMMENT_OR_STRING = re.compile(r'"(?:\\.|[^"\\])*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
_TRAILING_COMMA = re.compile(r'"(?:\\.|[^"\\])*"|,(?=\s*[}\]])', re.DOTALL)

Text = Callable[[str], str | None]


@frozen
class PathMapping:
    """The `paths` of a project: patterns with their targets, and the folder for names without a pattern."""

    patterns: tuple[tuple[str, tuple[str, ...]], ...] = ()
    base: str | None = None


@frozen
class PackageFile:
    """A package.json: the name, the folder, and where its source may be entered."""

    name: str
    folder: str
    fields: dict[str, Any]


def parse_json(text: str | None) -> dict[str, Any]:
    """JSON with comments and trailing commas, as an object; empty if it is none."""
    if text is None or len(text) > _LARGEST:
        return {}
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = _parse_with_comments(text)
    return found if isinstance(found, dict) else {}


def _parse_with_comments(text: str) -> Any:
    plain = _COMMENT_OR_STRING.sub(lambda found: found[0] if found[0][0] == '"' else " ", text.lstrip("\ufeff"))
    plain = _TRAILING_COMMA.sub(lambda found: found[0] if found[0][0] == '"' else "", plain)
    try:
        return json.loads(plain)
    except (ValueError, RecursionError):
        return {}


def path_mapping(path: str, text: Text) -> PathMapping | None:
    """The mapping of a tsconfig file, inherited through `extends`, else from its `references`; None without a file."""
    if text(path) is None:
        return None
    found = _inherited(path, text, set())
    if found.patterns or found.base is not None:
        return found
    for one in _list(parse_json(text(path)).get("references"))[:_LONGEST_CHAIN]:
        target = one.get("path") if isinstance(one, dict) else None
        if isinstance(target, str):
            place = join_path(posixpath.dirname(path), target)
            place = place if place is None or place.endswith(".json") else f"{place}/tsconfig.json"
            found = _inherited(place, text, {path}) if place else found
            if found.patterns or found.base is not None:
                return found
    return found


def _inherited(path: str, text: Text, seen: set[str]) -> PathMapping:
    """Follows `extends`; each file is read once, so that a circle ends."""
    if path in seen or len(seen) > _LONGEST_CHAIN:
        return PathMapping()
    seen.add(path)
    fields = parse_json(text(path))
    options = fields.get("compilerOptions")
    options = options if isinstance(options, dict) else {}
    folder = posixpath.dirname(path)
    base = join_path(folder, options["baseUrl"]) if isinstance(options.get("baseUrl"), str) else None
    patterns = _patterns(options.get("paths"), base if base is not None else folder)
    parents = fields.get("extends")
    for one in reversed([parents] if isinstance(parents, str) else _list(parents)[:_LONGEST_CHAIN]):
        place = _extended(folder, one) if isinstance(one, str) else None
        if place is not None and (not patterns or base is None):
            parent = _inherited(place, text, seen)
            patterns = patterns or parent.patterns
            base = base if base is not None else parent.base
    return PathMapping(patterns, base)


def _extended(folder: str, name: str) -> str | None:
    if not name.startswith("."):
        return None
    place = join_path(folder, name)
    return place if place is None or place.endswith(".json") else f"{place}.json"


def _patterns(paths: Any, base: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    if not isinstance(paths, dict):
        return ()
    found = []
    for pattern, targets in paths.items():
        places = [join_path(base, one) for one in _list(targets) if isinstance(one, str)]
        found.append((pattern, tuple(place for place in places if place is not None)))
    # The longest prefix before the star is tried first.
    return tuple(sorted(found, key=lambda pair: -len(pair[0].partition("*")[0])))


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def join_path(folder: str, name: str) -> str | None:
    """A path in the project, or None if it leads out of it."""
    place = posixpath.normpath(posixpath.join(folder, name.replace("${configDir}", ".")))
    if place.startswith(("/", "..")):
        return None
    return "" if place == "." else place


def entries_of(package: PackageFile, subpath: str) -> list[str]:
    """Where a package may be entered, as paths in the project: `subpath` is "" or begins with a slash."""
    found: list[str] = []
    _collect(_exported(package.fields.get("exports"), f".{subpath}"), found, 0)
    if not subpath:
        for name in ("source", "types", "typings", "module", "main"):
            _collect(package.fields.get(name), found, 0)
        found += ["./src/index", "./index", "./src/main"]
    else:
        found += [f".{subpath}", f"./src{subpath}"]
    places = (join_path(package.folder, one) for one in found)
    return list(dict.fromkeys(place for place in places if place))


def imports_of(package: PackageFile, name: str) -> list[str]:
    """Where a name that begins with `#` leads, as paths in the project."""
    found: list[str] = []
    _collect(_exported(package.fields.get("imports"), name), found, 0)
    return [place for place in (join_path(package.folder, one) for one in found) if place]


def _exported(exports: Any, key: str) -> Any:
    if not isinstance(exports, dict):
        return exports if key == "." else None
    if not any(isinstance(name, str) and name.startswith((".", "#")) for name in exports):
        return exports if key == "." else None
    if key in exports:
        return exports[key]
    for pattern, target in exports.items():
        start, star, end = pattern.partition("*")
        if star and key.startswith(start) and key.endswith(end) and len(key) >= len(start) + len(end):
            middle = key[len(start) : len(key) - len(end)]
            found: list[str] = []
            _collect(target, found, 0)
            return [one.replace("*", middle) for one in found]
    return None


def _collect(value: Any, found: list[str], depth: int) -> None:
    """All paths in a value of nested conditions."""
    if isinstance(value, str):
        found.append(value)
    elif isinstance(value, dict) and depth < 6:
        for one in list(value.values())[:30]:
            _collect(one, found, depth + 1)
    elif isinstance(value, list) and depth < 6:
        for one in value[:30]:
            _collect(one, found, depth + 1)
