"""Parses specifications in OpenSpec format: requirements, scenarios, and the delta sections of a change."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import takewhile
from pathlib import Path

from holdfast.core.frozen import frozen
from holdfast.system.files import read_file

SECTIONS = ("ADDED", "MODIFIED", "REMOVED", "RENAMED")
_SECTION = re.compile(rf"##\s+({'|'.join(SECTIONS)})\s+Requirements\b", re.IGNORECASE)
_HEADING = re.compile(r"#{1,3}\s")
_REQUIREMENT = re.compile(r"###\s++Requirement:(.*)", re.IGNORECASE)
_SCENARIO = "####"
_LARGEST = 20_000_000
_RENAMED = re.compile(r"[-*]?\s*+(FROM|TO):\s*+`?(?:###\s++)?(?:Requirement:)?(.*)", re.IGNORECASE)
_FENCE = re.compile(r"\s{0,3}(```|~~~)")
_MARKUP = re.compile(r"[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}|^\s*(?:[-*+]|\d+[.)])\s+")


@frozen
class Requirement:
    """One requirement and its location. `text` is its body up to the first scenario, without markup.

    `section` is empty in a canonical spec, otherwise ADDED, MODIFIED, REMOVED or RENAMED. The `text` of a renamed
    requirement is its old name.
    """

    name: str
    text: str
    file: str
    line: int
    section: str = ""

    @property
    def where(self) -> str:
        return f"{self.file}:{self.line}"

    @property
    def key(self) -> str:
        """The normalised name, by which requirements are compared."""
        return " ".join(self.name.split()).casefold()


def read_spec(path: Path, shown: str) -> tuple[Requirement, ...]:
    """Reads the requirements of a file; `shown` is its path as displayed. Invalid bytes are replaced."""
    return parse_spec(read_file(path, _LARGEST).decode(errors="replace"), shown)


def parse_spec(text: str, file: str) -> tuple[Requirement, ...]:
    """Parses the requirements of a spec or delta spec, in order. Headings inside code fences are ignored."""
    return tuple(_requirements(text, file))


def _requirements(text: str, file: str) -> Iterator[Requirement]:
    section = ""
    for number, heading, body in _blocks(text):
        title = _REQUIREMENT.match(heading)
        name = title[1].rstrip().rstrip("#").strip() if title else ""
        if name:
            description = takewhile(lambda line: not line.startswith(_SCENARIO), body)
            yield Requirement(name, _plain(description), file, number, section)
        elif not heading.startswith("###"):
            found = _SECTION.match(heading)
            section = found[1].upper() if found else ""
            if section == "RENAMED":
                yield from _renamed(body, file, number)


def _blocks(text: str) -> Iterator[tuple[int, str, list[str]]]:
    """Yields each heading of the first three levels with its line number and the lines below it."""
    number, heading, body = 0, "", list[str]()
    for place, line in enumerate(_without_fences(text), 1):
        if _HEADING.match(line):
            yield number, heading, body
            number, heading, body = place, line, []
        else:
            body.append(line)
    yield number, heading, body


def _without_fences(text: str) -> Iterator[str]:
    """Yields the lines of a text, with those of code fences blank."""
    fence = ""
    for line in text.splitlines():
        mark = _FENCE.match(line)
        yield "" if fence or mark else line
        if mark and fence in ("", mark[1]):
            fence = "" if fence else mark[1]


def _renamed(lines: Iterable[str], file: str, heading: int) -> Iterator[Requirement]:
    old = ""
    for number, line in enumerate(lines, heading + 1):
        found = _RENAMED.match(line)
        name = found[2].rstrip().removesuffix("`").strip() if found else ""
        if found and name and found[1].upper() == "FROM":
            old = name
        elif name:
            yield Requirement(name, old, file, number, "RENAMED")


def _plain(lines: Iterable[str]) -> str:
    """Returns the body as running text; list items and paragraphs stay on separate lines."""
    paragraphs = "\n".join(_MARKUP.sub("", line).strip() for line in lines).split("\n\n")
    joined = (" ".join(paragraph.split()) if not _is_list(paragraph) else paragraph for paragraph in paragraphs)
    return "\n".join(paragraph for paragraph in joined if paragraph.strip()).strip()


def _is_list(paragraph: str) -> bool:
    """Is it a list rather than a sentence broken over lines? In a list every line ends with punctuation."""
    lines = [line for line in paragraph.splitlines() if line.strip()]
    return len(lines) > 1 and all(line.rstrip().endswith((".", ";", "!")) for line in lines)
