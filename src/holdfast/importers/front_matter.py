"""Reads the front matter of rule files, which is like YAML, but not always YAML: `globs: *.ts, src/**`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

_MOST_LINES = 200


def split_front_matter(text: str) -> tuple[Mapping[str, Sequence[str]], str]:
    """The fields by name in lower case, each as a list of texts, and the text after the front matter."""
    lines = text.splitlines()
    if not lines or lines[0].strip() != "---":
        return {}, text
    end = next((n for n, line in enumerate(lines[1:_MOST_LINES], 1) if line.strip() == "---"), None)
    if end is None:
        return {}, text
    return _fields(lines[1:end]), "\n".join(lines[end + 1 :])


def _fields(lines: Sequence[str]) -> Mapping[str, Sequence[str]]:
    fields: dict[str, list[str]] = {}
    name = ""
    for line in lines:
        bare = line.strip()
        if bare.startswith("- ") and name:
            fields[name].append(_unquoted(bare[2:]))
        elif ":" in bare and not bare.startswith("#"):
            key, _, value = bare.partition(":")
            # A nested field has the name of the outer one before it: `metadata.type`.
            nested = line[0] in " \t" and name
            full = f"{name.partition('.')[0]}.{key.strip()}" if nested else key.strip()
            name = full.lower()
            fields[name] = _values(value.strip())
    return fields


def _values(text: str) -> list[str]:
    inner = text[1:-1] if text.startswith("[") and text.endswith("]") else text
    depth, parts, part = 0, [], ""
    for char in inner:  # A comma inside braces belongs to a glob: `*.{ts,tsx}`.
        depth += (char == "{") - (char == "}")
        if char == "," and depth <= 0:
            parts.append(part)
            part = ""
        else:
            part += char
    return [value for value in map(_unquoted, [*parts, part]) if value]


def _unquoted(text: str) -> str:
    text = text.strip()
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" else text
