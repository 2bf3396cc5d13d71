"""Splits the Markdown of an instruction file into paragraphs, list items, commands and table rows.

Line by line and in linear time, because such a file may come from anybody.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from holdfast.core.frozen import frozen

_HEADING = re.compile(r"(#{1,6})[ \t]+(.*)")
_ITEM = re.compile(r"([ \t]*)(?:[-*+]|(\d{1,3})[.)])[ \t]+(.*)")
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})[ \t]*(\w*)")
_ROW = re.compile(r"[ \t]*\|(.*)\|[ \t]*")
_RULE = re.compile(r"[ \t|:=*_-]*")
_OWN_BEGIN = re.compile(r"<!-- holdfast[^\n>]{0,40}begin")
_OWN_END = re.compile(r"<!-- holdfast[^\n>]{0,40}end")
_SHELLS = ("", "bash", "sh", "shell", "console", "zsh")
_COMMAND = re.compile(r"(?:\./)?[a-z][\w.-]*(?: .*|$)")
_MOST_COMMANDS, _LONGEST_COMMAND = 20, 160


@frozen
class Block:
    """A piece of text under its headings. `parent` is the item or paragraph that introduces an item."""

    kind: str  # paragraph, item, step, command or row
    text: str
    headings: tuple[str, ...] = ()
    parent: str = ""


class _Reader:
    """The state while the lines of a text are read."""

    def __init__(self) -> None:
        self.headings: list[str] = []
        self.paragraph: list[str] = []
        # The open item: its kind and lines; the items above it, each with its indentation.
        self.item: tuple[str, list[str]] | None = None
        self.above: list[tuple[int, str]] = []
        self.introduction = ""
        # The last row of a table, which is its header if a rule follows.
        self.last_row: Block | None = None

    def closed(self) -> Iterator[Block]:
        """The open row, item and paragraph, which end here."""
        if self.last_row is not None:
            yield self.last_row
            self.last_row = None
        if self.item is not None:
            kind, lines = self.item
            self.item, text = None, " ".join(lines)
            parent = next((above for _, above in reversed(self.above[:-1])), "") or self.introduction
            self.above[-1] = (self.above[-1][0], text)
            yield Block(kind, text, self._path(), parent)
        if self.paragraph:
            text = " ".join(self.paragraph)
            self.paragraph, self.introduction = [], text if text.endswith(":") else ""
            yield Block("paragraph", text, self._path())

    def heading(self, level: int, title: str) -> Iterator[Block]:
        yield from self.closed()
        del self.headings[level - 1 :]
        self.headings += [""] * (level - 1 - len(self.headings)) + [title.strip().rstrip("#").strip()]
        self.above, self.introduction = [], ""

    def begin_item(self, indent: int, number: str | None, text: str) -> Iterator[Block]:
        yield from self.closed()
        while self.above and self.above[-1][0] >= indent:
            self.above.pop()
        self.above.append((indent, ""))
        self.item = ("step" if number else "item", [text])

    def line(self, text: str) -> Iterator[Block]:
        if self.item is not None and (text[0] in " \t" or not self.paragraph):
            self.item[1].append(text.strip())
            return
        self.above = []
        self.paragraph.append(text.strip())
        yield from ()

    def blank(self) -> Iterator[Block]:
        yield from self.closed()

    def commands(self, language: str, lines: list[str]) -> Iterator[Block]:
        yield from self.closed()
        if language.lower() in _SHELLS:
            for text in _commands(lines):
                yield Block("command", text, self._path(), self.introduction)

    def row(self, cells: str) -> Iterator[Block]:
        yield from self.closed()
        parts = [part.strip() for part in cells.split("|") if part.strip()]
        if len(parts) > 1:
            self.last_row = Block("row", f"{parts[0]}: {'; '.join(parts[1:])}", self._path())

    def rule(self) -> Iterator[Block]:
        self.last_row = None
        yield from self.closed()

    def _path(self) -> tuple[str, ...]:
        return tuple(filter(None, self.headings))


def blocks(text: str) -> Iterator[Block]:
    """The blocks of a Markdown text in order, without comments, rules and long code."""
    reader = _Reader()
    fence: tuple[str, str, list[str]] | None = None
    for line in _without_comments(text).splitlines():
        if fence is not None:
            if line.strip().startswith(fence[0]):
                yield from reader.commands(fence[1], fence[2])
                fence = None
            else:
                fence[2].append(line)
        elif opened := _FENCE.match(line):
            fence = (opened[1], opened[2], [])
        else:
            yield from _read(reader, line)
    yield from reader.closed()


def _read(reader: _Reader, line: str) -> Iterator[Block]:
    if not line.strip():
        return reader.blank()
    if found := _HEADING.match(line):
        return reader.heading(len(found[1]), found[2])
    if _RULE.fullmatch(line):
        return reader.rule()
    if found := _ITEM.match(line):
        return reader.begin_item(len(found[1].expandtabs(4)), found[2], found[3])
    if found := _ROW.fullmatch(line):
        return reader.row(found[1])
    return reader.line(line)


def _without_comments(text: str) -> str:
    """Removes HTML comments, also one that is never closed, and the section that Holdfast itself wrote."""
    parts = _without_own_section(text).split("<!--")
    return parts[0] + "".join(part.partition("-->")[2] for part in parts[1:])


def _without_own_section(text: str) -> str:
    begin = _OWN_BEGIN.search(text)
    end = _OWN_END.search(text, begin.end()) if begin else None
    return text[: begin.start()] + text[end.start() :] if begin and end else text


def _commands(lines: list[str]) -> Iterator[str]:
    """The commands of a code block, each with the comment beside or above it; none of a block that is too long."""
    shown = [line.strip().removeprefix("$ ") for line in lines if line.strip()]
    if len(shown) > _MOST_COMMANDS or any(set(line) & set("├└│{}") for line in shown):
        return
    comment = ""
    for line in shown:
        if line.startswith("#"):
            comment = line.lstrip("# ")
            continue
        command, _, beside = line.partition(" # ")
        if len(command) <= _LONGEST_COMMAND and _COMMAND.match(command):
            about = beside.strip() or comment
            yield f"{about}: `{command.strip()}`" if about else f"`{command.strip()}`"
        comment = ""
