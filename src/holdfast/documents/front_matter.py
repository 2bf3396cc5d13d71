"""What a document says of itself before it begins: front matter, the header of a PEP or an RFC, a status line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

# A field as it is written, or several of it: `status: accepted`, `replaces: [0003, 0004]`.
Value = str | tuple[str, ...]
_HEADER_FIELDS = frozenset(
    "pep rfc adr title author authors status type category created date replaces obsoletes updates"
    " superseded_by supersedes version last_modified".split()
)
_LONGEST = 2000
_HEAD = 4000


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The fields by name, lower case with underscores (`superseded_by`), and where the text itself begins.

    `problem` says what cannot be read of it. What can be read is still there.
    """

    fields: Mapping[str, Value] = field(default_factory=dict)
    end: int = 0
    problem: str = ""

    @property
    def title(self) -> str | None:
        return self.one("title")

    @property
    def status(self) -> str | None:
        return self.one("status")

    def one(self, name: str) -> str | None:
        """A field as one text; None where it is not there or empty."""
        value = self.fields.get(name, "")
        return (value if isinstance(value, str) else ", ".join(value)) or None


def read_front(text: str) -> FrontMatter:
    """The front of a document, whatever its form. A text without one has no fields."""
    front = _matter(text) or _header(text) or FrontMatter(_field_list(text))
    if front.status is None and (said := _said_status(text[front.end : front.end + _HEAD])):
        return FrontMatter({**front.fields, "status": said}, front.end, front.problem)
    return front


def front_matter_end(text: str) -> int:
    """Where closed front matter ends; 0 when there is none."""
    found = _pattern(_MATTER).match(text)
    return found.end() if found else 0


# --- Front matter between --- or +++.

_MATTER = r"\ufeff?(---|\+\+\+)[ \t]*\r?\n(?=\s*[\w\"'][^\n]*[:=])(?:[^\n]*\n)*?\1[ \t]*(?:\r?\n|\Z)"
_OPENED = r"\ufeff?---[ \t]*\r?\n[A-Za-z][\w -]*:[ \t\r\n]"


def _matter(text: str) -> FrontMatter | None:
    end = front_matter_end(text)
    if not end:
        unclosed = _pattern(_OPENED).match(text)
        return FrontMatter(problem="its front matter is not closed") if unclosed else None
    mark, *lines = text[:end].lstrip("\ufeff").rstrip().splitlines()
    if mark.startswith("+++"):
        return _toml("\n".join(lines[:-1]), end)
    fields, problem = _yaml(lines[:-1])
    return FrontMatter(fields, end, problem)


def _toml(body: str, end: int) -> FrontMatter:
    import tomllib

    try:
        read = tomllib.loads(body)
    except tomllib.TOMLDecodeError as error:
        return FrontMatter(end=end, problem=f"its front matter is not TOML ({error})")
    return FrontMatter({_name(name): _value(value) for name, value in read.items()}, end)


def _value(value: Any) -> Value:
    return tuple(map(str, value)) if isinstance(value, list) else str(value)[:_LONGEST]


def _yaml(lines: list[str]) -> tuple[dict[str, Value], str]:
    """The fields of simple YAML: texts and lists of texts. What is nested is kept as the lines it is written in."""
    fields: dict[str, Value] = {}
    problem = ""
    for number, (head, below) in enumerate(_entries(lines), start=2):
        found = _pattern(r"([\w\"'][\w .\"'/-]*?)[ \t]*:(?:[ \t]+(.*))?$").match(head)
        if found is None:
            problem = problem or f"line {number} of its front matter is not `name: value`: {head.strip()[:40]!r}"
            continue
        said, wrong = _scalar((found[2] or "").strip(), below)
        fields[_name(found[1].strip("\"'"))] = said
        problem = problem or (f"its front matter, {found[1]}: {wrong}" if wrong else "")
    return fields, problem


def _entries(lines: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Each line that begins an entry, with the lines that belong below it."""
    head, below = "", list[str]()
    for line in lines:
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if head and (line[0] in " \t" or line.startswith("- ") or line == "-"):
            below.append(line)
            continue
        if head:
            yield head, below
        head, below = line, []
    if head:
        yield head, below


def _scalar(said: str, below: list[str]) -> tuple[Value, str]:
    """A value, and what is wrong with it, if anything."""
    if said[:1] in "|>" and said[:2].rstrip("+-0123456789") in ("|", ">"):
        return "\n".join(line.strip() for line in below)[:_LONGEST], ""
    if said[:1] in "\"'" and said:
        closed = _pattern(r"""("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')[ \t]*(?:#.*)?$""").match(said)
        return (closed[1][1:-1], "") if closed else (said[1:], "a quotation mark is not closed")
    if said[:1] == "[":
        listed = " ".join([said, *(line.strip() for line in below)])
        inner, bracket, _ = listed[1:].partition("]")
        return tuple(_plain(item) for item in inner.split(",") if item.strip()), "" if bracket else "a ] is missing"
    if not said and below and all(line.lstrip().startswith("-") for line in below if _is_item(line, below)):
        return tuple(_plain(line.lstrip()[1:]) for line in below if _is_item(line, below)), ""
    return " ".join([_plain(said), *(line.strip() for line in below)]).strip()[:_LONGEST], ""


def _is_item(line: str, below: list[str]) -> bool:
    return len(line) - len(line.lstrip()) <= len(below[0]) - len(below[0].lstrip())


def _plain(said: str) -> str:
    return _pattern(r"[ \t]+#.*$").sub("", said).strip().strip("\"'")


# --- Headers of PEPs and RFCs, and field lists of reStructuredText.

_FIELD = r"([A-Za-z][A-Za-z0-9-]{1,30}):[ \t]*([^\n]*(?:\n[ \t]+\S[^\n]*)*)(?:\n|\Z)"
_LISTED = r"(?m)^:([A-Za-z][\w -]{1,30}):[ \t]+(\S[^\n]*)$"


def _header(text: str) -> FrontMatter | None:
    """`Title: …` line by line from the first one on, ended by a blank line; two names must be known ones."""
    fields: dict[str, Value] = {}
    at = len(text) - len(text.lstrip("\ufeff\r\n"))
    while found := _pattern(_FIELD).match(text, at):
        fields[_name(found[1])] = " ".join(found[2].split())[:_LONGEST]
        at = found.end()
    ended = at >= len(text) or text[at] in "\r\n"
    return FrontMatter(fields, at) if ended and len(_HEADER_FIELDS.intersection(fields)) >= 2 else None


def _field_list(text: str) -> dict[str, Value]:
    """`:Status: Draft` below the title of a reStructuredText document."""
    found = _pattern(_LISTED).findall(text[:_HEAD])
    fields: dict[str, Value] = {_name(name): said.strip() for name, said in found}
    return fields if _HEADER_FIELDS.intersection(fields) else {}


_STATUS = (
    r"(?im)^(?:[*-][ \t]+)?[*_]{0,2}status[*_]{0,2}[ \t]*:[*_]{0,2}[ \t]*(\S[^\n]{0,200})$",
    r"(?im)^#{1,6}[ \t]*status[ \t#]*\r?\n\s*(\S[^\n]{0,200})$",
    r"(?im)^status[ \t]*\r?\n[-=~^]{4,}[ \t]*\r?\n\s*(\S[^\n]{0,200})$",
)


def _said_status(head: str) -> str:
    """The status that a decision record says in its text: `* Status: accepted`, or below the heading Status."""
    if "tatus" not in head and "TATUS" not in head:
        return ""
    found = (_pattern(pattern).search(head) for pattern in _STATUS)
    return next((match[1].strip().strip("*_").strip() for match in found if match), "")


def _name(written: str) -> str:
    """`Superseded-By`, `superseded by` and `supersededBy` are one name."""
    parted = _pattern(r"(?<=[a-z])(?=[A-Z])").sub("_", written.strip())
    return _pattern(r"[^\w]+").sub("_", parted).strip("_").lower()


@cache
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text)
