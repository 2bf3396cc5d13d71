"""What a language with declared types must say about its names."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import NamedTuple

from holdfast.codegraph.code_records import Import
from holdfast.codegraph.languages import ProjectFiles
from holdfast.codegraph.languages.declared.known import known_types
from holdfast.codegraph.languages.expression_values import CLASS, FUNCTION, NOTHING, Answer, CodeValue
from holdfast.codegraph.languages.file_index import FileIndex, IndexedFiles
from holdfast.codegraph.tracking import Tracker

_KINDS = {**dict.fromkeys(("class", "interface", "enum", "type"), CLASS), "function": FUNCTION, "method": FUNCTION}


class WrittenBase(NamedTuple):
    """A type that another one extends or implements, as written in a scope of a file."""

    type: str
    path: str
    scope: int


class OwnType(NamedTuple):
    """The type around a scope, as written: an instance of it, or the type itself."""

    written: WrittenBase
    kind: str


class DeclaredNames(ABC):
    """Looks up the names of a language. A value of kind `module` has a namespace as its path."""

    language = ""
    # Can a method and a variable have the same name, so that a call never means the variable?
    methods_are_apart = False
    # Kinds of definitions whose members are visible by name alone inside them.
    open_kinds: tuple[str, ...] = ()

    def __init__(self, project: ProjectFiles, tracker: Tracker) -> None:
        self._project = project
        self._tracker = tracker
        self.files = IndexedFiles(project, tracker, _KINDS)
        self.known_types = known_types(self.language)

    @abstractmethod
    def top_level(self, index: FileIndex, scope: int, name: str) -> Answer:
        """Returns what a name means at the top level of a file, or of a module in it; imports included."""

    def imported(self, index: FileIndex, scope: int, name: str) -> Answer:
        """Returns what an import inside a function or block binds."""
        return NOTHING

    @abstractmethod
    def in_namespace(self, namespace: str, name: str) -> Answer:
        """Returns what a name means in a namespace."""

    def own_value(self, index: FileIndex, scope: int, name: str) -> Answer | OwnType | None:
        """Returns what a word such as `this` or `Self` means; None if it is an ordinary name."""
        return None

    @abstractmethod
    def members(self, value: CodeValue, name: str) -> list[CodeValue]:
        """Returns the members of a type by name, without those it inherits."""

    def bases(self, value: CodeValue) -> list[WrittenBase]:
        """Returns the types that a type extends or implements."""
        definition = self.files.definition(value)
        return [WrittenBase(one, value.path, value.place) for one in definition.bases] if definition else []

    def owner(self, index: FileIndex, place: int) -> int:
        """Returns the definition whose bases those at a place are: the type, for a block that adds to it."""
        return place

    @abstractmethod
    def targets(self, index: FileIndex, statement: Import) -> Iterable[CodeValue] | None:
        """Returns what an import names; None if that is outside the project, nothing if it is missing."""
