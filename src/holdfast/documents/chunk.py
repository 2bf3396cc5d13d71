"""Cuts a text into chunks by headings, blocks and sentences, each with its exact position.

The chunks of a text are in order, do not overlap, are never longer than the limit, and omit only blank space.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, NamedTuple

from holdfast.text.patterns import compiled
from holdfast.text.yaml_fields import front_matter_end

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

PROSE_LIMIT = 900
CODE_LIMIT = 1500
# A chunk shorter than the limit divided by this takes more text, even the beginning of a long block.
_SMALL = 3
_DEEPEST = 8
LONGEST_HEADING = 120


class ChunkSpan(NamedTuple):
    """A span of a text, from character `start` up to `end`, and the headings above it."""

    start: int
    end: int
    heading: tuple[str, ...] = ()


class MarkupBlock(NamedTuple):
    """A paragraph, list, table, fence or heading; `cuts` are patterns of places to cut it, the best first."""

    start: int
    end: int
    cuts: tuple[str, ...]
    level: int = 0
    title: str = ""


def chunk_markdown(text: str, limit: int = PROSE_LIMIT) -> tuple[ChunkSpan, ...]:
    """Cuts Markdown into chunks, each of one section. Blocks that fit stay whole; long ones are cut between sentences.

    A short section shares a chunk with sections beside or below it.
    """
    return chunk_blocks(text, _blocks(text), limit)


def chunk_blocks(
    text: str,
    blocks: Iterable[MarkupBlock],
    limit: int,
    split: Callable[[MarkupBlock], Iterable[MarkupBlock]] = lambda block: (block,),
) -> tuple[ChunkSpan, ...]:
    """Cuts the blocks of any markup like `chunk_markdown`.

    `split` returns the smaller blocks inside a block; it is called only if a section does not fit in a chunk.
    """
    chunks: list[ChunkSpan] = []
    for section in _gathered(_sections(blocks), limit):
        start, end = _trimmed(text, section.blocks[0].start, section.blocks[-1].end)
        if start < end <= start + limit:
            chunks.append(ChunkSpan(start, end, section.heading))
        else:
            smaller = _Section(section.heading, [inner for block in section.blocks for inner in split(block)])
            chunks += _packed(_units(text, smaller, limit), limit)
    return tuple(chunks)


def chunk_text(text: str, limit: int = PROSE_LIMIT) -> tuple[ChunkSpan, ...]:
    """Cuts plain text into chunks of whole paragraphs; cuts long paragraphs between sentences."""
    paragraphs = [MarkupBlock(start, end, IN_PARAGRAPH) for start, end in _split(text, 0, len(text), _BLANK_LINES)]
    return tuple(_packed(_units(text, _Section((), paragraphs), limit), limit))


def chunk_code(text: str, limit: int = CODE_LIMIT) -> tuple[ChunkSpan, ...]:
    """Cuts source code into chunks of whole definitions; cuts long definitions between their inner ones.

    The heading of an inner chunk is the first line of each enclosing definition.
    """
    return tuple(_packed(_SourceText(text, limit).units(), limit))


def line_numbers(text: str, offsets: Iterable[int]) -> Iterator[int]:
    """Yields the line of each offset, counted from 1. Fast if each offset is near the one before."""
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
    """Returns the offset of each line of a text."""
    if "\r" in text:
        return [0, *(match.end() for match in compiled(_LINE_END).finditer(text))]
    # Nearly every text has no \r, and this is four times as fast.
    return list(accumulate((len(line) + 1 for line in text.split("\n")[:-1]), initial=0))


# --- Markdown: blocks, and the sections they make up.


class _Section(NamedTuple):
    heading: tuple[str, ...]
    blocks: list[MarkupBlock]


class _Unit(NamedTuple):
    """A span that is not cut further. `block` is the number of the block it was cut from; 0 means a whole block."""

    start: int
    end: int
    heading: tuple[str, ...]
    block: int = 0


def _blocks(text: str) -> list[MarkupBlock]:
    begin = front_matter_end(text)
    tokens = _parser().parse(text[begin:])
    starts = line_starts(text[begin:])
    blocks = [MarkupBlock(0, begin, IN_LINES)] if begin else []
    for place, token in enumerate(tokens):
        if token.level == 0 and token.map is not None and token.nesting >= 0:
            blocks.append(_block(token, tokens[place + 1 : place + 2], begin + starts[token.map[0]]))
    spans = pairwise([0, *(block.start for block in blocks[1:]), len(text)])
    return [MarkupBlock(start, end, *block[2:]) for block, (start, end) in zip(blocks, spans, strict=False)]


def _block(token: Token, inline: Sequence[Token], start: int) -> MarkupBlock:
    if token.type == "heading_open":
        title = " ".join(inline[0].content.split())[:LONGEST_HEADING]
        return MarkupBlock(start, start, IN_PARAGRAPH, int(token.tag[1:]), title)
    lined = token.type in ("fence", "code_block", "table_open", "html_block")
    return MarkupBlock(start, start, IN_LINES if lined else IN_PARAGRAPH)


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark").enable("table")
    # Inline markup is not needed, and link definitions are text like any other.
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser.disable("reference")


def _sections(blocks: Iterable[MarkupBlock]) -> Iterator[_Section]:
    """Yields each heading with the blocks up to the next one. A heading without text of its own joins the next."""
    path: list[MarkupBlock] = []
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
    """Joins short sections with those beside or below them."""
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


def _common(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    same = 0
    while same < min(len(first), len(second)) and first[same] == second[same]:
        same += 1
    return first[:same]


def _units(text: str, section: _Section, limit: int) -> Iterator[_Unit]:
    for number, block in enumerate(_glued(section.blocks), start=1):
        start, end = _trimmed(text, block.start, block.end)
        if start < end <= start + limit:  # A shortcut for nearly every block.
            yield _Unit(start, end, section.heading)
            continue
        spans = list(_cut(text, start, end, limit, block.cuts))
        cut_from = number if len(spans) > 1 else 0
        yield from (_Unit(start, end, section.heading, cut_from) for start, end in spans)


def _glued(blocks: Iterable[MarkupBlock]) -> Iterator[MarkupBlock]:
    """Joins each heading with the paragraph below it, because a heading alone says little."""
    heading: MarkupBlock | None = None
    for block in blocks:
        if heading is not None and block.cuts == IN_PARAGRAPH:
            block = MarkupBlock(heading.start, *block[1:])
        elif heading is not None:
            yield heading
        heading = block if block.level else None
        if heading is None:
            yield block
    if heading is not None:
        yield heading


# --- Cutting and joining, for all formats.

_LINE_END = r"(?:\r\n|\r(?!\n)|\n)"
_BLANK_LINES = rf"{_LINE_END}[ \t]*{_LINE_END}\s*"
_LIST_ITEM = rf"{_LINE_END}(?=[ \t]*(?:[-*+]|\d{{1,9}}[.)])[ \t])"
_SENTENCE_END = r"(?<=[.!?])[\"'”’)\]]*\s+|(?<=[。！？])"
_ESCAPED_LINE_END = r"(?:\\[rn])+"
_SPACE = r"\s+"
IN_LINES = (_BLANK_LINES, _LINE_END, _SPACE)
IN_PARAGRAPH = (_BLANK_LINES, _LIST_ITEM, _SENTENCE_END, _LINE_END, _ESCAPED_LINE_END, _SPACE)


def _cut(text: str, start: int, end: int, limit: int, cuts: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yields spans within the limit, cut at the best places; blank spans are left out."""
    start, end = _trimmed(text, start, end)
    if end - start <= limit:
        if start < end:
            yield start, end
    elif cuts:
        for first, last in _split(text, start, end, cuts[0]):
            yield from _cut(text, first, last, limit, cuts[1:])
    else:
        yield from ((at, min(at + limit, end)) for at in range(start, end, limit))


def _split(text: str, start: int, end: int, cut: str) -> Iterator[tuple[int, int]]:
    at = start
    for match in compiled(cut).finditer(text, start, end):
        yield at, match.end()
        at = match.end()
    yield at, end


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Trims blank lines at the start and blank space at the end; keeps the indentation of the first line."""
    kept = text[start:end].rstrip()
    if not kept[:1].isspace():
        return start, start + len(kept)
    blank = len(kept) - len(kept.lstrip())
    line = max(kept.rfind("\n", 0, blank), kept.rfind("\r", 0, blank)) + 1
    return start + line, start + len(kept)


def _packed(units: Iterable[_Unit], limit: int) -> Iterator[ChunkSpan]:
    """Joins neighbouring units while they fit. A cut block begins a new chunk unless the current one is small."""
    current: _Unit | None = None
    for unit in units:
        if current is None:
            current = unit
        elif unit.end - current.start <= limit and _belongs(current, unit, limit):
            current = _Unit(current.start, unit.end, current.heading, unit.block)
        else:
            yield ChunkSpan(current.start, current.end, current.heading)
            current = unit
    if current is not None:
        yield ChunkSpan(current.start, current.end, current.heading)


def _belongs(current: _Unit, unit: _Unit, limit: int) -> bool:
    if unit.heading[: len(current.heading)] != current.heading:
        return False
    small = current.end - current.start < limit // _SMALL
    return small or (unit.heading == current.heading and unit.block in (0, current.block))


# --- Code: definitions by their indentation, whatever the language.


class _CodeLine:
    """A line of code: position, content, indentation (`depth`, None if blank), and whether it only closes a block."""

    __slots__ = ("closes", "content", "depth", "end", "start")

    def __init__(self, text: str, start: int, end: int) -> None:
        line = text[start:end]
        self.start, self.end, self.content = start, end, line.strip()
        self.depth = len(line) - len(line.lstrip()) if self.content else None
        self.closes = bool(compiled(_CLOSING).match(self.content))

    def begins(self, depth: int, before: _CodeLine) -> bool:
        """Does a definition begin here, at most at that depth? It does after a blank or a deeper line."""
        if self.depth is None or self.depth > depth or self.closes:
            return False
        return before.depth is None or before.depth > depth or before.closes


class _SourceText:
    """A source text, split into definitions as far as the limit requires."""

    def __init__(self, text: str, limit: int) -> None:
        self.text = text
        self.limit = limit
        self.rows = [_CodeLine(text, start, end) for start, end in pairwise([*line_starts(text), len(text)])]

    def units(self) -> Iterator[_Unit]:
        for number, (first, last) in enumerate(pairwise(self._heads(0, len(self.rows), 0)), start=1):
            units = list(self._split(first, last, (), 0, _DEEPEST))
            yield from (unit._replace(block=number if len(units) > 1 else 0) for unit in units)

    def _split(self, first: int, last: int, heading: tuple[str, ...], depth: int, levels: int) -> Iterator[_Unit]:
        """Yields a definition as one unit if it fits, else its inner definitions, else its lines."""
        start, end = _trimmed(self.text, self.rows[first].start, self.rows[last - 1].end)
        deeper = self._next_depth(first, last, depth) if levels and end - start > self.limit else None
        below = (*heading, self._name(first, last))
        if deeper is None:
            for span in _cut(self.text, start, end, self.limit, IN_LINES):
                yield _Unit(*span, heading if span[0] == start else below)
            return
        for start_row, end_row in pairwise(self._heads(first, last, deeper)):
            inner_heading = heading if start_row == first else below
            yield from self._split(start_row, end_row, inner_heading, deeper, levels - 1)

    def _heads(self, first: int, last: int, depth: int) -> list[int]:
        inner = (place for place in range(first + 1, last) if self.rows[place].begins(depth, self.rows[place - 1]))
        return [first, *inner, last]

    def _next_depth(self, first: int, last: int, depth: int) -> int | None:
        depths = (row.depth for row in self.rows[first:last] if row.depth is not None and row.depth > depth)
        return min(depths, default=None)

    def _name(self, first: int, last: int) -> str:
        """Returns the line that opens a definition: the last one before the first deeper line."""
        depth = self.rows[first].depth or 0
        name = self.rows[first].content
        for row in self.rows[first + 1 : last]:
            if row.depth is not None and row.depth > depth:
                break
            name = row.content or name
        return name[:LONGEST_HEADING]


_CLOSING = r"[)\]}]|(?:end|else|elif|except|finally|catch)\b"
