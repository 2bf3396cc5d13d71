"""Reads the types of a language's library that contain others."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

from holdfast.codegraph.languages.declared.declared_names import KnownTypes


@cache
def known_types(language: str) -> KnownTypes:
    """Returns the known types of a language."""
    content = json.loads(files(__package__).joinpath("known_types.json").read_text("utf-8"))
    return KnownTypes(**{name: frozenset(words) for name, words in content[language].items()})
