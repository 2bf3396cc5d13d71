"""Finds the members of Python classes through their base classes."""

from __future__ import annotations

from collections.abc import Callable

from holdfast.codegraph.languages.expression_values import (
    CLASS,
    EXTERNAL,
    NOTHING,
    OUTSIDE,
    SUPER,
    Answer,
    CodeValue,
)
from holdfast.codegraph.languages.file_index import IndexedFiles
from holdfast.codegraph.languages.python.python_type_syntax import names_in, parse_type
from holdfast.codegraph.tracking import Tracker

_MOST_CLASSES = 60
_ENUMS = ("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag")


class Classes:
    """The classes of one project. `class_named` finds the classes that a dotted name stands for in a scope."""

    def __init__(self, files: IndexedFiles, tracker: Tracker, class_named: Callable[[str, str, int], Answer]) -> None:
        self._files = files
        self._tracker = tracker
        self._class_named = class_named

    def bases(self, path: str, place: int) -> tuple[CodeValue, ...]:
        """Returns the direct base classes; one outside the project is external."""
        return self._tracker.answer(("bases", path, place), lambda: self._bases(path, place), ())

    def lineage(self, path: str, place: int) -> tuple[CodeValue, ...]:
        """Returns a class and its base classes in the order in which members are looked up."""
        return self._tracker.answer(("lineage", path, place), lambda: self._lineage(path, place), ())

    def member(self, value: CodeValue, name: str) -> Answer:
        """Returns the definitions of a member of a class, an instance or `super()`; external if a base is."""
        receiver = CodeValue(CLASS, value.path, value.place)
        lineage = self.lineage(value.path, value.place)
        for at in lineage[1:] if value.kind == SUPER else lineage:
            index = self._files.index(at.path) if at.kind == CLASS else None
            places = index.children[at.place].get(name, ()) if index is not None else ()
            if index is not None and places:
                return Answer(tuple(index.value(place, receiver) for place in places))
        return OUTSIDE if self.has_external_base(value) else NOTHING

    def has_external_base(self, value: CodeValue) -> bool:
        """Does a class inherit from one outside the project?"""
        return any(base.kind == EXTERNAL for base in self.lineage(value.path, value.place))

    def is_enum(self, path: str, place: int) -> bool:
        """Is a class an enumeration by the name of a direct base class?"""
        index = self._files.index(path)
        bases = index.definitions[place].bases if index is not None else ()
        return any(base.rpartition(".")[2] in _ENUMS for base in bases)

    def _bases(self, path: str, place: int) -> tuple[CodeValue, ...]:
        index = self._files.index(path)
        if index is None or index.definitions[place].kind != "class":
            return ()
        definition = index.definitions[place]
        found: list[CodeValue] = []
        for written in definition.bases:
            if written.partition("[")[0].rpartition(".")[2] in ("Generic", "Protocol"):
                continue
            name = next(names_in(parse_type(written.partition("[")[0])), "")
            values = self._class_named(name, path, definition.parent).values if name else ()
            classes = [value for value in values if value.kind == CLASS]
            found += classes[:1] or OUTSIDE.values
        return tuple(found)

    def _lineage(self, path: str, place: int) -> tuple[CodeValue, ...]:
        found: dict[CodeValue, None] = {}
        pending = [CodeValue(CLASS, path, place)]
        while pending and len(found) < _MOST_CLASSES:
            at = pending.pop()
            # A base class that is reached twice comes after all classes that inherit from it.
            found.pop(at, None)
            found[at] = None
            if at.kind == CLASS:
                bases = self.bases(at.path, at.place)
                pending.extend(base for base in reversed(bases) if base.path != path or base.place != place)
        return tuple(found)
