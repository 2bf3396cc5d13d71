"""Reads the types of a language's library that contain others."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import NamedTuple


class KnownTypes(NamedTuple):
    """Types of a language's library that contain others, methods that return what they contain, and its own names."""

    # Names that every file can use.
    built_in: frozenset[str] = frozenset()
    # Members that every value has, or that are generated.
    inherited: frozenset[str] = frozenset()
    lists: frozenset[str] = frozenset()
    maps: frozenset[str] = frozenset()
    # Types that stand for their first argument: pointers, options, locks.
    transparent: frozenset[str] = frozenset()
    # Methods that return an element, the same container or value, or a list of a map's values.
    elements: frozenset[str] = frozenset()
    same: frozenset[str] = frozenset()
    values: frozenset[str] = frozenset()


@cache
def known_types(language: str) -> KnownTypes:
    """Returns the known types of a language."""
    content = json.loads(files(__package__).joinpath("known_types.json").read_text("utf-8"))
    return KnownTypes(**{name: frozenset(words) for name, words in content[language].items()})
