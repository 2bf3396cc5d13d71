"""Reads the YAML front matter of Markdown files, field by field, so that a broken field costs only itself.

Many front matters are not quite YAML: `globs: *.ts, src/**`, `title: Tides: a guide`. What YAML refuses is read as the
text that is written. Nothing makes reading slow: anchors are not followed, and nesting and length are bounded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from holdfast.text.patterns import compiled

# One value, or a list of values: `status: accepted`, `replaces: [0003, 0004]`.
Value = str | tuple[str, ...]
LONGEST_VALUE = 2000

_MATTER = r"\ufeff?(---|\+\+\+)[ \t]*\r?\n(?=\s*[\w\"'][^\n]*[:=])(?:[^\n]*\n)*?\1[ \t]*(?:\r?\n|\Z)"
_FIELD = r"([\w\"'][\w .\t\"'/-]*):(?:[ \t](.*)|)"
# A text that YAML would leave as it is. PyYAML takes 0.2 ms for it.
_SIMPLE = r"""([\w./][\w ./()+,-]*)|"([^"\\]*)"|'([^']*)'"""
# PyYAML parses at most this many characters of a file, which takes it a quarter of a second.
_MAX_PARSED_CHARACTERS = 10_000
_MAX_DEPTH = 4


class YamlField(NamedTuple):
    """A field as it is written. `name` is empty if the line is no field; an invalid value is kept as its text."""

    line: int
    name: str
    value: Value
    written: str
    is_valid: bool = True


def front_matter_end(text: str) -> int:
    """Returns the offset at which closed front matter ends; 0 if there is none."""
    found = compiled(_MATTER).match(text)
    return found.end() if found else 0


def split_front_matter(text: str) -> tuple[Mapping[str, tuple[str, ...]], str]:
    """Returns the fields of YAML front matter by name in lower case, each as a list, and the text after it."""
    fields = {field.name.lower(): field.value for field in yaml_fields(front_matter_lines(text)) if field.name}
    listed = {name: (value,) if isinstance(value, str) else value for name, value in fields.items()}
    return listed, text[front_matter_end(text) :]


def comma_separated(text: str) -> tuple[str, ...]:
    """Splits a list that is no YAML: `[*.md, src/**]`, `*.{ts,tsx}, docs`. A comma in braces belongs to a glob."""
    inner = text.strip("[] ")
    parts = compiled(r"(?:[^,{]|\{[^{}]*\}|\{)+").findall(inner)
    return tuple(filter(None, (part.strip(" \t\"'") for part in parts)))


def front_matter_lines(text: str) -> list[str]:
    """Returns the lines of closed front matter, from its opening mark to the last line before the closing mark."""
    return text[: front_matter_end(text)].lstrip("\ufeff").rstrip().splitlines()[:-1]


def yaml_fields(lines: Sequence[str]) -> Iterator[YamlField]:
    """Yields the fields of front matter; the first line is its opening mark. A nested field is named `outer.inner`."""
    parsed = 0
    for number, head, below in _entries(lines):
        written = "\n".join([head, *below])
        found = compiled(_FIELD).fullmatch(head.rstrip())
        if found is None:
            yield YamlField(number, "", "", head, is_valid=False)
            continue
        name, rest = found[1].rstrip().strip("\"'"), (found[2] or "").strip()
        if not below and (simple := compiled(_SIMPLE).fullmatch(rest)):
            yield YamlField(number, name, simple[simple.lastindex or 0].strip()[:LONGEST_VALUE], rest)
            continue
        parsed += len(written)
        value = _parsed("\n".join([f"_: {rest}", *below])) if parsed <= _MAX_PARSED_CHARACTERS else None
        if value is None:
            text = " ".join([rest, *map(str.strip, below)])[:LONGEST_VALUE]
            value = comma_separated(text) if text.startswith("[") else text.strip(" \t\"'")
            yield YamlField(number, name, value, rest, is_valid=False)
        elif isinstance(value, Mapping):
            for inner, item in value.items():
                yield YamlField(number, f"{name}.{inner}", _flat(item), rest)
        else:
            yield YamlField(number, name, _flat(value), rest)


def _entries(lines: Sequence[str]) -> Iterator[tuple[int, str, list[str]]]:
    """Yields each line that begins a field with its number, and the lines that belong to it."""
    first, head, below = 0, "", list[str]()
    for number, line in enumerate(lines[1:], start=2):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if head and (line[0] in " \t" or line.startswith("- ") or line == "-"):
            below.append(line)
            continue
        if head:
            yield first, head, below
        first, head, below = number, line, []
    if head:
        yield first, head, below


def _parsed(entry: str) -> Any:
    """Returns the value of an entry, made of texts, lists and mappings; None if it is not YAML that we read."""
    import yaml

    try:
        return yaml.load(entry, _loader())["_"]  # noqa: S506 - it makes texts, lists and mappings only
    except (yaml.YAMLError, KeyError, TypeError, ValueError):  # A key that is a list; a number that is no character.
        return None


@cache
def _loader() -> Any:
    import yaml

    class BoundedLoader(yaml.BaseLoader):  # type: ignore[misc] # it ships no types
        """Refuses aliases, which multiply what is written, and deep nesting."""

        depth = 0

        def compose_node(self, parent: Any, index: Any) -> Any:
            if self.depth > _MAX_DEPTH or self.check_event(yaml.AliasEvent):
                raise yaml.YAMLError
            self.depth += 1
            node = super().compose_node(parent, index)
            self.depth -= 1
            return node

    return BoundedLoader


def _flat(value: Any) -> Value:
    """Returns one text or a list of texts; what is nested more deeply becomes text."""
    if isinstance(value, list):
        return tuple(_text(item) for item in value)
    return _text(value)


def _text(value: Any) -> str:
    if isinstance(value, Mapping):
        value = ", ".join(f"{name}: {_text(item)}" for name, item in value.items())
    elif isinstance(value, list):
        value = ", ".join(map(_text, value))
    return str(value).strip()[:LONGEST_VALUE]
