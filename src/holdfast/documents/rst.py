"""Cuts reStructuredText into chunks by its underlined headings, paragraphs and indented blocks.

Not a full parser: only headings and places to cut are needed, and chunking must be as fast as the disk.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from holdfast.documents.chunk import (
    IN_LINES,
    IN_PARAGRAPH,
    LONGEST_HEADING,
    PROSE_LIMIT,
    ChunkSpan,
    MarkupBlock,
    chunk_blocks,
)
from holdfast.text.patterns import compiled

_ROW = r"([!-/:-@\[-`{-~])\1{2,}"
# It begins with the line end, because searching is many times faster for a pattern that begins with a literal.
_UNDERLINE = rf"(?m)\n{_ROW}[ \t\r]*$"
_GAP = r"\n(?:[ \t\r]*\n)+"
_CODE = r"\.\. (?:code|code-block|sourcecode|parsed-literal|literalinclude|math|table|csv-table|list-table|raw)::"
_TABLE = r"\+[-=]{2}[-=+]*\+|={2,}[ \t]+="
_LINED = rf"{_CODE}|{_TABLE}"


def chunk_restructured(text: str, limit: int = PROSE_LIMIT) -> tuple[ChunkSpan, ...]:
    """Cuts a text into chunks, each of one section. Whole blocks if they fit; code and tables are cut between lines."""
    return chunk_blocks(text, _blocks(text), limit, partial(_paragraphs, text))


def _blocks(text: str) -> Iterator[MarkupBlock]:
    """Yields each heading, and the text between two headings as one block."""
    at = 0
    for start, end, level, title in (*_headings(text), (len(text), len(text), 0, "")):
        at = _begin(text, at, start)
        if at < start:
            yield MarkupBlock(at, start, IN_PARAGRAPH)
        if level:
            yield MarkupBlock(start, end, IN_PARAGRAPH, level, title)
        at = end


def _headings(text: str) -> Iterator[tuple[int, int, int, str]]:
    """Yields start, end, level and title of each heading. The first style used has level 1, the next level 2, …"""
    levels: dict[str, int] = {}
    last = 0
    for line in compiled(_UNDERLINE).finditer(text):
        found = _heading(text, line.start(1), line.group().strip())
        if found is not None and found[0] >= last:
            start, title, overlined = found
            last = line.end()
            style = line[1] * (1 + overlined)
            yield start, last, levels.setdefault(style, len(levels) + 1), title


def _heading(text: str, at: int, underline: str) -> tuple[int, str, bool] | None:
    """Returns the start and title of the heading above an underline, and whether it has an overline too."""
    start = text.rfind("\n", 0, at - 1) + 1
    title = text[start:at].strip()
    if not title or (len(underline) < 4 and len(underline) < len(title)) or compiled(_ROW).fullmatch(title):
        return None
    above = text.rfind("\n", 0, start - 1) + 1 if start else 0
    before = text[above:start].strip()
    if before == underline:
        return above, title[:LONGEST_HEADING], True
    alone = not before and text[start] not in " \t"
    return (start, title[:LONGEST_HEADING], False) if alone else None


def _begin(text: str, start: int, end: int) -> int:
    """Returns the start of the first line that is not blank."""
    blank = compiled(r"\s*").match(text, start, end)
    assert blank is not None
    return max(start, text.rfind("\n", start, blank.end()) + 1)


def _paragraphs(text: str, block: MarkupBlock) -> Iterator[MarkupBlock]:
    """Splits a block into paragraphs and indented blocks; a directive and its content stay together."""
    if block.level:
        yield block
        return
    current: MarkupBlock | None = None
    at = block.start
    for after in (*[gap.end() for gap in compiled(_GAP).finditer(text, at, block.end)], block.end):
        if at >= after:
            continue
        if current is None:
            current = MarkupBlock(at, after, _cuts(text, at, None))
        elif text[at] in " \t" and _continues(text, current):
            current = MarkupBlock(current.start, after, current.cuts)
        else:
            yield current
            current = MarkupBlock(at, after, _cuts(text, at, current))
        at = after
    if current is not None:
        yield current


def _continues(text: str, current: MarkupBlock) -> bool:
    """Does an indented paragraph belong to the current block? It does if that is a directive or indented itself."""
    return text[current.start] in " \t" or text.startswith(".. ", current.start)


def _cuts(text: str, start: int, before: MarkupBlock | None) -> tuple[str, ...]:
    sign = text[start]
    if sign in " \t":
        lined = before is not None and text[before.start : before.end].rstrip().endswith("::")
    else:  # Check the sign first: few paragraphs begin with one of these.
        lined = sign in ".+=" and compiled(_LINED).match(text, start) is not None
    return IN_LINES if lined else IN_PARAGRAPH
