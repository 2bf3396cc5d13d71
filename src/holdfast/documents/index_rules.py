"""Rules that decide which files of a project are documents, with their labels; the first matching rule applies."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache, cached_property
from typing import Any

from holdfast.core.errors import InvalidSettings
from holdfast.core.frozen import frozen
from holdfast.text.globs import as_pattern

DOC_TYPES = ("semantic", "procedural")
# The format of a file by its extension.
KINDS = {".md": "markdown", ".markdown": "markdown", ".rst": "restructured", ".txt": "text"}
_DEFAULT_LABEL = "doc"
_PRESETS = os.path.join(os.path.dirname(__file__), "presets")


@frozen
class DocumentRule:
    """Assigns a label and a doc type to files whose path matches a glob: `**/` is any folders, `{a,b}` is a or b."""

    path: str
    label: str
    doc_type: str = "semantic"

    def __post_init__(self) -> None:
        if self.doc_type not in DOC_TYPES:
            raise InvalidSettings(f"the doc type of {self.path} is {self.doc_type!r}; use {' or '.join(DOC_TYPES)}")


@frozen(slots=False)
class DocumentRules:
    """The folders to search, the rules for files in them, and patterns to ignore, written as in a .gitignore."""

    roots: tuple[str, ...]
    rules: tuple[DocumentRule, ...]
    ignore: tuple[str, ...] = ()

    def of(self, path: str) -> DocumentRule | None:
        """Returns the rule for a file by its path in the project; None if it is not a document."""
        if kind_of(path) is None:
            return None
        return next((rule for pattern, rule in self._compiled if pattern.match(path)), None)

    @cached_property
    def _compiled(self) -> tuple[tuple[re.Pattern[str], DocumentRule], ...]:
        return tuple((re.compile(as_pattern(rule.path), re.IGNORECASE), rule) for rule in self.rules)


def kind_of(path: str) -> str | None:
    """Returns the format of a file: markdown, restructured or text; None if it is not a document."""
    return KINDS.get(path[path.rfind(".") :].lower()) if "." in path else None


def presets() -> tuple[str, ...]:
    """Returns the names of the presets that come with Holdfast."""
    return tuple(sorted(name.removesuffix(".json") for name in os.listdir(_PRESETS) if name.endswith(".json")))


@cache
def preset(name: str) -> DocumentRules:
    """Returns the rules of a preset. Raises InvalidSettings for an unknown name."""
    if name not in presets():
        raise InvalidSettings(f"index_preset = {name!r} is none of: {', '.join(presets())}")
    with open(os.path.join(_PRESETS, f"{name}.json"), encoding="utf-8") as file:
        return read_rules(json.load(file))


def read_rules(data: Mapping[str, Any]) -> DocumentRules:
    """Builds rules from the data of a preset file."""
    return DocumentRules(
        tuple(data["roots"]), tuple(DocumentRule(**rule) for rule in data["rules"]), tuple(data.get("ignore", ()))
    )


def chosen(name: str, roots: str = "", ignore: str = "") -> DocumentRules:
    """Returns the rules of a preset, changed by the settings.

    `roots` replaces the preset's folders. Folders are separated by commas and may have a label and a doc type:
    `docs, notes=note, runbooks=guide:procedural`. `ignore` adds patterns to ignore.
    """
    rules = preset(name)
    named = tuple(_root(item) for item in _items(roots))
    if named:
        own = tuple(rule for _, rule in named if rule)
        # These rules come last: they index the documents of a named folder for which the preset has no rule.
        rest = tuple(DocumentRule(_inside(folder), _DEFAULT_LABEL) for folder, _ in named)
        rules = replace(rules, roots=tuple(folder for folder, _ in named), rules=(*own, *rules.rules, *rest))
    return replace(rules, ignore=(*rules.ignore, *_items(ignore)))


def _items(listed: str) -> Iterable[str]:
    return [item.strip() for item in listed.split(",") if item.strip()]


def _root(item: str) -> tuple[str, DocumentRule | None]:
    folder, _, labels = (word.strip() for word in item.partition("="))
    folder = folder.strip("/").removeprefix("./") or "."
    if folder.split("/", 1)[0] == "..":
        raise InvalidSettings(f"index_roots names {folder}, which is outside the project")
    label, _, doc_type = labels.partition(":")
    return folder, DocumentRule(_inside(folder), label, doc_type or "semantic") if label else None


def _inside(folder: str) -> str:
    return "**" if folder == "." else f"{folder}/**"
