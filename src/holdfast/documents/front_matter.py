"""Reads the metadata of a document: YAML or TOML front matter, the header of a PEP or RFC, or a status line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from holdfast.core.frozen import frozen
from holdfast.core.reason import Reason
from holdfast.documents.document_reasons import DocumentCode
from holdfast.text.patterns import compiled
from holdfast.text.yaml_fields import LONGEST_VALUE, Value, YamlField, front_matter_end, front_matter_lines, yaml_fields

_HEADER_FIELDS = frozenset(
    "pep rfc adr title author authors status type category created date replaces obsoletes updates"
    " superseded_by supersedes version last_modified".split()
)
_HEAD = 4000
_LONGEST_TOML, _MOST_DOTS = 100_000, 200


@frozen
class FrontMatter:
    """The fields by name, in lower case with underscores (`superseded_by`), and the offset at which the text begins.

    `problem` is the first error; fields that could be read are kept.
    """

    fields: Mapping[str, Value] = field(default_factory=dict)
    end: int = 0
    problem: Reason | None = None

    @property
    def title(self) -> str | None:
        return self.one("title")

    @property
    def status(self) -> str | None:
        return self.one("status")

    def one(self, name: str) -> str | None:
        """Returns a field as one text; None if it is missing or empty."""
        value = self.fields.get(name, "")
        return (value if isinstance(value, str) else ", ".join(value)) or None


def read_front(text: str) -> FrontMatter:
    """Reads the metadata of a document in any of the known forms. A text without metadata has no fields."""
    front = _matter(text) or _header(text) or FrontMatter(_field_list(text))
    if front.status is None and (status := _status_in_text(text[front.end : front.end + _HEAD])):
        return FrontMatter({**front.fields, "status": status}, front.end, front.problem)
    return front


# --- Front matter between --- or +++.

_OPENED = r"\ufeff?---[ \t]*\r?\n[A-Za-z][\w -]*:[ \t\r\n]"


def _matter(text: str) -> FrontMatter | None:
    end = front_matter_end(text)
    if not end:
        unclosed = compiled(_OPENED).match(text)
        return FrontMatter(problem=Reason.of(DocumentCode.UNCLOSED_FRONT_MATTER)) if unclosed else None
    lines = front_matter_lines(text)
    if lines[0].startswith("+++"):
        return _toml("\n".join(lines[1:]), end)
    read = list(yaml_fields(lines))
    problem = next(filter(None, map(_problem, read)), None)
    return FrontMatter({_name(each.name): each.value for each in read if each.name}, end, problem)


def _problem(read: YamlField) -> Reason | None:
    """Returns why a field is not valid. Text that is not YAML is no problem, unless a quote or list is not closed."""
    if read.is_valid:
        return None
    if not read.name:
        return Reason.of(DocumentCode.LINE, line=read.line, text=repr(read.written.strip()[:40]))
    problem = None
    if read.written.startswith(('"', "'")):
        problem = DocumentCode.UNCLOSED_QUOTE
    elif read.written.startswith("[") and "]" not in read.written:
        problem = DocumentCode.MISSING_BRACKET
    return Reason.of(DocumentCode.FIELD, field=read.name, problem=Reason.of(problem)) if problem else None


def _toml(body: str, end: int) -> FrontMatter:
    import tomllib

    # The parser takes quadratic time for names of very many parts.
    if len(body) > _LONGEST_TOML or any(line.count(".") > _MOST_DOTS for line in body.splitlines()):
        return FrontMatter(end=end, problem=Reason.of(DocumentCode.NOT_TOML, error="it is too long"))
    try:
        values = tomllib.loads(body)
    except (ValueError, RecursionError) as error:  # Deep nesting, numbers of thousands of digits.
        return FrontMatter(end=end, problem=Reason.of(DocumentCode.NOT_TOML, error=str(error)[:LONGEST_VALUE]))
    return FrontMatter({_name(name): _value(value) for name, value in values.items()}, end)


def _value(value: Any) -> Value:
    return tuple(map(str, value)) if isinstance(value, list) else str(value)[:LONGEST_VALUE]


# --- Headers of PEPs and RFCs, and field lists of reStructuredText.

_FIELD = r"([A-Za-z][A-Za-z0-9-]{1,30}):[ \t]*([^\n]*(?:\n[ \t]+\S[^\n]*)*)(?:\n|\Z)"
_LISTED = r"(?m)^:([A-Za-z][\w -]{1,30}):[ \t]+(\S[^\n]*)$"


def _header(text: str) -> FrontMatter | None:
    """Reads a header of lines such as `Title: …` that ends with a blank line; at least two names must be known."""
    fields: dict[str, Value] = {}
    at = len(text) - len(text.lstrip("\ufeff\r\n"))
    while found := compiled(_FIELD).match(text, at):
        fields[_name(found[1])] = " ".join(found[2].split())[:LONGEST_VALUE]
        at = found.end()
    ended = at >= len(text) or text[at] in "\r\n"
    return FrontMatter(fields, at) if ended and len(_HEADER_FIELDS.intersection(fields)) >= 2 else None


def _field_list(text: str) -> dict[str, Value]:
    """Reads lines such as `:Status: Draft` at the beginning of a reStructuredText document."""
    listed = compiled(_LISTED).findall(text[:_HEAD])
    fields: dict[str, Value] = {_name(name): value.strip() for name, value in listed}
    return fields if _HEADER_FIELDS.intersection(fields) else {}


_STATUS = (
    r"(?im)^(?:[*-][ \t]+)?[*_]{0,2}status[*_]{0,2}[ \t]*:[*_]{0,2}[ \t]*(\S[^\n]{0,200})$",
    r"(?im)^#{1,6}[ \t]*status[ \t#]*\r?\n\s*(\S[^\n]{0,200})$",
    r"(?im)^status[ \t]*\r?\n[-=~^]{4,}[ \t]*\r?\n\s*(\S[^\n]{0,200})$",
)


def _status_in_text(head: str) -> str:
    """Returns the status in the text of a decision record: `* Status: accepted`, or below the heading Status."""
    if "tatus" not in head and "TATUS" not in head:
        return ""
    matches = (compiled(pattern).search(head) for pattern in _STATUS)
    return next((match[1].strip().strip("*_").strip() for match in matches if match), "")


def _name(written: str) -> str:
    """Normalises a name: `Superseded-By`, `superseded by` and `supersededBy` become `superseded_by`."""
    parted = compiled(r"(?<=[a-z])(?=[A-Z])").sub("_", written.strip())
    return compiled(r"[^\w]+").sub("_", parted).strip("_").lower()
