"""What the parts of type inference ask of each other."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from holdfast.codegraph.languages.typescript.typescript_kinds import Environment, Type
from holdfast.codegraph.languages.typescript.typescript_names import Argument, Defined, Meaning, NameLookup
from holdfast.codegraph.languages.typescript.typescript_type_syntax import Syntax
from holdfast.codegraph.tracking import Tracker

Target = tuple[str, int]  # a path and a definition in it


class ExpressionStep(NamedTuple):
    """One step of an expression: the definitions it names, its type, and whether inference was needed."""

    targets: tuple[Target, ...]
    type: Type | None
    is_inferred: bool = False


NOWHERE = ExpressionStep((), None)


class Evaluation(Protocol):
    """Evaluates expressions, types as written, and members."""

    @property
    def names(self) -> NameLookup: ...

    @property
    def tracker(self) -> Tracker: ...

    def type_of(self, path: str, scope: int, expression: str, line: int = ...) -> Type | None:
        """The type of an expression."""
        ...

    def type_of_definition(self, meaning: Defined, environment: Environment = ...) -> Type | None:
        """The type of a defined name as a value."""
        ...

    def type_of_parameter(self, argument: Argument) -> Type | None:
        """The declared type of a parameter, or that of its default."""
        ...

    def step_of(self, meaning: Meaning) -> ExpressionStep:
        """The step to what a name means."""
        ...

    def called(self, type_: Type) -> Type | None:
        """What calling or constructing gives."""
        ...

    def evaluate(
        self, syntax: Syntax, path: str, scope: int, environment: Environment, own: int | None = None
    ) -> Type | None:
        """The type that `syntax` means in a scope. `own` is the definition whose members `{}` stands for."""
        ...

    def member(self, type_: Type, name: str) -> tuple[tuple[Target, ...], Type | None]:
        """The definitions of a member and its type."""
        ...

    def element(self, type_: Type) -> Type | None:
        """An element of a container."""
        ...

    def bases(self, path: str, place: int, environment: Environment) -> list[Type]:
        """The types that a class or interface extends."""
        ...
