"""Changes single values in JSON files that people write, with comments and trailing commas; all else stays as it is."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from holdfast.core.errors import InvalidFile
from holdfast.core.frozen import frozen

_SKIPPED = re.compile(r"(?:[\s\ufeff]+|//[^\n]*|/\*.*?\*/)+", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_PLAIN = re.compile(r"[^\s,\]}/]+")
_REST_OF_LINE = re.compile(r"(?=((?:[ \t]*+(?://[^\r\n]*+|/\*[^\n]*?\*/))*))\1(?=[ \t]*+\r?\n)|")
_DEEPEST = 100


@frozen
class JsonNode:
    """A value in the text: its place, and for an object or an array what it holds. `key` is the place of its name."""

    start: int
    end: int
    name: str | None = None
    key: int = 0
    inner: tuple[JsonNode, ...] | None = None


def load(text: str) -> Any:
    """The value of a text; an empty one is an empty object. Raises InvalidFile with the line of the error."""
    return _value(text, _parse(text))


def set_member(text: str, path: Sequence[str], value: Any) -> str:
    """Sets the member at a path of names; makes the objects on the way."""
    text = text if text.strip() else "{}\n"
    node, found = _parse(text), 0
    for name in path:
        inner = _member(text, node, name)
        if inner is None:
            break
        node, found = inner, found + 1
    if found == len(path):
        line = "\r\n" if "\r\n" in text else "\n"
        return text[: node.start] + _dumped(value, text, _indent(text, node.start), line) + text[node.end :]
    for name in reversed(path[found + 1 :]):
        value = {name: value}
    _check_kind(text, node, "{", path[:found])
    return _insert(text, node, f"{json.dumps(path[found], ensure_ascii=False)}: ", value)


def add_item(text: str, path: Sequence[str], value: Any) -> str:
    """Appends an item to the array at a path of names; makes the array and the objects on the way."""
    node = _find(text, _parse(text if text.strip() else "{}\n"), path)
    if node is None:
        return set_member(text, path, [value])
    _check_kind(text, node, "[", path)
    return _insert(text, node, "", value)


def remove_member(text: str, path: Sequence[str]) -> str:
    """Removes the member at a path of names, if it exists."""
    parent = _find(text, _parse(text), path[:-1])
    if parent is None or parent.inner is None:
        return text
    for place, node in enumerate(parent.inner):
        if node.name == path[-1]:
            return _cut(text, parent, place)
    return text


def remove_item(text: str, path: Sequence[str | int], place: int) -> str:
    """Removes one item of the array at a path, if it exists; a number in the path means an item."""
    array = _find(text, _parse(text), path)
    if array is None or not array.inner or place >= len(array.inner):
        return text
    return _cut(text, array, place)


def _parse(text: str) -> JsonNode:
    at = _skip(text, 0)
    if at == len(text):
        return JsonNode(at, at, inner=())
    node = _read(text, at, 0)
    rest = _skip(text, node.end)
    if rest != len(text):
        raise _error(text, rest, "text after the end")
    return node


def _read(text: str, at: int, depth: int, name: str | None = None, key: int = 0) -> JsonNode:
    if depth > _DEEPEST:
        raise _error(text, at, "too deep")
    if text[at : at + 1] in ("{", "["):
        inner, end = _inner(text, at, depth)
        return JsonNode(at, end, name, key, inner)
    found = (_STRING if text[at : at + 1] == '"' else _PLAIN).match(text, at)
    if found is None:
        raise _error(text, at, "a value is missing")
    try:
        json.loads(found.group())
    except ValueError:
        raise _error(text, at, "not a value") from None
    return JsonNode(at, found.end(), name, key)


def _inner(text: str, start: int, depth: int) -> tuple[tuple[JsonNode, ...], int]:
    closing = "}" if text[start] == "{" else "]"
    found: list[JsonNode] = []
    at = _skip(text, start + 1)
    while text[at : at + 1] != closing:
        name, key = None, at
        if closing == "}":
            string = _STRING.match(text, at)
            if string is None:
                raise _error(text, at, "a name is missing")
            name, at = json.loads(string.group()), _skip(text, string.end())
            if text[at : at + 1] != ":":
                raise _error(text, at, "a colon is missing")
            at = _skip(text, at + 1)
        found.append(_read(text, at, depth + 1, name, key))
        at = _skip(text, found[-1].end)
        if text[at : at + 1] == ",":
            at = _skip(text, at + 1)
        elif text[at : at + 1] != closing:
            raise _error(text, at, f"a comma or {closing} is missing")
    return tuple(found), at + 1


def _insert(text: str, container: JsonNode, name: str, value: Any) -> str:
    """Inserts a value at the end of an object or array, indented as its neighbours."""
    inner, line = container.inner or (), "\r\n" if "\r\n" in text else "\n"
    if inner:
        last = inner[-1]
        comma = _skip(text, last.end)
        has_comma = text[comma : comma + 1] == ","
        if not has_comma:
            comma = last.end
            text = text[:comma] + "," + text[comma:]
        # After a comment on the same line, which belongs to the neighbour.
        at = _REST_OF_LINE.match(text, comma + 1).end()  # type: ignore[union-attr]  # It matches the empty text.
        one_line = "\n" not in text[container.start : container.end]
        indent = _indent(text, last.key)
        written = " " + name + _dumped(value) if one_line else line + indent + name + _dumped(value, text, indent, line)
        return text[:at] + written + ("," if has_comma else "") + text[at:]
    outer = _indent(text, container.start)
    indent = outer + _unit(text)
    body = f"{line}{indent}{name}{_dumped(value, text, indent, line)}{line}{outer}"
    if container.start == container.end:  # An empty file, perhaps with comments.
        return text + "{" + body + "}" + line
    return text[: container.end - 1].rstrip(" \t\r\n") + body + text[container.end - 1 :]


def _cut(text: str, container: JsonNode, place: int) -> str:
    """Removes a member or item with its comma, and the line that this leaves empty."""
    inner = container.inner or ()
    node = inner[place]
    start, after = node.key, _skip(text, node.end)
    removed = [(start, node.end)]
    if text[after] == ",":
        removed.append((after, after + 1))
    elif place:
        before = _skip(text, inner[place - 1].end)
        removed.insert(0, (before, before + 1))
        start -= 1
    for begin, end in reversed(removed):
        text = text[:begin] + text[end:]
    line, end = text.rfind("\n", 0, start) + 1, text.find("\n", start)
    if line and end >= 0 and not text[line:end].strip():
        return text[:line] + text[end + 1 :]
    return text[:start] + text[start + 1 :] if text[start - 1 : start + 1] == "  " else text


def _find(text: str, node: JsonNode, path: Sequence[str | int]) -> JsonNode | None:
    for name in path:
        found = _member(text, node, name)
        if found is None:
            return None
        node = found
    return node


def _member(text: str, node: JsonNode, name: str | int) -> JsonNode | None:
    if isinstance(name, int):
        return node.inner[name] if node.inner and name < len(node.inner) else None
    if node.inner is None or text[node.start : node.start + 1] == "[":
        return None
    # The last one counts, as in every JSON reader.
    return next((inner for inner in reversed(node.inner) if inner.name == name), None)


def _value(text: str, node: JsonNode) -> Any:
    if node.inner is None:
        return json.loads(text[node.start : node.end])
    if text[node.start : node.start + 1] == "[":
        return [_value(text, inner) for inner in node.inner]
    return {inner.name: _value(text, inner) for inner in node.inner}


def _check_kind(text: str, node: JsonNode, bracket: str, path: Sequence[str]) -> None:
    if node.start != node.end and text[node.start] != bracket:
        raise InvalidFile(f"{'.'.join(path) or 'the file'} is not {'an object' if bracket == '{' else 'a list'}")


def _dumped(value: Any, text: str = "", indent: str = "", line: str = "") -> str:
    """The value as JSON; over several lines if a line break is given."""
    if not line:
        return json.dumps(value, ensure_ascii=False)
    return json.dumps(value, ensure_ascii=False, indent=_unit(text)).replace("\n", line + indent)


def _indent(text: str, at: int) -> str:
    """The white space at the beginning of the line of a place."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _unit(text: str) -> str:
    """The indentation that the file uses: that of its first indented line."""
    for line in text.splitlines():
        if line[:1] in (" ", "\t") and line.strip() and not line.lstrip().startswith(("//", "/*", "*")):
            return line[: len(line) - len(line.lstrip())]
    return "  "


def _skip(text: str, at: int) -> int:
    found = _SKIPPED.match(text, at)
    return found.end() if found else at


def _error(text: str, at: int, what: str) -> InvalidFile:
    return InvalidFile(f"line {text.count(chr(10), 0, at) + 1}: {what}")
