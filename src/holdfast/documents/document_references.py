"""Finds the references of a document: links, mentions, `Refs:` lines, and the documents it supersedes.

Reading and resolving are separate: the references of a text depend on the text alone, but their targets depend on all
documents of the project.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from posixpath import dirname, join, normpath
from typing import Any, NamedTuple
from urllib.parse import unquote

from holdfast.text.patterns import compiled

# A document with more names than this is a list of names; the rest is ignored.
_MOST = 2_000
# A name shared by more documents than this refers only to one in the same folder.
_AMBIGUOUS = 16
_ENDINGS = (".md", ".markdown", ".rst", ".txt")
# File names that describe their folder.
_INDEXES = frozenset({"readme", "index", "spec", "_index"})


class Reference(NamedTuple):
    """A reference as written, such as a path, `specs/auth`, `adr 7` or `auth`, and its kind.

    Kinds are `link`, `mention`, `ref`, `supersedes` and `superseded_by`.
    """

    target: str
    kind: str


def references(text: str, front: Mapping[str, Any]) -> tuple[Reference, ...]:
    """Returns all references of a text to the project's files, each once. External links (`https://…`) are ignored."""
    found: dict[Reference, None] = {}
    for kind, targets in (
        ("supersedes", _in_front(front, "supersedes", "replaces", "obsoletes")),
        ("superseded_by", _in_front(front, "superseded_by", "replaced_by", "obsoleted_by")),
        *_in_status(text[:_HEAD]),
        ("ref", _in_refs(text)),
        ("link", _links(text)),
        ("mention", _mentions(text)),
    ):
        found.update((Reference(target, kind), None) for target in dict.fromkeys(targets) if target)
        if len(found) >= _MOST:
            break
    return tuple(found)[:_MOST]


class DocumentNames:
    """The documents of a project by all names that may refer to them."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._paths: set[str] = set()
        self._called: dict[str, list[str]] = {}
        # A cache: the documents of one folder refer to each other by the same names.
        self._by_path: dict[tuple[str, str], str | None] = {}
        for path in sorted(paths):
            self._paths.add(path)
            for name in _names(path):
                self._called.setdefault(name, []).append(path)

    def resolve(self, source: str, reference: Reference) -> str | None:
        """Returns the path of the document that a reference means; None if there is none, or if it is `source`.

        Names mean archived documents, such as the changes to a specification, only if no other has that name. A `Refs:`
        line never means its own document, and means the specification of that name if there is one.
        """
        if reference.kind == "ref" and (spec := self._spec(reference.target)) not in (None, source):
            return spec
        key = ("" if reference.target.startswith("/") else dirname(source), reference.target.lstrip("/"))
        if key not in self._by_path:
            self._by_path[key] = self._at(*key)
        target = self._by_path[key]
        others_only = reference.kind == "ref"
        is_doubtful = target is None or _is_archived(target) or (others_only and target == source)
        if is_doubtful and reference.kind != "link":
            target = self._near(source, reference.target, others_only) or target
        return target if target != source else None

    def _at(self, folder: str, target: str) -> str | None:
        """Returns the file at a path relative to the folder, else relative to the project."""
        for path in dict.fromkeys((normpath(join(folder, target)), normpath(target))):
            for known in (path, *(path + ending for ending in _ENDINGS)):
                if known in self._paths:
                    return known
            inside = [known for known in self._called.get(path.lower(), ()) if dirname(known) == path]
            if inside:
                return inside[0]
        return None

    def _spec(self, name: str) -> str | None:
        """Returns the specification of that name that is in force."""
        called = self._called.get(f"specs/{name.lower()}", ())
        return next((path for path in called if not _is_archived(path)), None)

    def _near(self, source: str, name: str, others_only: bool) -> str | None:
        """Returns the document of that name whose path has the most folders in common with the source."""
        number = record(name) or _numbered_like(source, name)
        called = self._called.get(number if number else name.lower().strip("/"), [])
        called = [path for path in called if path != source] if others_only else called
        if len(called) > _AMBIGUOUS:
            called = [path for path in called if dirname(path) == dirname(source)]
        own = source.split("/")
        return min(
            called,
            key=lambda path: (_is_archived(path), -_shared(own, path.split("/")), len(path), path),
            default=None,
        )


def _is_archived(path: str) -> bool:
    return "archive" in path.split("/")


def record(name: str) -> str:
    """Normalises the name of a numbered record: `ADR-0007` becomes `adr 7`. Empty if it is not a record."""
    found = compiled(rf"(?:{_SERIES})s?[-_ ]?#?0*(\d{{1,5}})", re.IGNORECASE).fullmatch(name.strip())
    series = compiled(r"[a-z]+").match(name.strip().lower())
    return f"{_series(series[0])} {found[1]}" if found and series else ""


def record_of(path: str) -> str:
    """Returns the record of a file by its name and its folders: `docs/adr/0007-cache.md` is `adr 7`."""
    *folders, file = path.lower().split("/")
    # The lookahead excludes dates such as `2024-05-01-cache.md`.
    found = compiled(rf"(?!\d{{4}}-\d\d-)(?:({_SERIES})[-_]?)?0*(\d{{1,5}})(?=[-_. ])").match(file)
    if found is None:
        return ""
    series = found[1] or next((folder for folder in reversed(folders) if _series(folder) in _RECORDS), "")
    return f"{_series(series)} {found[2]}" if series else ""


def _numbered_like(path: str, number: str) -> str:
    """The record of that bare number in the series of a file: `adr 2` for `0002` in `docs/adr/0001-cache.md`."""
    series = record_of(path).partition(" ")[0]
    return f"{series} {int(number)}" if series and number.isdecimal() else ""


# --- Names.

_RECORDS = frozenset({"adr", "pep", "rfc"})
_SERIES = "adr|pep|rfc|decision|madr"


def _series(word: str) -> str:
    word = word.rstrip("s")
    return "adr" if word in ("decision", "madr", "decision-record", "decision_record") else word


def _names(path: str) -> Iterator[str]:
    """Yields the names of a document: all ends of its path, with and without extension; its folder for a README."""
    lower = path.lower()
    stem = next((lower[: -len(ending)] for ending in _ENDINGS if lower.endswith(ending)), lower)
    folder, _, last = stem.rpartition("/")
    names = [lower, *([stem] if stem != lower else ())]
    if folder and last in _INDEXES:
        names.append(folder)
    for name in names:
        yield name
        while "/" in name:
            name = name.partition("/")[2]
            yield name
    if number := record_of(path):
        yield number


def _shared(first: Sequence[str], second: Sequence[str]) -> int:
    same = 0
    while same < min(len(first), len(second)) - 1 and first[same] == second[same]:
        same += 1
    return same


# --- Links. Each pattern begins with a literal character, so that a search skips other text at almost no cost.

_INLINE = r"\]\([ \t]*<?([^)\s>]+)"
_DEFINED = r"\]:[ \t]+<?([^\s>]+)"
_AUTO = r"<([^<>\s:]+\.(?:md|markdown|rst|txt)(?:#[^<>\s]*)?)>"
_HTML = r"""href=["']([^"'\s]+)"""
_WIKI = r"\[\[([^\]|#\n]{1,200})"
_RST_LINK = r"<([^<>\n]+)>`_"
_RST_TARGET = r"\.\. _[^:\n]+:[ \t]+(\S+)"
_RST_DOC = r":doc:`(?:[^`<]*<)?([^`<>\n]+)>?`"

_LINKS = (_INLINE, _DEFINED, _AUTO, _HTML, _WIKI, _RST_LINK, _RST_TARGET, _RST_DOC)


def _links(text: str) -> Iterator[str]:
    for pattern in _LINKS:
        yield from filter(None, map(_inside, compiled(pattern).findall(text)))


def _inside(target: str) -> str:
    """Returns a target without its anchor; empty if it leads out of the project's files."""
    target = target.partition("#")[0].partition("?")[0].strip()
    if not target or "://" in target or compiled(r"[a-z][\w+.-]*:", re.IGNORECASE).match(target):
        return ""
    return unquote(target) if "%" in target else target


# --- Mentions.

_RECORD_NAMES = tuple(rf"{name}[-_ ]#?\d{{1,5}}\b" for name in ("PEP", "RFC", "ADR", "pep", "rfc", "adr"))
_RST_RECORD = r":(pep|rfc):`(\d{1,5})"
_FILE_ENDING = r"\.(?:md|markdown|rst|txt)"
_FILE = rf"(?<![\w./:-])[\w.-]*\w{_FILE_ENDING}\b"
_PATH = r"(?<![\w./:-])[\w.-]*+(?:/[\w.-]++)+"


def _mentions(text: str) -> Iterator[str]:
    for pattern in _RECORD_NAMES:
        yield from map(record, compiled(pattern).findall(text))
    yield from (f"{series} {int(number)}" for series, number in compiled(_RST_RECORD).findall(text))
    # Search only words and lines with the sign: a pattern that may begin anywhere is slow on prose.
    words = [word for word in _lines_with("/", text).split() if "/" in word]
    paths = compiled(_PATH).findall(" ".join(words))
    endings = _ENDINGS if compiled(_FILE_ENDING).search(text) else ()
    files = (found for ending in endings for found in compiled(_FILE).findall(_lines_with(ending, text)))
    yield from (found.strip("/").rstrip(".") for found in (*paths, *files))


def _lines_with(sign: str, text: str) -> str:
    lines: list[str] = []
    at = text.find(sign)
    while at >= 0:
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        lines.append(text[text.rfind("\n", 0, at) + 1 : end])
        at = text.find(sign, end)
    return "\n".join(lines)


_REFS = r"\n[ \t>*_-]*+(?i:refs?):[*_]*[ \t]*(\S[^\n]*)"


def _in_refs(text: str) -> Iterator[str]:
    for line in compiled(_REFS).findall(f"\n{text}"):
        yield from _named_in(line) or (part.strip(" \t.`*_") for part in line.split(",")[:_MOST])


# --- Superseded documents.

_HEAD = 6_000
_STATUS_LINE = (
    r"(?im)^[ \t>]{0,20}(?:[-*#]{1,6}[ \t]*)?[*_]{0,3}(?:status[*_]{0,3}[ \t]{0,9}[:|-]?[*_]{0,3}[ \t]{0,9})?"
    r"(?:\w{1,30}[,;.]?[ \t]{1,9}){0,2}?[*_`]{0,3}"
    r"(supersed|replac|obsolet)(es|ed[ -]by|ing)\b[ \t*_:`]*([^\n]{1,300})"
)
_STATUS_SIGNS = ("upersed", "eplace", "bsolet", "UPERSED", "EPLACE", "BSOLET")


def _in_status(head: str) -> Iterator[tuple[str, list[str]]]:
    """Reads header and status lines such as `Superseded by [ADR-0009](0009-queue.md)`."""
    if not any(sign in head for sign in _STATUS_SIGNS):
        return
    # Select lines first: the pattern is slow to reject a line.
    lines = zip(head.split("\n"), head.lower().split("\n"), strict=True)
    relevant = [line for line, low in lines if "upersed" in low or "eplac" in low or "bsolet" in low]
    for _, how, rest in compiled(_STATUS_LINE).findall("\n".join(relevant)):
        yield "superseded_by" if "by" in how.lower() else "supersedes", _named_in(rest) or _numbers_in(rest)


def _numbers_in(rest: str) -> list[str]:
    """The bare numbers that a status line ends with: `superseded by 0002`, `supersedes 1, 3`."""
    numbers = compiled(r"#?\d{1,5}(?:, ?#?\d{1,5}){0,20}(?=[ \t]*(?:[.;(*]|$))").match(rest)
    return compiled(r"\d+").findall(numbers[0]) if numbers else []


def _in_front(front: Mapping[str, Any], *names: str) -> Iterator[str]:
    series = next((name for name in _RECORDS if front.get(name)), "")
    for name in names:
        value = front.get(name) or ""
        for item in value if isinstance(value, list | tuple) else str(value).split(","):
            yield from _named_in(str(item)) or [_plain_name(str(item), series)]


def _plain_name(item: str, series: str) -> str:
    """Strips a name; a bare number gets the series of the document."""
    item = item.strip(" \t\"'`[]()")
    return f"{series} {int(item)}" if item.isdigit() and series else item


def _named_in(text: str) -> list[str]:
    """Returns the documents that a short text names by link, else by record number, else by file name."""
    links = [target for target in _links(text) if target]
    if links:
        return links
    numbered = compiled(rf"\b(?:{_SERIES})s?[-_ ]?#?\d{{1,5}}\b", re.IGNORECASE).findall(text)
    return [record(name) for name in numbered] or compiled(_FILE).findall(text)
