"""Cuts a file into spans at the borders of its definitions: a function is never cut, unless it is very long.

The spans are in order and do not overlap. Together they contain every line of code.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from holdfast.codegraph.code_records import MODULE, Definition
from holdfast.core.code import CodeSpan

# A class longer than this is cut into its head and its members.
_LONG = 1_500
# A part shorter than the first number shares a span with its neighbours, up to the second.
_SHORT, _JOINED = 400, 900
# A longer function is cut at the definitions inside it: some test files are one function.
_VERY_LONG = 12_000
_CONTAINERS = ("class", "interface", "enum", "module")
_KINDS = (*_CONTAINERS, "function", "method", "type")
# What belongs to the definition below it: comments, decorators and attributes.
_LEADING = ("#", "//", "/*", "*", "@", "--", '"""')


class _CodePart(NamedTuple):
    """Lines with their heading; `joins` says whether they may share a span with short neighbours."""

    line: int
    end_line: int
    heading: tuple[str, ...]
    joins: bool = True


def code_spans(text: str, definitions: Sequence[Definition]) -> tuple[CodeSpan, ...]:
    """Returns the spans of a file. `definitions` are those that its language found."""
    # Not `splitlines`, which ends lines at further characters than a parser does.
    file = _SpanFinder([f"{line}\n" for line in text.split("\n")], definitions)
    return tuple(CodeSpan(part.line, part.end_line, part.heading) for part in file.joined(file.parts()))


class _SpanFinder:
    """Finds the spans of one file."""

    def __init__(self, lines: list[str], definitions: Sequence[Definition]) -> None:
        self._lines = lines
        self._sizes = [0]
        for line in lines:
            self._sizes.append(self._sizes[-1] + len(line))
        self._members: dict[int, list[int]] = {}
        self._definitions = definitions
        for place, definition in enumerate(definitions):
            if definition.kind in _KINDS:
                self._members.setdefault(self._outer(definition.parent), []).append(place)

    def parts(self) -> Iterator[_CodePart]:
        """Yields the parts of the whole file."""
        return self._inside(1, len(self._lines), MODULE, ())

    def joined(self, parts: Iterator[_CodePart]) -> Iterator[_CodePart]:
        """Joins short neighbours below the same headings, and drops parts without text."""
        current: _CodePart | None = None
        for part in parts:
            if not self._has_text(part):
                continue
            if current is not None and self._join(current, part):
                current = _CodePart(current.line, part.end_line, _together(current.heading, part.heading))
                continue
            if current is not None:
                yield current
            current = part
        if current is not None:
            yield current

    def _inside(self, first: int, last: int, parent: int, heading: tuple[str, ...]) -> Iterator[_CodePart]:
        """Yields the parts of some lines: the definitions in them, and what is between these."""
        line = first
        for place in self._members.get(parent, ()):
            definition = self._definitions[place]
            start = max(self._with_leading_lines(definition.start_line, line), line)
            end = min(definition.end_line, last)
            if start > end:
                continue  # It shares its lines with the one before.
            if line < start:
                yield _CodePart(line, start - 1, heading)
            yield from self._definition(place, start, end, heading)
            line = end + 1
        if line <= last:
            yield _CodePart(line, last, heading)

    def _definition(self, place: int, start: int, end: int, heading: tuple[str, ...]) -> Iterator[_CodePart]:
        definition = self._definitions[place]
        own = (*heading, f"{definition.kind}: {definition.qualified}")
        size = self._size(start, end)
        longest = _LONG if definition.kind in _CONTAINERS else _VERY_LONG
        if size <= longest or not self._members.get(place):
            yield _CodePart(start, end, own, joins=definition.kind not in _CONTAINERS)
        else:
            yield from self._inside(start, end, place, own)

    def _outer(self, parent: int) -> int:
        """The nearest enclosing definition that can be cut; blocks and variables around a function do not count."""
        while parent != MODULE and self._definitions[parent].kind not in _KINDS:
            parent = self._definitions[parent].parent
        return parent

    def _with_leading_lines(self, line: int, above: int) -> int:
        """The first of the comments and decorators directly above a definition."""
        while line > above and self._lines[line - 2].strip().startswith(_LEADING):
            line -= 1
        return line

    def _join(self, one: _CodePart, other: _CodePart) -> bool:
        beside = one.heading[:-1] == other.heading[:-1] or one.heading == other.heading[:-1]
        short = min(self._size(*one[:2]), self._size(*other[:2])) < _SHORT
        return one.joins and other.joins and beside and short and self._size(one.line, other.end_line) <= _JOINED

    def _size(self, first: int, last: int) -> int:
        return self._sizes[min(last, len(self._lines))] - self._sizes[first - 1]

    def _has_text(self, part: _CodePart) -> bool:
        return any(line.strip() for line in self._lines[part.line - 1 : part.end_line])


def _together(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    """The heading of two neighbours: the common part, and the names of both."""
    if one == other or other == one[:-1]:
        return one
    if other[:-1] == one:
        return other
    return (*one[:-1], f"{one[-1]}, {other[-1].partition(': ')[2]}")
