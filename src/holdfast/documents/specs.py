"""Specifications in OpenSpec's form: requirements, their scenarios, and the delta sections of a change."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SECTIONS = ("ADDED", "MODIFIED", "REMOVED", "RENAMED")
_SECTION = re.compile(rf"##\s+({'|'.join(SECTIONS)})\s+Requirements\b", re.IGNORECASE)
_HEADING = re.compile(r"#{1,2}\s")
_REQUIREMENT = re.compile(r"###\s+Requirement:\s*(.+?)\s*#*$", re.IGNORECASE)
_SCENARIO = re.compile(r"#{3,6}\s+\S")
_RENAMED = re.compile(r"[-*]?\s*(FROM|TO):\s*`?(?:###\s+)?(?:Requirement:\s*)?(.+?)`?\s*$", re.IGNORECASE)
_FENCE = re.compile(r"\s{0,3}(```|~~~)")
_MARKUP = re.compile(r"[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}|^\s*(?:[-*+]|\d+[.)])\s+")


@dataclass(frozen=True, slots=True)
class Requirement:
    """One requirement and where it stands. `text` is its body up to the first scenario, without markup.

    `section` is empty in a canonical spec, else ADDED, MODIFIED, REMOVED or RENAMED. A renamed one tells its old name
    in `text`.
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
        """The name in which two requirements are the same one."""
        return " ".join(self.name.split()).casefold()


def read_spec(path: Path, shown: str) -> tuple[Requirement, ...]:
    """The requirements of a file; `shown` is how its path is told. Bytes that are no text are replaced."""
    return parse_spec(path.read_text(encoding="utf-8", errors="replace"), shown)


def parse_spec(text: str, file: str) -> tuple[Requirement, ...]:
    """The requirements of a spec or of a delta spec, in order. What stands in a code fence is no heading."""
    return tuple(_requirements(text, file))


def _requirements(text: str, file: str) -> Iterator[Requirement]:
    section, name, begun, body, open_, before = "", "", 0, list[str](), False, ""
    for number, line in enumerate((*text.splitlines(), "# end"), 1):
        fenced = _is_fenced(line, before)
        before = fenced
        title = None if fenced else _REQUIREMENT.match(line)
        ends = not fenced and (title or _HEADING.match(line))
        if name and ends:
            yield Requirement(name, _plain(body), file, begun, section)
            name = ""
        if not fenced and _HEADING.match(line):
            found = _SECTION.match(line)
            section = found[1].upper() if found else ""
        if title:
            name, begun, body, open_ = title[1], number, [], True
        elif section == "RENAMED" and (renamed := _RENAMED.match(line)):
            if renamed[1].upper() == "FROM":
                body = [renamed[2]]
            else:
                yield Requirement(renamed[2], " ".join(body), file, number, section)
        elif name and open_ and not fenced:
            open_ = not _SCENARIO.match(line)
            body += [line] if open_ else []


def _is_fenced(line: str, before: str) -> str:
    """The fence that a line stands in or opens; empty outside. The closing line belongs to it."""
    mark = _FENCE.match(line)
    if before and before != "closed":
        return "closed" if mark and mark[1] == before else before
    return mark[1] if mark else ""


def _plain(lines: list[str]) -> str:
    """The body as running text; list items and paragraphs stay on lines of their own."""
    paragraphs = "\n".join(_MARKUP.sub("", line).strip() for line in lines).split("\n\n")
    told = (" ".join(part.split()) if not _listed(part) else part for part in paragraphs)
    return "\n".join(part for part in told if part.strip()).strip()


def _listed(paragraph: str) -> bool:
    """Is it a list rather than a sentence broken over lines? Then most of its lines end on their own."""
    lines = [line for line in paragraph.splitlines() if line.strip()]
    return len(lines) > 1 and all(line.rstrip().endswith((".", ";", "!")) for line in lines)
