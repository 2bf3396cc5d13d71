"""Takes reStructuredText apart: sections by their underlines, paragraphs, and what is indented below them.

Why not a full parser: what is needed are headings and where a text may be cut, and cutting must keep up with the disk.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from holdfast.documents.chunk import IN_LINES, IN_PARAGRAPH, LONGEST_HEADING, PROSE_LIMIT, Block, Piece, chunk_blocks

_MARK = r"[!-/:-@\[-`{-~]"
_UNDERLINE = rf"(?m)^({_MARK})\1{{2,}}[ \t\r]*$"
_GAP = r"\n(?:[ \t\r]*\n)+"
_CODE = r"\.\. (?:code|code-block|sourcecode|parsed-literal|literalinclude|math|table|csv-table|list-table|raw)::"
_TABLE = r"\+[-=]{2,}[-=+]*\+|={2,}[ \t]+="


def chunk_restructured(text: str, limit: int = PROSE_LIMIT) -> tuple[Piece, ...]:
    """Pieces of one section each, of whole blocks where they fit; code and tables are cut between lines only."""
    return chunk_blocks(text, list(_blocks(text)), limit)


def _blocks(text: str) -> Iterator[Block]:
    at = 0
    for start, end, level, title in _headings(text):
        yield from _below_heading(text, at, start)
        yield Block(start, end, IN_PARAGRAPH, level, title)
        at = end
    yield from _below_heading(text, at, len(text))


def _headings(text: str) -> Iterator[tuple[int, int, int, str]]:
    """Where each heading starts and ends, how deep it is, and what it says. Depth follows the order of first use."""
    levels: dict[str, int] = {}
    last = 0
    for line in _pattern(_UNDERLINE).finditer(text):
        found = _heading(text, line.start(), line.group().rstrip())
        if found is not None and found[0] >= last:
            start, title, overlined = found
            last = line.end()
            style = line[1] * (1 + overlined)
            yield start, last, levels.setdefault(style, len(levels) + 1), title


def _heading(text: str, at: int, underline: str) -> tuple[int, str, bool] | None:
    """Where the heading starts that is underlined there, its title, and whether a line stands above it too."""
    start = text.rfind("\n", 0, at - 1) + 1 if at else 0
    title = text[start:at].strip()
    if not title or (len(underline) < 4 and len(underline) < len(title)) or _pattern(_UNDERLINE).match(title):
        return None
    above = text.rfind("\n", 0, start - 1) + 1 if start else 0
    before = text[above:start].strip()
    if before == underline:
        return above, title[:LONGEST_HEADING], True
    alone = not before and text[start] not in " \t"
    return (start, title[:LONGEST_HEADING], False) if alone else None


def _below_heading(text: str, start: int, end: int) -> Iterator[Block]:
    """Paragraphs, and what is indented below one as a block of its own; a directive and its content are one."""
    held: Block | None = None
    at = _begin(text, start, end)
    for after in (*(gap.end() for gap in _pattern(_GAP).finditer(text, at, end)), end):
        if at >= after:
            continue
        if held is not None and text[at] in " \t" and _continues(text, held):
            held = held._replace(end=after)
        else:
            if held is not None:
                yield held
            held = Block(at, after, _cuts(text, at, held))
        at = after
    if held is not None:
        yield held


def _begin(text: str, start: int, end: int) -> int:
    """The start of the first line that is not blank."""
    blank = _pattern(r"\s*").match(text, start, end)
    assert blank is not None
    return max(start, text.rfind("\n", start, blank.end()) + 1)


def _continues(text: str, held: Block) -> bool:
    """Does what is indented belong to the block before it? It does below a directive, and to what is indented too."""
    return text[held.start] in " \t" or text.startswith(".. ", held.start)


def _cuts(text: str, start: int, before: Block | None) -> tuple[str, ...]:
    literal = before is not None and text[start] in " \t" and text[before.start : before.end].rstrip().endswith("::")
    lined = literal or _pattern(_CODE).match(text, start) or _pattern(_TABLE).match(text, start)
    return IN_LINES if lined else IN_PARAGRAPH


@cache
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text)
