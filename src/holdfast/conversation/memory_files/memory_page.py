"""MEMORY.md as text: sections by type, a line for each memory with a hidden anchor, and how it is read back."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from holdfast.conversation.memory_files.one_line import fold, unfold
from holdfast.core.ids import short
from holdfast.core.memory import Memory

if TYPE_CHECKING:
    from holdfast.core.memory_types import TypeRegistry

LIMIT = 8_192
# The ending of a line that shows only the beginning of its memory.
MORE = " […]"
NOT_TAKEN = "Not taken in"

_HEAD = "# Memory\n\n"
_INTRO = "Change a line to correct it, delete it to forget it, add one to teach it."
_LEFT_OUT = "{n} more did not fit here; `holdfast list` shows them all."
_REFUSED = "These lines were not kept. Change or delete them."
_OTHER_TITLES = {"rules": "requirement", "rule": "requirement", "constraints": "requirement"}
_ID = "[0-9a-hjkmnp-tv-z]{8}"
_ANCHOR = re.compile(rf"<!--\s*({_ID})\s*-->")
_FOOT = re.compile(r"<!--\s*page:(\d{1,9}-[0-9a-f]{12})\s*-->")
_STRANGE = re.compile(rf"<!--(?!\s*{_ID}\s*-->)(?:(?!<!--).)*?-->")
_BROKEN = re.compile(r"<!-{1,2}\s*(?:[0-9a-z]{1,8}\s*)?-{0,2}$")
_HEADING = re.compile(r" {0,3}#{1,6}(?=\s|$)")
_BULLET = re.compile(r"(\s*)(?:[-*+•]|\d{1,9}[.)])(?:\s+(.*))?$")
_RULE = re.compile(r"\s*(?:[-*_=]\s*){3,}$")
_FENCE = re.compile(r"\s*(```+|~~~+)")
_FURNITURE = re.compile(
    "|".join((re.escape(_INTRO), re.escape(_REFUSED), re.escape(_LEFT_OUT).replace(re.escape("{n}"), r"\d+")))
)


@dataclass(frozen=True, slots=True)
class PageEntry:
    """A memory and the text that stands for it: its own, or a shorter one, which is a view and never a correction."""

    memory: Memory
    text: str


@dataclass(frozen=True, slots=True)
class PageLine:
    """A line of the page as read: what it says, under which title, and whose line it is."""

    text: str
    section: str = ""
    anchor: str | None = None


@dataclass(frozen=True, slots=True)
class MemoryPage:
    """A page as read. `id` names the writing of it that was edited; without one its end may be missing."""

    items: tuple[PageLine, ...]
    id: str | None = None


def belongs(memory: Memory, sections: Mapping[str, str]) -> bool:
    """May this memory stand on the page, which every prompt carries? Not while it waits for a person's look."""
    held = not memory.forgotten and memory.valid_until is None
    trusted = not memory.needs_review and (memory.taint is None or memory.verified)
    anchored = re.fullmatch(_ID, short(memory.id)) is not None
    return held and trusted and anchored and memory.type in sections


def write(
    shown: Sequence[PageEntry], sections: Mapping[str, str], *, left_out: int = 0, refused: Sequence[str] = ()
) -> str:
    """The page without its last line, with the sections in this order. The same memories give the same text."""
    parts = [_HEAD + _INTRO + "\n"]
    for type, title in sections.items():
        if lines := [line(one) for one in shown if one.memory.type == type]:
            parts.append(heading(title) + "".join(lines))
    if left_out:
        parts.append("\n" + _LEFT_OUT.format(n=left_out) + "\n")
    if refused:
        parts.append(f"\n## {NOT_TAKEN}\n\n{_REFUSED}\n\n" + "".join(f"- {fold(text)}\n" for text in refused))
    return "".join(parts)


def signed(body: str, number: int) -> str:
    """The page with its last line, which says which writing it is and that nothing of it is missing."""
    return f"{body}\n<!--page:{number}-{hashlib.sha256(body.encode()).hexdigest()[:12]}-->\n"


def line(one: PageEntry) -> str:
    """The line of one memory. Why no space in the anchor: an editor that wraps lines cannot break it."""
    return f"- {fold(one.text)} <!--{short(one.memory.id)}-->\n"


def parse(text: str) -> MemoryPage:
    """Reads a page that an editor, a formatter or a person may have changed in any way."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    foot = _FOOT.search(text)
    items: list[PageLine] = []
    for block in _blocks(_FOOT.sub("", text).split("\n")):
        items += _items(block)
    return MemoryPage(tuple(items), foot.group(1) if foot else None)


def number_of(page_id: str | None) -> int:
    """How many times the page had been written."""
    return int(page_id.partition("-")[0]) if page_id else 0


def heading(title: str) -> str:
    """The heading of a section, with its blank lines."""
    return f"\n## {title}\n\n"


def type_of(section: str, types: TypeRegistry) -> str | None:
    """The type that the title of a section names, or None: `Decisions`, `decision` and `rules` are understood."""
    name = " ".join(section.casefold().replace("_", " ").strip(" :").split())
    names = ((type.name.replace("_", " "), type.name) for type in types)
    known = {form: type for plain, type in names for form in (plain, plain + "s")}
    titles = {title.casefold(): type for type, title in types.sections.items()}
    return (known | titles | _OTHER_TITLES).get(name)


def same(one: str, other: str) -> bool:
    """Do two texts differ in nothing but their spacing? Editors wrap, indent and strip."""
    return one == other or one.split() == other.split()


def plain(text: str) -> str:
    """The text with every spacing the same: what `same` compares."""
    return " ".join(text.split())


def for_prompt(body: str) -> str:
    """The page as it may stand in a prompt: without what is there for those who edit it."""
    return _ANCHOR.sub("", body).replace(_INTRO + "\n\n", "").replace(" \n", "\n")


@dataclass(slots=True)
class _LineBlock:
    """Lines that belong together: a list item or a paragraph."""

    section: str
    indent: int
    bullet: bool
    parts: list[str]
    anchored: bool = False

    def add(self, text: str, joint: str = "") -> None:
        self.parts += [joint, text] if self.parts else [text]
        self.anchored = self.anchored or _ANCHOR.search(text) is not None

    @property
    def text(self) -> str:
        return "".join(self.parts)


class _PageParser:
    """Goes through the lines and tells where one item ends and the next begins."""

    def __init__(self) -> None:
        self.blocks: list[_LineBlock] = []
        self._section = ""
        self._open: _LineBlock | None = None
        self._blank = False
        self._fence = ""

    def take(self, line: str) -> None:
        if self._fence:
            self._in_fence(line)
        elif not line.strip():
            self._blank = True
        else:
            self._in_text(line)
            self._blank = False

    def _in_text(self, line: str) -> None:
        bullet = _BULLET.match(line)
        if self._goes_on(line, bullet):
            assert self._open is not None
            self._open.add(line.strip(), "\n" if bullet or self._blank else " ")
        elif heading := _HEADING.match(line):
            self._section, self._open = unfold(line[heading.end() :].strip().rstrip("#").rstrip()), None
        elif _RULE.match(line):
            self._open = None
        elif bullet:
            self._begin(len(bullet.group(1)), True, (bullet.group(2) or "").rstrip())
        else:
            self._begin(_indent(line), False, line.strip())
        if (fence := _FENCE.match(bullet.group(2) or "" if bullet else line)) and self._open:
            self._fence = fence.group(1)

    def _goes_on(self, line: str, bullet: re.Match[str] | None) -> bool:
        """Does this line belong to the item above it? Wrapped, indented below it, or the rest of a paragraph."""
        if self._open is None:
            return False
        deeper = _indent(line) >= self._open.indent + 2
        if bullet:
            # Why: a line with an anchor, below an item that has its own, was an item before somebody indented it.
            return deeper and self._open.bullet and not (self._open.anchored and _ANCHOR.search(line))
        if self._open.anchored and not deeper:
            return False  # Why: an anchor ends its line; what was wrapped stands before it.
        if _HEADING.match(line) or _RULE.match(line):
            return deeper and not self._blank and self._open.bullet
        return (deeper and self._open.bullet) if self._blank else True

    def _begin(self, indent: int, bullet: bool, text: str) -> None:
        self._open = _LineBlock(self._section, indent, bullet, [])
        if text:
            self._open.add(text)
        self.blocks.append(self._open)

    def _in_fence(self, line: str) -> None:
        assert self._open is not None
        self._open.add(line[min(_indent(line), self._open.indent + 2 * self._open.bullet) :].rstrip(), "\n")
        if line.strip().startswith(self._fence):
            self._fence, self._open = "", None if not self._open.bullet else self._open


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _blocks(lines: list[str]) -> list[_LineBlock]:
    reader = _PageParser()
    for line in lines:
        reader.take(_BROKEN.sub("", _STRANGE.sub("", line).rstrip()) if "<" in line else line)
    return [block for block in reader.blocks if not _FURNITURE.fullmatch(block.text)]


def _items(block: _LineBlock) -> list[PageLine]:
    """The items of a block: usually one; a line that was joined from two has two anchors and is two items."""
    pieces = _ANCHOR.split(block.text)
    texts, anchors = pieces[::2], pieces[1::2]
    if not anchors:
        return [PageLine(unfold(block.text.strip()), block.section)] if block.text.strip() else []
    if (tail := texts.pop()).strip():
        joint = "\n" if tail.startswith("\n") else " "
        texts[-1] = texts[-1].rstrip() + joint + tail.strip()
    parts = [texts[0], *(re.sub(r"^\s*[-*+]\s+", "", text) for text in texts[1:])]
    return [PageLine(unfold(text.strip()), block.section, anchor) for text, anchor in zip(parts, anchors, strict=True)]
