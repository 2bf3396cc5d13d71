"""Writes and parses the text of MEMORY.md: sections by type, and a line with a hidden anchor for each memory."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from holdfast.core.anchor import WARNINGS
from holdfast.core.frozen import frozen
from holdfast.core.ids import short
from holdfast.core.memory import Memory
from holdfast.core.origin import WITH_DATE, occasion, with_date
from holdfast.sessions.memory_files.one_line import fold, unfold

if TYPE_CHECKING:
    from holdfast.core.memory_types import TypeRegistry

LIMIT = 8_192
# The end of a line that shows only the beginning of its memory.
CUT_MARK = " […]"
REFUSED_SECTION = "Not taken in"

_HEAD = "# Memory\n\n"
_INTRO = "Change a line to correct it, delete it to forget it, add one to teach it."
_LEFT_OUT = "{n} more did not fit here; `holdfast list` shows them all."
_REFUSED = "These lines were not kept. Change or delete them."
_OTHER_TITLES = {"rules": "requirement", "rule": "requirement", "constraints": "requirement"}
_ID = "[0-9a-hjkmnp-tv-z]{8}"
_ANCHOR = re.compile(rf"<!--\s*({_ID})\s*-->")
_FOOTER = re.compile(r"<!--\s*page:(\d{1,9}-[0-9a-f]{12})\s*-->")
_OTHER_COMMENT = re.compile(rf"<!--(?!\s*{_ID}\s*-->)(?:(?!<!--).)*?-->")
_BROKEN_ANCHOR = re.compile(r"<!-{1,2}\s*(?:[0-9a-z]{1,8}\s*)?-{0,2}$")
_HEADING = re.compile(r" {0,3}#{1,6}(?=\s|$)")
_BULLET = re.compile(r"(\s*)(?:[-*+•]|\d{1,9}[.)])(?:\s+(.*))?$")
_RULE = re.compile(r"\s*(?:[-*_=]\s*){3,}$")
_FENCE = re.compile(r"\s*(```+|~~~+)")
# Told to the reader at the end of a line, and no part of its text: its origin, and a warning.
# An editor may break them over lines.
_NOTES = "|".join((WITH_DATE, *map(re.escape, WARNINGS.values()))).replace("\\ ", " ").replace(" ", r"\s+")
_NOTE = re.compile(rf"\s?\*\((?:{_NOTES})\)\*(?=\s*(?:\*\(|<!--|\n|$))")
_FIXED_TEXT = re.compile(
    "|".join((re.escape(_INTRO), re.escape(_REFUSED), re.escape(_LEFT_OUT).replace(re.escape("{n}"), r"\d+")))
)


@frozen
class PageEntry:
    """A memory and its text on the page: its own, or a shorter one, which is only a view and never a correction.

    `brief` leaves out on what occasion it was said.
    """

    memory: Memory
    text: str
    brief: bool = False


@frozen
class PageLine:
    """A parsed line: its text, the title of its section, and the anchor of its memory."""

    text: str
    section: str = ""
    anchor: str | None = None


@frozen
class MemoryPage:
    """A parsed page. `id` names the version that was edited; without one the end of the file may be missing."""

    items: tuple[PageLine, ...]
    id: str | None = None


def may_appear(memory: Memory, sections: Mapping[str, str]) -> bool:
    """May this memory, unless it is stale, appear on the page, which is part of every prompt? Not under review."""
    trusted = not memory.needs_review and (memory.taint is None or memory.verified)
    anchored = re.fullmatch(_ID, short(memory.id)) is not None
    return memory.is_current and trusted and anchored and memory.type in sections


def page_body(
    shown: Sequence[PageEntry], sections: Mapping[str, str], *, left_out: int = 0, refused: Sequence[str] = ()
) -> str:
    """The page without its footer, with the sections in this order. Deterministic."""
    parts = [_HEAD + _INTRO + "\n"]
    for type, title in sections.items():
        if lines := [memory_line(entry) for entry in shown if entry.memory.type == type]:
            parts.append(heading(title) + "".join(lines))
    if left_out:
        parts.append("\n" + _LEFT_OUT.format(n=left_out) + "\n")
    if refused:
        parts.append(f"\n## {REFUSED_SECTION}\n\n{_REFUSED}\n\n" + "".join(f"- {fold(text)}\n" for text in refused))
    return "".join(parts)


def with_footer(body: str, version: int) -> str:
    """The page with its footer, which names the version and shows that the file is complete."""
    return f"{body}\n<!--page:{version}-{hashlib.sha256(body.encode()).hexdigest()[:12]}-->\n"


def memory_line(entry: PageEntry) -> str:
    """The line of one memory. The anchor contains no space, so that an editor that wraps lines cannot break it."""
    freshness = entry.memory.freshness
    warning = f" *({freshness.warning})*" if freshness and freshness.warning else ""
    after = "" if entry.brief else fold(occasion(entry.memory))
    return f"- {fold(entry.text)} *({with_date(entry.memory, after)})*{warning} <!--{short(entry.memory.id)}-->\n"


def parse(text: str) -> MemoryPage:
    """Parses a page that an editor, a formatter or a person may have changed in any way."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    foot = _FOOTER.search(text)
    items: list[PageLine] = []
    for block in _blocks(_NOTE.sub("", _FOOTER.sub("", text)).split("\n")):
        items += _items(block)
    return MemoryPage(tuple(items), foot.group(1) if foot else None)


def version_of(page_id: str | None) -> int:
    """The version number in a page id; 0 without one."""
    return int(page_id.partition("-")[0]) if page_id else 0


def heading(title: str) -> str:
    """The heading of a section, with the blank lines around it."""
    return f"\n## {title}\n\n"


def type_of(section: str, types: TypeRegistry) -> str | None:
    """The type that a section title names, such as `Decisions`, `decision` or `rules`; None if it names none."""
    name = " ".join(section.casefold().replace("_", " ").strip(" :").split())
    names = ((type.name.replace("_", " "), type.name) for type in types)
    known = {form: type for plain, type in names for form in (plain, plain + "s")}
    titles = {title.casefold(): type for type, title in types.sections.items()}
    return (known | titles | _OTHER_TITLES).get(name)


def same_text(first: str, second: str) -> bool:
    """Are two texts equal except for spacing? Editors wrap, indent and strip."""
    return first == second or first.split() == second.split()


def normalised(text: str) -> str:
    """The text with single blanks as its only spacing."""
    return " ".join(text.split())


def for_prompt(body: str) -> str:
    """The page for a prompt, without anchors and editing hints."""
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
    """Groups lines into blocks: decides where one item ends and the next begins."""

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
        if self._continues(line, bullet):
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

    def _continues(self, line: str, bullet: re.Match[str] | None) -> bool:
        """Does this line continue the item above it: wrapped, indented below it, or the rest of a paragraph?"""
        if self._open is None:
            return False
        deeper = _indent(line) >= self._open.indent + 2
        if bullet:
            # An anchored line below an anchored item was an item of its own before somebody indented it.
            return deeper and self._open.bullet and not (self._open.anchored and _ANCHOR.search(line))
        if self._open.anchored and not deeper:
            return False  # The anchor ends its item; a wrapped line comes before it.
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
        reader.take(_BROKEN_ANCHOR.sub("", _OTHER_COMMENT.sub("", line).rstrip()) if "<" in line else line)
    return [block for block in reader.blocks if not _FIXED_TEXT.fullmatch(block.text)]


def _items(block: _LineBlock) -> list[PageLine]:
    """The items of a block: usually one, but two lines that were joined have two anchors and are two items."""
    split = _ANCHOR.split(block.text)
    texts, anchors = split[::2], split[1::2]
    if not anchors:
        return [PageLine(unfold(block.text.strip()), block.section)] if block.text.strip() else []
    if (tail := texts.pop()).strip():
        joint = "\n" if tail.startswith("\n") else " "
        texts[-1] = texts[-1].rstrip() + joint + tail.strip()
    parts = [texts[0], *(re.sub(r"^\s*[-*+]\s+", "", text) for text in texts[1:])]
    return [PageLine(unfold(text.strip()), block.section, anchor) for text, anchor in zip(parts, anchors, strict=True)]
