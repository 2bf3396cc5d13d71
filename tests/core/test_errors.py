"""The error classes match the tree in the docstring."""

from __future__ import annotations

import inspect
import re

import pytest

from holdfast.core import errors
from holdfast.core.errors import HoldfastError

CLASSES = [
    found
    for _, found in inspect.getmembers(errors, inspect.isclass)
    if issubclass(found, HoldfastError) and found.__module__ == errors.__name__
]


def drawn() -> dict[str, str | None]:
    """Each class of the tree with its parent."""
    above: list[str] = []
    tree: dict[str, str | None] = {}
    for line in (errors.__doc__ or "").splitlines():
        found = re.match(r"^    ((?:[│ ]   )*)(├── |└── )?([A-Z]\w+)", line)
        if found:
            depth = len(found[1]) // 4 + bool(found[2])
            above[depth:] = [found[3]]
            tree[found[3]] = above[depth - 1] if depth else None
    return tree


def test_every_class_has_the_parent_drawn_in_the_tree() -> None:
    real = {found.__name__: found.__bases__[0].__name__ for found in CLASSES}
    assert drawn() == {**real, "HoldfastError": None}


@pytest.mark.parametrize("kind", CLASSES)
def test_every_class_has_a_sentence_and_a_hint(kind: type[HoldfastError]) -> None:
    assert kind.__doc__ is not None
    assert kind.__doc__ == inspect.getdoc(kind)
    assert kind.__doc__.split("\n")[0].endswith(".")
    assert kind.hint.endswith(".")
    plain, told = kind(), kind("the blue one", hint="Take the red one.")
    assert str(plain) == f"{kind.__doc__.rstrip('.')}. {kind.hint}"
    assert str(told) == f"{kind.__doc__.rstrip('.')}: the blue one. Take the red one."
    assert (told.detail, told.hint) == ("the blue one", "Take the red one.")


def test_no_two_classes_say_the_same() -> None:
    assert len({found.__doc__ for found in CLASSES}) == len(CLASSES)
