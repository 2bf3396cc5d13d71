"""What a language with declared types must say about its names."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Protocol

from holdfast.codegraph.code_records import Import
from holdfast.codegraph.languages.declared.declared_index import DeclaredFiles, DeclaredIndex
from holdfast.codegraph.languages.expression_values import Answer, CodeValue


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


class WrittenBase(NamedTuple):
    """A type that another one extends or implements, as written in a scope of a file."""

    type: str
    path: str
    scope: int


class OwnType(NamedTuple):
    """The type around a scope, as written: an instance of it, or the type itself."""

    written: WrittenBase
    kind: str


class DeclaredNames(Protocol):
    """Looks up the names of a language. A value of kind `module` has a namespace as its path."""

    @property
    def files(self) -> DeclaredFiles: ...

    @property
    def known_types(self) -> KnownTypes: ...

    @property
    def methods_are_apart(self) -> bool:
        """Can a method and a variable have the same name, so that a call never means the variable?"""
        ...

    def top_level(self, index: DeclaredIndex, scope: int, name: str) -> Answer:
        """Returns what a name means at the top level of a file, or of a module in it; imports included."""
        ...

    def imported(self, index: DeclaredIndex, scope: int, name: str) -> Answer:
        """Returns what an import inside a function or block binds."""
        ...

    def in_namespace(self, namespace: str, name: str) -> Answer:
        """Returns what a name means in a namespace."""
        ...

    def own_value(self, index: DeclaredIndex, scope: int, name: str) -> Answer | OwnType | None:
        """Returns what a word such as `this` or `Self` means; None if it is an ordinary name."""
        ...

    def members(self, value: CodeValue, name: str) -> list[CodeValue]:
        """Returns the members of a type by name, without those it inherits."""
        ...

    def bases(self, value: CodeValue) -> list[WrittenBase]:
        """Returns the types that a type extends or implements."""
        ...

    def owner(self, index: DeclaredIndex, place: int) -> int:
        """Returns the definition whose bases those at a place are: the type, for a block that adds to it."""
        ...

    def sees_members(self, kind: str) -> bool:
        """Are the members of a definition of this kind visible by name alone inside it?"""
        ...

    def targets(self, index: DeclaredIndex, statement: Import) -> Iterable[CodeValue] | None:
        """Returns what an import names; None if that is outside the project, nothing if it is missing."""
        ...
