"""Evaluates types as written in the source."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.codegraph.code_records import MODULE
from holdfast.codegraph.languages.typescript.evaluation import Evaluation
from holdfast.codegraph.languages.typescript.typescript_kinds import (
    CONTAINERS,
    TRANSPARENT,
    ContainerType,
    Environment,
    InstanceOf,
    Type,
    ValueType,
    WrittenType,
    several,
    without_depth,
)
from holdfast.codegraph.languages.typescript.typescript_names import Defined, Expression, ModuleFile
from holdfast.codegraph.languages.typescript.typescript_tables import FileTable, type_parameters
from holdfast.codegraph.languages.typescript.typescript_type_syntax import NOTHING, Syntax, parse_type

if TYPE_CHECKING:
    from holdfast.codegraph.languages.typescript.typescript_names import Meaning

_DEEPEST = 2  # levels of type arguments inside type arguments


class WrittenTypes:
    """Turns the syntax of types into types."""

    def __init__(self, evaluation: Evaluation) -> None:
        self._evaluation = evaluation
        self._names = evaluation.names

    def evaluate(
        self, syntax: Syntax, path: str, scope: int, environment: Environment, own: int | None = None
    ) -> Type | None:
        """The type that `syntax` means in a scope. `own` is the definition whose members `{}` stands for."""
        form = syntax[0]
        if form == "ref":
            return self._reference(syntax, path, scope, environment, own)
        if form in ("or", "and"):
            return several(self.evaluate(one, path, scope, environment, own) for one in syntax[1])
        if form in ("function", "new", "literal"):
            return WrittenType(path, scope, syntax, environment)
        if form == "own" and scope != MODULE:
            return InstanceOf(path, own if own is not None else scope, environment)
        if form in ("array", "element", "member"):
            return self._part(syntax, self.evaluate(syntax[1], path, scope, environment, own))
        return self._evaluation.type_of(path, scope, syntax[1]) if form == "typeof" else None

    def _part(self, syntax: Syntax, inner: Type | None) -> Type | None:
        """An array of a type, an element of one, or a member: `Hull["keel"]`."""
        if syntax[0] == "array":
            return ContainerType("Array", None, inner)
        if inner is None or syntax[0] == "element":
            return self._evaluation.element(inner) if inner is not None else None
        return self._evaluation.member(inner, syntax[2])[1]

    def _reference(
        self, syntax: Syntax, path: str, scope: int, environment: Environment, own: int | None
    ) -> Type | None:
        _, name, arguments = syntax
        for known, type_ in environment:
            if known == name:
                return type_
        constraint = self._type_parameter(path, own if own is not None else scope, name)
        if constraint is not None:
            return self.evaluate(constraint, path, scope, (*environment, (name, None)), own)
        meaning = self.find(path, scope, name)
        if meaning is None:
            return self._built_in(name, arguments, path, scope, environment, own)
        if isinstance(meaning, Expression):
            found = self._evaluation.step_of(meaning).type
            return self._evaluation.called(found) if isinstance(found, ValueType) else found
        if not isinstance(meaning, Defined):
            return None
        evaluated = tuple(
            without_depth(self.evaluate(one, path, scope, environment, own), _DEEPEST) for one in arguments
        )
        question = ("written", meaning, evaluated)
        return self._evaluation.tracker.answer(question, lambda: self._definition(meaning, evaluated), None)

    def _definition(self, meaning: Defined, arguments: tuple[Type | None, ...]) -> Type | None:
        table = self._names.table(meaning.path)
        places = self._names.types(meaning)
        if table is None or not places:
            return None
        place = places[0]
        one = table.at(place)
        environment = self._environment(table, place, arguments)
        if one.kind == "type":
            return self.evaluate(parse_type(one.type), meaning.path, place, environment, place)
        return InstanceOf(meaning.path, place, environment) if one.kind != "module" else ValueType(meaning.path, places)

    def _environment(self, table: FileTable, place: int, arguments: tuple[Type | None, ...]) -> Environment:
        found: list[tuple[str, Type | None]] = []
        for number, (name, _, default) in enumerate(type_parameters(table.at(place))):
            if number < len(arguments):
                if arguments[number] is not None:
                    found.append((name, arguments[number]))
            elif default:
                type_ = self.evaluate(parse_type(default), table.path, place, tuple(found))
                found.append((name, without_depth(type_, _DEEPEST)))
        return tuple(found)

    def find(self, path: str, scope: int, name: str) -> Meaning | None:
        """What a name means as a type; a dotted name leads through namespaces and modules."""
        first, *rest = name.split(".")
        meaning = self._type_named(path, scope, first, bool(rest))
        for part in rest:
            if isinstance(meaning, ModuleFile):
                meaning = self._names.exported(meaning.path, part)
            elif isinstance(meaning, Defined):
                table = self._names.table(meaning.path)
                places = [found for place in meaning.places for found in table.named(place, part)] if table else []
                meaning = Defined(meaning.path, tuple(places)) if places else None
            else:
                return None
        return meaning

    def _type_named(self, path: str, scope: int, name: str, is_namespace: bool) -> Meaning | None:
        """The nearest meaning of a name that is a type or leads to one: values of the same name do not hide it."""
        table = self._names.table(path)
        while table is not None and scope != MODULE:
            places = table.visible(scope, name)
            if places and self._names.types(Defined(path, tuple(places))):
                return Defined(path, tuple(places))
            scope = table.around(scope).parent
        meaning = self._names.at_top_level(table, name) if table is not None else None
        if isinstance(meaning, Defined) and not self._names.types(meaning) and not is_namespace:
            return None
        return meaning

    def _type_parameter(self, path: str, scope: int, name: str) -> Syntax | None:
        """The constraint of a type parameter of a definition around the scope; None if the name is none."""
        table = self._names.table(path)
        while table is not None and scope != MODULE:
            one = table.around(scope)
            for known, constraint, default in type_parameters(one):
                if known == name:
                    return parse_type(constraint) if constraint else parse_type(default) if default else NOTHING
            scope = one.parent
        return None

    def _built_in(
        self, name: str, arguments: tuple[Syntax, ...], path: str, scope: int, environment: Environment, own: int | None
    ) -> Type | None:
        """A type of the language, by the meaning of its arguments."""
        if not arguments:
            return None
        types = [self.evaluate(one, path, scope, environment, own) for one in arguments[:2]]
        if name in TRANSPARENT:
            return types[0]
        if name in CONTAINERS:
            return ContainerType(
                CONTAINERS[name], types[0] if len(types) > 1 else None, types[-1] if name != "Generator" else types[0]
            )
        if name == "ReturnType" and types[0] is not None:
            return self._evaluation.called(types[0])
        if name == "InstanceType" and types[0] is not None:
            return self._evaluation.called(types[0])
        return None
