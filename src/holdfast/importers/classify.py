"""Chooses the type of a memory by its headings and its words, or by the category that another program gave it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import resources

# The types that a heading decides whatever the statement says; for others the statement decides first.
_DECIDED_BY_HEADING = ("gotcha", "decision", "error_pattern", "preference")
WORKFLOW = "workflow_recipe"
_CODE = re.compile(r"`[^`]*`")


def type_of(text: str, headings: Sequence[str]) -> str | None:
    """The type of a statement under these headings; None if neither they nor its words tell."""
    by_heading = heading_type(headings)
    if by_heading in _DECIDED_BY_HEADING:
        return by_heading
    return type_by_words(text) or (by_heading if by_heading != WORKFLOW else None)


def type_by_words(text: str) -> str | None:
    """The type that telling words at the beginning of a statement name."""
    return _first(_table("statements"), text)


def heading_type(headings: Sequence[str]) -> str | None:
    """The type that the nearest telling heading names."""
    found = (_first(_table("headings"), heading) for heading in reversed(headings))
    return next(filter(None, found), None)


def category_type(categories: Iterable[str], text: str) -> str | None:
    """The type for a category of another program, or else by the words of the statement; None if neither tells."""
    named = {category.casefold().strip() for category in categories}
    by_category = (type for type, words in _cues()["categories"].items() if named & set(words))
    return next(by_category, None) or type_by_words(text)


def is_boilerplate(text: str) -> bool:
    """Does a sentence only introduce the file?"""
    start = text[:80].casefold()
    return any(phrase in start for phrase in _cues()["boilerplate"])


def _first(table: Mapping[str, re.Pattern[str]], text: str) -> str | None:
    folded = _CODE.sub(" ", text[:400]).casefold().replace("’", "'")
    return next((type for type, pattern in table.items() if pattern.search(folded)), None)


@cache
def _table(name: str) -> Mapping[str, re.Pattern[str]]:
    cues = _cues()[name]
    return {type: re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, words))})(?!\w)") for type, words in cues.items()}


@cache
def _cues() -> Mapping[str, Mapping[str, Sequence[str]]]:
    text = resources.files("holdfast.importers").joinpath("data/cues.json").read_text("utf-8")
    cues: Mapping[str, Mapping[str, Sequence[str]]] = json.loads(text)
    return cues
