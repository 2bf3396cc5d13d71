"""Infers the types of arguments: parameters of callbacks, and keys of objects."""

from __future__ import annotations

from holdfast.codegraph.languages.typescript.evaluation import Evaluation, Target
from holdfast.codegraph.languages.typescript.typescript_kinds import (
    CALLBACKS,
    ELEMENT,
    ContainerType,
    Environment,
    InstanceOf,
    SeveralTypes,
    Type,
    ValueType,
    WrittenType,
)
from holdfast.codegraph.languages.typescript.typescript_names import Argument
from holdfast.codegraph.languages.typescript.typescript_type_syntax import Syntax, parse_type

_TYPED = -1  # the place of a value in the variable that holds it, instead of an argument


class Contexts:
    """Finds the type that a call or a declared variable expects at a place."""

    def __init__(self, evaluation: Evaluation) -> None:
        self._evaluation = evaluation
        self._names = evaluation.names

    def parameter(self, path: str, scope: int, context: str, line: int) -> Type | None:
        """The type of a callback's parameter: `items.map():0:1` is parameter 1 of argument 0."""
        place, _, number = context.rpartition(":")
        table = self._names.table(path)
        outer = table.around(scope).parent if table is not None and scope >= 0 else scope
        callee, _, rest = place.rpartition(":")
        if "." not in rest:
            owner = self._callee(path, outer, callee, line)
            if isinstance(owner, ContainerType) and owner.method:
                return self._element_parameter(owner, int(number))
        expected = self.expected(path, outer, place, line)
        return self.parameter_of(expected, int(number)) if expected is not None else None

    def _element_parameter(self, owner: ContainerType, number: int) -> Type | None:
        result = CALLBACKS.get(owner.method, {}).get(number)
        if result is None or (owner.name == "Map" and number > 0):
            return None
        return owner.element if result == ELEMENT else owner._replace(method="")

    def expected(self, path: str, scope: int, place: str, line: int) -> Type | None:
        """The type expected at a place: `send():0.options.retry` is a member of a member of argument 0."""
        callee, _, rest = place.rpartition(":")
        index, *keys = rest.split(".")
        owner = self._callee(path, scope, callee, line)
        if owner is None:
            return None
        found = owner if int(index) == _TYPED else self.parameter_of(owner, int(index))
        for key in keys:
            found = self._evaluation.member(found, key)[1] if found is not None else None
        return found

    def key(self, path: str, scope: int, place: str, line: int) -> tuple[Target, ...]:
        """The members that the last key of a place means."""
        holder, _, key = place.rpartition(".")
        found = self.expected(path, scope, holder, line)
        return self._evaluation.member(found, key)[0] if found is not None else ()

    def _callee(self, path: str, scope: int, callee: str, line: int) -> Type | None:
        return self._evaluation.type_of(path, scope, callee.removesuffix("()"), line)

    def parameter_of(self, type_: Type, number: int) -> Type | None:
        """The type of a parameter of something callable."""
        if isinstance(type_, WrittenType) and type_.syntax[0] == "function":
            parameters = type_.syntax[1]
            is_rest = bool(parameters) and parameters[-1][0].startswith("...") and number >= len(parameters) - 1
            if number >= len(parameters) and not is_rest:
                return None
            syntax = parameters[-1 if is_rest else number][1]
            return self._one_of(is_rest, self._evaluate(syntax, type_.path, type_.scope, type_.environment))
        if isinstance(type_, ValueType):
            return self._of_value(type_, number)
        if isinstance(type_, SeveralTypes):
            found = (self.parameter_of(one, number) for one in type_.types)
            return next((one for one in found if one is not None), None)
        if isinstance(type_, InstanceOf):
            targets, _ = self._evaluation.member(type_, "()")
            return self._of_definitions(targets, number, type_.environment)
        return None

    def _of_value(self, value: ValueType, number: int) -> Type | None:
        table = self._names.table(value.path)
        if table is None:
            return None
        places = [(value.path, place) for place in value.places]
        if table.at(value.places[0]).kind == "class":
            constructors = table.named(value.places[0], "constructor")
            if not constructors:
                for base in self._evaluation.bases(value.path, value.places[0], value.environment):
                    if isinstance(base, InstanceOf):
                        return self._of_value(ValueType(base.path, (base.place,), base.environment), number)
            places = [(value.path, place) for place in constructors]
        return self._of_definitions(tuple(places), number, value.environment)

    def _of_definitions(self, targets: tuple[Target, ...], number: int, environment: Environment) -> Type | None:
        for path, place in targets:
            table = self._names.table(path)
            one = table.at(place) if table is not None else None
            is_rest = one is not None and "rest" in one.modifiers and number >= len(one.parameters) - 1
            if one is None or (number >= len(one.parameters) and not is_rest):
                continue
            parameter = one.parameters[-1 if is_rest else number]
            if parameter.type:
                written = self._evaluate(parse_type(parameter.type), path, place, environment)
                found = self._one_of(is_rest, written)
            else:
                found = self._evaluation.type_of_parameter(Argument(path, place, number, parameter))
            if found is not None:
                return found
        return None

    def _one_of(self, is_rest: bool, type_: Type | None) -> Type | None:
        """The type of one argument: an element of the type of a rest parameter."""
        return self._evaluation.element(type_) if is_rest and type_ is not None else type_

    def _evaluate(self, syntax: Syntax, path: str, scope: int, environment: Environment) -> Type | None:
        return self._evaluation.evaluate(syntax, path, scope, environment)
