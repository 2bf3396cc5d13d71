"""Which files of a project are documents, and what each is called: rules as data, the first that matches decides."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any

from holdfast.core.errors import InvalidSettings
from holdfast.documents.globs import as_pattern

DOC_TYPES = ("semantic", "procedural")
# What a file is written in, by the end of its name.
KINDS = {".md": "markdown", ".markdown": "markdown", ".rst": "restructured", ".txt": "text"}
_USUAL_LABEL = "doc"
_PRESETS = os.path.join(os.path.dirname(__file__), "presets")


@dataclass(frozen=True, slots=True)
class DocumentRule:
    """Files whose path matches have this label and doc type. `**/` stands for any folders, `{a,b}` for either."""

    path: str
    label: str
    doc_type: str = "semantic"

    def __post_init__(self) -> None:
        if self.doc_type not in DOC_TYPES:
            raise InvalidSettings(f"the doc type of {self.path} is {self.doc_type!r}; use {' or '.join(DOC_TYPES)}")


@dataclass(frozen=True)
class DocumentRules:
    """The folders to look into, what a file found there is, and what to pass over (written as in a .gitignore)."""

    roots: tuple[str, ...]
    rules: tuple[DocumentRule, ...]
    ignore: tuple[str, ...] = ()

    def of(self, path: str) -> DocumentRule | None:
        """The rule for a file by its path in the project; None when it is no document."""
        if kind_of(path) is None:
            return None
        return next((rule for pattern, rule in self._compiled if pattern.match(path)), None)

    @cached_property
    def _compiled(self) -> tuple[tuple[re.Pattern[str], DocumentRule], ...]:
        return tuple((re.compile(as_pattern(rule.path), re.IGNORECASE), rule) for rule in self.rules)


def kind_of(path: str) -> str | None:
    """What a file is written in: markdown, restructured or text; None for what is no document."""
    return KINDS.get(path[path.rfind(".") :].lower()) if "." in path else None


def presets() -> tuple[str, ...]:
    """The names of the rules that come with Holdfast."""
    return tuple(sorted(name.removesuffix(".json") for name in os.listdir(_PRESETS) if name.endswith(".json")))


@cache
def preset(name: str) -> DocumentRules:
    """The rules of that name. Raises InvalidSettings when there are none."""
    if name not in presets():
        raise InvalidSettings(f"index_preset = {name!r} is none of: {', '.join(presets())}")
    with open(os.path.join(_PRESETS, f"{name}.json"), encoding="utf-8") as file:
        return read_rules(json.load(file))


def read_rules(data: Mapping[str, Any]) -> DocumentRules:
    """Rules as they stand in a file of rules."""
    return DocumentRules(
        tuple(data["roots"]), tuple(DocumentRule(**rule) for rule in data["rules"]), tuple(data.get("ignore", ()))
    )


def chosen(name: str, roots: str = "", ignore: str = "") -> DocumentRules:
    """The rules of a preset, as the settings change them.

    `roots` takes the place of the preset's: folders with commas between, each with its label and doc type where the
    preset's are not right: `docs, notes=note, runbooks=guide:procedural`. `ignore` adds to what is passed over.
    """
    rules = preset(name)
    named = tuple(_root(part) for part in _parts(roots))
    if named:
        own = tuple(rule for _, rule in named if rule)
        # Why the last: whoever names a folder wants what lies in it, whatever the preset thinks of.
        rest = tuple(DocumentRule(_inside(folder), _USUAL_LABEL) for folder, _ in named)
        rules = replace(rules, roots=tuple(folder for folder, _ in named), rules=(*own, *rules.rules, *rest))
    return replace(rules, ignore=(*rules.ignore, *_parts(ignore)))


def _parts(listed: str) -> Iterable[str]:
    return [part.strip() for part in listed.split(",") if part.strip()]


def _root(part: str) -> tuple[str, DocumentRule | None]:
    folder, _, called = (word.strip() for word in part.partition("="))
    folder = folder.strip("/").removeprefix("./") or "."
    if folder.split("/", 1)[0] == "..":
        raise InvalidSettings(f"index_roots names {folder}, which lies outside the project")
    label, _, doc_type = called.partition(":")
    return folder, DocumentRule(_inside(folder), label, doc_type or "semantic") if label else None


def _inside(folder: str) -> str:
    return "**" if folder == "." else f"{folder}/**"
