"""Cuts a text into pieces worth finding: by headings, blocks and sentences, each with its exact place (R-D3).

The pieces of a text stand in order, do not overlap, are never longer than the limit, and leave out nothing but
blank space between them.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, NamedTuple

from holdfast.documents.front_matter import front_matter_end

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

PROSE_LIMIT = 900
CODE_LIMIT = 1500
# A piece shorter than this part of the limit is worth filling up, even with the beginning of something long.
_SMALL = 3
_DEEPEST = 8
LONGEST_HEADING = 120


class ChunkSpan(NamedTuple):
    """A stretch of a text, from character `start` to before `end`, and the headings it stands under."""

    start: int
    end: int
    heading: tuple[str, ...] = ()


class MarkdownBlock(NamedTuple):
    """A paragraph, list, table, fence or heading; `cuts` are the places where it may be cut, the best first."""

    start: int
    end: int
    cuts: tuple[str, ...]
    level: int = 0
    title: str = ""


def chunk_markdown(text: str, limit: int = PROSE_LIMIT) -> tuple[ChunkSpan, ...]:
    """Pieces of one section each, of whole blocks where they fit. What is too long is cut between its sentences.

    A short section shares a piece with those beside or below it.
    """
    return chunk_blocks(text, _blocks(text), limit)


def chunk_blocks(
    text: str,
    blocks: Iterable[MarkdownBlock],
    limit: int,
    parts: Callable[[MarkdownBlock], Iterable[MarkdownBlock]] = lambda block: (block,),
) -> tuple[ChunkSpan, ...]:
    """The same of blocks that stand in order: what reads another markup gives its blocks here.

    A block may stand for several: `parts` gives them, and is asked only where a section does not fit in a piece.
    """
    pieces: list[ChunkSpan] = []
    for section in _gathered(_sections(blocks), limit):
        start, end = _trimmed(text, section.blocks[0].start, section.blocks[-1].end)
        if start < end <= start + limit:
            pieces.append(ChunkSpan(start, end, section.heading))
        else:
            whole = _Section(section.heading, [part for block in section.blocks for part in parts(block)])
            pieces += _packed(_units(text, whole, limit), limit)
    return tuple(pieces)


def chunk_text(text: str, limit: int = PROSE_LIMIT) -> tuple[ChunkSpan, ...]:
    """Pieces of whole paragraphs; a long paragraph is cut between its sentences."""
    paragraphs = [MarkdownBlock(start, end, IN_PARAGRAPH) for start, end in _split(text, 0, len(text), _BLANK_LINES)]
    return tuple(_packed(_units(text, _Section((), paragraphs), limit), limit))


def chunk_code(text: str, limit: int = CODE_LIMIT) -> tuple[ChunkSpan, ...]:
    """Pieces of whole definitions; one that is too long is cut between its inner ones.

    The heading of an inner piece is the first line of each definition around it.
    """
    return tuple(_packed(_SourceText(text, limit).units(), limit))


def line_numbers(text: str, offsets: Iterable[int]) -> Iterator[int]:
    """The line of each of these characters, counted from 1. Quick where one is not far from the one before."""
    if "\r" in text:
        starts = line_starts(text)
        yield from (bisect_right(starts, offset) for offset in offsets)
        return
    at, line = 0, 1
    for offset in offsets:
        line += text.count("\n", at, offset) - text.count("\n", offset, at)
        at = offset
        yield line


def line_starts(text: str) -> list[int]:
    """Where each line of a text starts."""
    if "\r" in text:
        return [0, *(match.end() for match in _pattern(_LINE_END).finditer(text))]
    # Why apart: it is nearly every text, and four times as quick.
    return list(accumulate((len(line) + 1 for line in text.split("\n")[:-1]), initial=0))


# --- Markdown: blocks, and the sections they make up.


class _Section(NamedTuple):
    heading: tuple[str, ...]
    blocks: list[MarkdownBlock]


class _Unit(NamedTuple):
    """What is not cut further. `part_of` numbers the block it was cut from; 0 is a whole block."""

    start: int
    end: int
    heading: tuple[str, ...]
    part_of: int = 0


def _blocks(text: str) -> list[MarkdownBlock]:
    begin = front_matter_end(text)
    tokens = _parser().parse(text[begin:])
    starts = line_starts(text[begin:])
    found = [MarkdownBlock(0, begin, IN_LINES)] if begin else []
    for place, token in enumerate(tokens):
        if token.level == 0 and token.map is not None and token.nesting >= 0:
            found.append(_block(token, tokens[place + 1 : place + 2], begin + starts[token.map[0]]))
    starts = [0, *(block.start for block in found[1:]), len(text)]
    return [MarkdownBlock(one, other, *block[2:]) for block, (one, other) in zip(found, pairwise(starts), strict=False)]


def _block(token: Token, inline: Sequence[Token], start: int) -> MarkdownBlock:
    if token.type == "heading_open":
        title = " ".join(inline[0].content.split())[:LONGEST_HEADING]
        return MarkdownBlock(start, start, IN_PARAGRAPH, int(token.tag[1:]), title)
    lined = token.type in ("fence", "code_block", "table_open", "html_block")
    return MarkdownBlock(start, start, IN_LINES if lined else IN_PARAGRAPH)


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark").enable("table")
    # Why without: what stands inside a line is of no interest here, and definitions of links are text like any other.
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser.disable("reference")


def _sections(blocks: Iterable[MarkdownBlock]) -> Iterator[_Section]:
    """A heading and what stands below it, up to the next. A heading without text of its own joins those below it."""
    path: list[MarkdownBlock] = []
    section = _Section((), [])
    for block in blocks:
        if block.level:
            last = section.blocks[-1].level if section.blocks else block.level
            path = [*(above for above in path if above.level < block.level), block]
            heading = tuple(above.title for above in path)
            if section.blocks and not 0 < last < block.level:
                yield section
                section = _Section(heading, [])
            section = _Section(heading, section.blocks)
        section.blocks.append(block)
    if section.blocks:
        yield section


def _gathered(sections: Iterable[_Section], limit: int) -> Iterator[_Section]:
    """Sections, the short ones together with those beside or below them."""
    group: _Section | None = None
    for section in sections:
        if group is None:
            group = section
        elif _joins(group, section, limit):
            heading = _common(group.heading, section.heading) if group.heading else section.heading
            group = _Section(heading, group.blocks + section.blocks)
        else:
            yield group
            group = section
    if group is not None:
        yield group


def _joins(group: _Section, section: _Section, limit: int) -> bool:
    begin, end = group.blocks[0].start, section.blocks[-1].end
    small = group.blocks[-1].end - begin < limit // _SMALL
    beside = len(_common(group.heading, section.heading)) >= max(1, len(group.heading) - 1)
    return small and end - begin <= limit and (beside or not group.heading)


def _common(one: tuple[str, ...], two: tuple[str, ...]) -> tuple[str, ...]:
    same = 0
    while same < min(len(one), len(two)) and one[same] == two[same]:
        same += 1
    return one[:same]


def _units(text: str, section: _Section, limit: int) -> Iterator[_Unit]:
    for number, block in enumerate(_glued(section.blocks), start=1):
        start, end = _trimmed(text, block.start, block.end)
        if start < end <= start + limit:  # Why apart: it is nearly every block.
            yield _Unit(start, end, section.heading)
            continue
        spans = list(_cut(text, start, end, limit, block.cuts))
        part_of = number if len(spans) > 1 else 0
        yield from (_Unit(start, end, section.heading, part_of) for start, end in spans)


def _glued(blocks: Iterable[MarkdownBlock]) -> Iterator[MarkdownBlock]:
    """The blocks, a heading as one with the paragraph below it: alone it would say little."""
    heading: MarkdownBlock | None = None
    for block in blocks:
        if heading is not None and block.cuts == IN_PARAGRAPH:
            block = MarkdownBlock(heading.start, *block[1:])
        elif heading is not None:
            yield heading
        heading = block if block.level else None
        if heading is None:
            yield block
    if heading is not None:
        yield heading


# --- Cutting and joining, for all kinds of text.

_LINE_END = r"(?>\r\n?|\n)"
_BLANK_LINES = rf"{_LINE_END}[ \t]*{_LINE_END}\s*"
_LIST_ITEM = rf"{_LINE_END}(?=[ \t]*(?:[-*+]|\d{{1,9}}[.)])[ \t])"
_SENTENCE_END = r"(?<=[.!?])[\"'”’)\]]*\s+|(?<=[。！？])"
_ESCAPED_LINE_END = r"(?:\\[rn])+"
_SPACE = r"\s+"
IN_LINES = (_BLANK_LINES, _LINE_END, _SPACE)
IN_PARAGRAPH = (_BLANK_LINES, _LIST_ITEM, _SENTENCE_END, _LINE_END, _ESCAPED_LINE_END, _SPACE)


def _cut(text: str, start: int, end: int, limit: int, cuts: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The stretches between the best cuts that are each within the limit; blank ones left out."""
    start, end = _trimmed(text, start, end)
    if end - start <= limit:
        if start < end:
            yield start, end
    elif cuts:
        for one, other in _split(text, start, end, cuts[0]):
            yield from _cut(text, one, other, limit, cuts[1:])
    else:
        yield from ((at, min(at + limit, end)) for at in range(start, end, limit))


def _split(text: str, start: int, end: int, cut: str) -> Iterator[tuple[int, int]]:
    at = start
    for match in _pattern(cut).finditer(text, start, end):
        yield at, match.end()
        at = match.end()
    yield at, end


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Without blank lines before and blank space after; the indentation of the first line stays."""
    kept = text[start:end].rstrip()
    if not kept[:1].isspace():
        return start, start + len(kept)
    blank = len(kept) - len(kept.lstrip())
    line = max(kept.rfind("\n", 0, blank), kept.rfind("\r", 0, blank)) + 1
    return start + line, start + len(kept)


def _packed(units: Iterable[_Unit], limit: int) -> Iterator[ChunkSpan]:
    """Neighbours share a piece while they fit. What was cut starts a piece of its own unless the last one is small."""
    held: _Unit | None = None
    for unit in units:
        if held is None:
            held = unit
        elif unit.end - held.start <= limit and _belongs(held, unit, limit):
            held = _Unit(held.start, unit.end, held.heading, unit.part_of)
        else:
            yield ChunkSpan(held.start, held.end, held.heading)
            held = unit
    if held is not None:
        yield ChunkSpan(held.start, held.end, held.heading)


def _belongs(held: _Unit, unit: _Unit, limit: int) -> bool:
    if unit.heading[: len(held.heading)] != held.heading:
        return False
    small = held.end - held.start < limit // _SMALL
    return small or (unit.heading == held.heading and unit.part_of in (0, held.part_of))


# --- Code: definitions by their indentation, whatever the language.


class _CodeLine:
    """A line of code: where it stands, how deep it is indented (None: blank), and whether it only closes something."""

    __slots__ = ("closes", "depth", "end", "said", "start")

    def __init__(self, text: str, start: int, end: int) -> None:
        line = text[start:end]
        self.start, self.end, self.said = start, end, line.strip()
        self.depth = len(line) - len(line.lstrip()) if self.said else None
        self.closes = bool(_pattern(_CLOSING).match(self.said))

    def begins(self, depth: int, before: _CodeLine) -> bool:
        """Does something begin here, at that depth or above? After a blank line, or after something deeper."""
        if self.depth is None or self.depth > depth or self.closes:
            return False
        return before.depth is None or before.depth > depth or before.closes


class _SourceText:
    """A source text, taken apart as far as the limit asks for."""

    def __init__(self, text: str, limit: int) -> None:
        self.text = text
        self.limit = limit
        self.rows = [_CodeLine(text, start, end) for start, end in pairwise([*line_starts(text), len(text)])]

    def units(self) -> Iterator[_Unit]:
        for number, (first, last) in enumerate(pairwise(self._heads(0, len(self.rows), 0)), start=1):
            found = list(self._taken_apart(first, last, (), 0, _DEEPEST))
            yield from (unit._replace(part_of=number if len(found) > 1 else 0) for unit in found)

    def _taken_apart(self, first: int, last: int, heading: tuple[str, ...], depth: int, levels: int) -> Iterator[_Unit]:
        """A definition as one unit if it fits, else what it is made of, else its lines."""
        start, end = _trimmed(self.text, self.rows[first].start, self.rows[last - 1].end)
        deeper = self._next_depth(first, last, depth) if levels and end - start > self.limit else None
        below = (*heading, self._name(first, last))
        if deeper is None:
            for span in _cut(self.text, start, end, self.limit, IN_LINES):
                yield _Unit(*span, heading if span[0] == start else below)
            return
        for one, other in pairwise(self._heads(first, last, deeper)):
            yield from self._taken_apart(one, other, heading if one == first else below, deeper, levels - 1)

    def _heads(self, first: int, last: int, depth: int) -> list[int]:
        inner = (place for place in range(first + 1, last) if self.rows[place].begins(depth, self.rows[place - 1]))
        return [first, *inner, last]

    def _next_depth(self, first: int, last: int, depth: int) -> int | None:
        depths = (row.depth for row in self.rows[first:last] if row.depth is not None and row.depth > depth)
        return min(depths, default=None)

    def _name(self, first: int, last: int) -> str:
        """The line that opens a definition: the last one before the first that is indented deeper."""
        depth = self.rows[first].depth or 0
        said = self.rows[first].said
        for row in self.rows[first + 1 : last]:
            if row.depth is not None and row.depth > depth:
                break
            said = row.said or said
        return said[:LONGEST_HEADING]


_CLOSING = r"[)\]}]|(?:end|else|elif|except|finally|catch)\b"


@cache
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text)
