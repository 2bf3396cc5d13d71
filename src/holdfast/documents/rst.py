"""Takes reStructuredText apart: sections by their underlines, paragraphs, and what is indented below them.

Why not a full parser: what is needed are headings and where a text may be cut, and cutting must keep up with the disk.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, partial

from holdfast.documents.chunk import (
    IN_LINES,
    IN_PARAGRAPH,
    LONGEST_HEADING,
    PROSE_LIMIT,
    ChunkSpan,
    MarkdownBlock,
    chunk_blocks,
)

_ROW = r"([!-/:-@\[-`{-~])\1{2,}"
# Why with the line end before it: a pattern that begins with a literal is found many times as quick.
_UNDERLINE = rf"(?m)\n{_ROW}[ \t\r]*$"
_GAP = r"\n(?:[ \t\r]*\n)+"
_CODE = r"\.\. (?:code|code-block|sourcecode|parsed-literal|literalinclude|math|table|csv-table|list-table|raw)::"
_TABLE = r"\+[-=]{2,}[-=+]*\+|={2,}[ \t]+="
_LINED = rf"{_CODE}|{_TABLE}"


def chunk_restructured(text: str, limit: int = PROSE_LIMIT) -> tuple[ChunkSpan, ...]:
    """Pieces of one section each, of whole blocks where they fit; code and tables are cut between lines only."""
    return chunk_blocks(text, _blocks(text), limit, partial(_parts, text))


def _blocks(text: str) -> Iterator[MarkdownBlock]:
    """The headings, and all that stands between two of them as one block."""
    at = 0
    for start, end, level, title in (*_headings(text), (len(text), len(text), 0, "")):
        at = _begin(text, at, start)
        if at < start:
            yield MarkdownBlock(at, start, IN_PARAGRAPH)
        if level:
            yield MarkdownBlock(start, end, IN_PARAGRAPH, level, title)
        at = end


def _headings(text: str) -> Iterator[tuple[int, int, int, str]]:
    """Where each heading starts and ends, how deep it is, and what it says. Depth follows the order of first use."""
    levels: dict[str, int] = {}
    last = 0
    for line in _pattern(_UNDERLINE).finditer(text):
        found = _heading(text, line.start(1), line.group().strip())
        if found is not None and found[0] >= last:
            start, title, overlined = found
            last = line.end()
            style = line[1] * (1 + overlined)
            yield start, last, levels.setdefault(style, len(levels) + 1), title


def _heading(text: str, at: int, underline: str) -> tuple[int, str, bool] | None:
    """Where the heading starts that is underlined there, its title, and whether a line stands above it too."""
    start = text.rfind("\n", 0, at - 1) + 1
    title = text[start:at].strip()
    if not title or (len(underline) < 4 and len(underline) < len(title)) or _pattern(_ROW).fullmatch(title):
        return None
    above = text.rfind("\n", 0, start - 1) + 1 if start else 0
    before = text[above:start].strip()
    if before == underline:
        return above, title[:LONGEST_HEADING], True
    alone = not before and text[start] not in " \t"
    return (start, title[:LONGEST_HEADING], False) if alone else None


def _begin(text: str, start: int, end: int) -> int:
    """The start of the first line that is not blank."""
    blank = _pattern(r"\s*").match(text, start, end)
    assert blank is not None
    return max(start, text.rfind("\n", start, blank.end()) + 1)


def _parts(text: str, block: MarkdownBlock) -> Iterator[MarkdownBlock]:
    """Paragraphs, and what is indented below one as a block of its own; a directive and its content are one."""
    if block.level:
        yield block
        return
    held: MarkdownBlock | None = None
    at = block.start
    for after in (*[gap.end() for gap in _pattern(_GAP).finditer(text, at, block.end)], block.end):
        if at >= after:
            continue
        if held is None:
            held = MarkdownBlock(at, after, _cuts(text, at, None))
        elif text[at] in " \t" and _continues(text, held):
            held = MarkdownBlock(held.start, after, held.cuts)
        else:
            yield held
            held = MarkdownBlock(at, after, _cuts(text, at, held))
        at = after
    if held is not None:
        yield held


def _continues(text: str, held: MarkdownBlock) -> bool:
    """Does what is indented belong to the block before it? It does below a directive, and to what is indented too."""
    return text[held.start] in " \t" or text.startswith(".. ", held.start)


def _cuts(text: str, start: int, before: MarkdownBlock | None) -> tuple[str, ...]:
    sign = text[start]
    if sign in " \t":
        lined = before is not None and text[before.start : before.end].rstrip().endswith("::")
    else:  # Why the sign first: few paragraphs begin with one of these.
        lined = sign in ".+=" and _pattern(_LINED).match(text, start) is not None
    return IN_LINES if lined else IN_PARAGRAPH


@cache
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text)
