"""Lists of known names: languages, libraries, programs, places."""

from __future__ import annotations

import json
import os
from functools import cache
from typing import NamedTuple

_FOLDER = os.path.join(os.path.dirname(__file__), "data")
# Names in these lists count only in context, so `known_names` leaves them out.
_HINTS = ("class", "function")


class KnownName(NamedTuple):
    """A word that is a name or begins one: its label as a name of one word, and the longer names it begins.

    `common` marks a word that usually means something else: *go*, *word*, *spring*.
    """

    label: str | None
    common: bool
    longer: tuple[tuple[tuple[str, ...], str], ...]


@cache
def known_names() -> dict[str, KnownName]:
    """Returns all names by their first word, in lower case."""
    common = frozenset(read_data("common.txt").split())
    single: dict[str, str] = {}
    longer: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for label, names in _lists().items():
        for name in names.split() if label not in _HINTS else ():
            single.setdefault(name, label)
            first, *rest = name.split("-")
            if rest and first:
                longer.setdefault(first, []).append((tuple(rest), label))
    return {
        word: KnownName(
            single.get(word), word in common, tuple(sorted(longer.get(word, ()), key=lambda name: -len(name[0])))
        )
        for word in {*single, *longer}
    }


@cache
def labels_of_names() -> dict[tuple[str, ...], tuple[str, ...]]:
    """Returns the labels of every name, by its words."""
    labels: dict[tuple[str, ...], tuple[str, ...]] = {}
    for label, names in _lists().items():
        for name in names.split():
            for words in {(name,), tuple(part for part in name.split("-") if part)}:
                labels[words] = tuple(dict.fromkeys((*labels.get(words, ()), label)))
    return labels


def _lists() -> dict[str, str]:
    lists: dict[str, str] = json.loads(read_data("names.json"))
    return lists


def read_data(name: str) -> str:
    """Returns the text of a data file of this package."""
    with open(os.path.join(_FOLDER, name), encoding="utf-8") as file:
        return file.read()
