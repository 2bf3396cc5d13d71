"""What a document refers to: links, bare mentions, `Refs:` lines, and what it replaces or is replaced by (R-D4).

Reading is apart from resolving: what a text names depends on the text alone, which document that is on all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from posixpath import dirname, join, normpath
from typing import Any, NamedTuple
from urllib.parse import unquote

# How a document may stand to another.
KINDS = ("link", "mention", "ref", "supersedes", "superseded_by")
# More different names than this in one document are a list of names, not references.
_MOST = 2_000
# A name that fits more documents than this means none of them in particular.
_AMBIGUOUS = 16
_ENDINGS = (".md", ".markdown", ".rst", ".txt")
# Where the text of a folder stands.
_INDEXES = frozenset({"readme", "index", "spec", "_index"})


class Reference(NamedTuple):
    """A document as another one names it: a path, `specs/auth`, `adr 7`, `auth`. And how it is referred to."""

    target: str
    kind: str


def references(text: str, front: Mapping[str, Any]) -> tuple[Reference, ...]:
    """Everything a text refers to inside the project, each once. What lies elsewhere (`https://…`) is left out."""
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
    """The documents of a project by everything they may be called."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._paths: set[str] = set()
        self._called: dict[str, list[str]] = {}
        # Why kept: the documents of one folder refer to each other by the same names.
        self._found: dict[tuple[str, str], str | None] = {}
        for path in sorted(paths):
            self._paths.add(path)
            for name in _names(path):
                self._called.setdefault(name, []).append(path)

    def resolve(self, source: str, reference: Reference) -> str | None:
        """The path of the document that is meant by another one; None when none is, or itself."""
        seen = ("" if reference.target.startswith("/") else dirname(source), reference.target.lstrip("/"))
        if seen not in self._found:
            self._found[seen] = self._at(*seen)
        by_path = self._found[seen]
        found = by_path or (None if reference.kind == "link" else self._near(source, reference.target))
        return found if found != source else None

    def _at(self, folder: str, target: str) -> str | None:
        """The file at that path: seen from the folder, else from the project's."""
        for path in dict.fromkeys((normpath(join(folder, target)), normpath(target))):
            for known in (path, *(path + ending for ending in _ENDINGS)):
                if known in self._paths:
                    return known
            inside = [known for known in self._called.get(path.lower(), ()) if dirname(known) == path]
            if inside:
                return inside[0]
        return None

    def _near(self, source: str, name: str) -> str | None:
        """The document of that name that stands nearest."""
        number = record(name)
        called = self._called.get(number if number else name.lower().strip("/"), [])
        if len(called) > _AMBIGUOUS:
            called = [path for path in called if dirname(path) == dirname(source)]
        own = source.split("/")
        return min(called, key=lambda path: (-_shared(own, path.split("/")), len(path), path), default=None)


def record(name: str) -> str:
    """How a numbered record is called, however it is written: `ADR-0007` is `adr 7`. Empty for what is none."""
    found = _pattern(rf"(?:{_SERIES})s?[-_ ]?#?0*(\d{{1,5}})", re.IGNORECASE).fullmatch(name.strip())
    series = _pattern(r"[a-z]+").match(name.strip().lower())
    return f"{_one_series(series[0])} {found[1]}" if found and series else ""


def record_of(path: str) -> str:
    """The numbered record a file is, by its name or by its folder's: `docs/adr/0007-cache.md` is `adr 7`."""
    *folders, file = path.lower().split("/")
    # Why the first: `2024-05-01-cache.md` has a day, not a number.
    found = _pattern(rf"(?!\d{{4}}-\d\d-)(?:({_SERIES})[-_]?)?0*(\d{{1,5}})(?=[-_. ])").match(file)
    if found is None:
        return ""
    series = found[1] or next((one for one in reversed(folders) if _one_series(one) in _RECORDS), "")
    return f"{_one_series(series)} {found[2]}" if series else ""


# --- Names.

_RECORDS = frozenset({"adr", "pep", "rfc"})
_SERIES = "adr|pep|rfc|decision|madr"


def _one_series(word: str) -> str:
    word = word.rstrip("s")
    return "adr" if word in ("decision", "madr", "decision-record", "decision_record") else word


def _names(path: str) -> Iterator[str]:
    """What a document may be called: the ends of its path, with and without the file's; a folder for what opens it."""
    lower = path.lower()
    stem = next((lower[: -len(ending)] for ending in _ENDINGS if lower.endswith(ending)), lower)
    folder, _, last = stem.rpartition("/")
    wholes = [lower, *([stem] if stem != lower else ())]
    if folder and last in _INDEXES:
        wholes.append(folder)
    for whole in wholes:
        yield whole
        while "/" in whole:
            whole = whole.partition("/")[2]
            yield whole
    if number := record_of(path):
        yield number


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    same = 0
    while same < min(len(one), len(other)) - 1 and one[same] == other[same]:
        same += 1
    return same


# --- Links. Why each pattern begins with a sign: passing over what is none then costs next to nothing.

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
        yield from filter(None, map(_inside, _pattern(pattern).findall(text)))


def _inside(target: str) -> str:
    """A target without its anchor, or nothing when it leads out of the project's files."""
    target = target.partition("#")[0].partition("?")[0].strip()
    if not target or "://" in target or _pattern(r"[a-z][\w+.-]*:", re.IGNORECASE).match(target):
        return ""
    return unquote(target) if "%" in target else target


# --- Mentions.

_RECORD_NAMES = tuple(rf"{name}[-_ ]#?\d{{1,5}}\b" for name in ("PEP", "RFC", "ADR", "pep", "rfc", "adr"))
_RST_RECORD = r":(pep|rfc):`(\d{1,5})"
_FILE_ENDING = r"\.(?:md|markdown|rst|txt)"
_FILE = rf"(?<![\w./:-])[\w.-]*\w{_FILE_ENDING}\b"
_PATH = r"(?<![\w./:-])[\w.-]*+(?:/[\w.-]++)++"


def _mentions(text: str) -> Iterator[str]:
    for pattern in _RECORD_NAMES:
        yield from map(record, _pattern(pattern).findall(text))
    yield from (f"{series} {int(number)}" for series, number in _pattern(_RST_RECORD).findall(text))
    # Why only where the sign stands: a pattern that may begin anywhere takes long to pass over prose.
    words = [word for word in _lines_with("/", text).split() if "/" in word]
    paths = _pattern(_PATH).findall(" ".join(words))
    endings = _ENDINGS if _pattern(_FILE_ENDING).search(text) else ()
    files = (found for ending in endings for found in _pattern(_FILE).findall(_lines_with(ending, text)))
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
    for line in _pattern(_REFS).findall(f"\n{text}"):
        yield from _named_in(line) or (part.strip(" \t.`*_") for part in line.split(",")[:_MOST])


# --- What replaces what.

_HEAD = 6_000
_STATUS_LINE = (
    r"(?im)^[ \t>]{0,20}(?:[-*#]{1,6}[ \t]*)?[*_]{0,3}(?:status[*_]{0,3}[ \t]{0,9}[:|-]?[*_]{0,3}[ \t]{0,9})?"
    r"(?:\w{1,30}[,;.]?[ \t]{1,9}){0,2}?[*_`]{0,3}"
    r"(supersed|replac|obsolet)(es|ed[ -]by|ing)\b[ \t*_:`]*([^\n]{1,300})"
)
_STATUS_SIGNS = ("upersed", "eplace", "bsolet", "UPERSED", "EPLACE", "BSOLET")


def _in_status(head: str) -> Iterator[tuple[str, list[str]]]:
    """What a header or a status line says: `Superseded by [ADR-0009](0009-queue.md)`."""
    if not any(sign in head for sign in _STATUS_SIGNS):
        return
    # Why lines first: the pattern takes long to see that a line is none.
    lines = zip(head.split("\n"), head.lower().split("\n"), strict=True)
    telling = [line for line, low in lines if "upersed" in low or "eplac" in low or "bsolet" in low]
    for _, how, rest in _pattern(_STATUS_LINE).findall("\n".join(telling)):
        yield "superseded_by" if "by" in how.lower() else "supersedes", _named_in(rest)


def _in_front(front: Mapping[str, Any], *names: str) -> Iterator[str]:
    series = next((name for name in _RECORDS if front.get(name)), "")
    for name in names:
        said = front.get(name) or ""
        for item in said if isinstance(said, list | tuple) else str(said).split(","):
            yield from _named_in(str(item)) or [_plain_name(str(item), series)]


def _plain_name(item: str, series: str) -> str:
    """A name as it stands; a bare number is one of the document's own series."""
    item = item.strip(" \t\"'`[]()")
    return f"{series} {int(item)}" if item.isdigit() and series else item


def _named_in(said: str) -> list[str]:
    """The documents a short text names outright: by link, by number or by file."""
    links = [target for target in _links(said) if target]
    if links:
        return links
    records = [record(name) for name in _pattern(rf"\b(?:{_SERIES})s?[-_ ]?#?\d{{1,5}}\b", re.IGNORECASE).findall(said)]
    return records or _pattern(_FILE).findall(said)


@cache
def _pattern(text: str, flags: int = 0) -> re.Pattern[str]:
    return re.compile(text, flags)
