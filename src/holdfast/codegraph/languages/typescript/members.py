"""Finds members: of classes with their bases, interfaces, object types, namespaces, objects and containers."""

from __future__ import annotations

from holdfast.codegraph.languages.typescript.evaluation import Evaluation
from holdfast.codegraph.languages.typescript.typescript_kinds import (
    ELEMENT,
    METHODS,
    PAIRS,
    SELF,
    VALUES,
    ContainerType,
    Environment,
    InstanceOf,
    ModuleValue,
    SeveralTypes,
    Type,
    ValueType,
    WrittenType,
    several,
)
from holdfast.codegraph.languages.typescript.typescript_names import Defined
from holdfast.codegraph.languages.typescript.typescript_tables import FileTable
from holdfast.codegraph.languages.typescript.typescript_type_syntax import parse_type

Found = tuple[tuple[tuple[str, int], ...], Type | None]
_NOTHING: Found = ((), None)
_MOST_BASES = 20


class Members:
    """Looks up members of types."""

    def __init__(self, evaluation: Evaluation) -> None:
        self._evaluation = evaluation
        self._names = evaluation.names

    def find(self, type_: Type, name: str) -> Found:
        """The definitions of a member and its type."""
        question = ("member", type_, name)
        return self._evaluation.tracker.answer(question, lambda: self._find(type_, name), _NOTHING)

    def _find(self, type_: Type, name: str) -> Found:
        if isinstance(type_, InstanceOf):
            return self._of_instance(type_, name)
        if isinstance(type_, ValueType):
            return self._of_value(type_, name)
        if isinstance(type_, ModuleValue):
            meaning = self._names.exported(type_.path, name)
            step = self._evaluation.step_of(meaning) if meaning is not None else None
            return (step.targets, step.type) if step is not None else _NOTHING
        if isinstance(type_, SeveralTypes):
            return self._of_all(type_.types, name)
        if isinstance(type_, WrittenType):
            return self._of_written(type_, name)
        return self._of_container(type_, name)

    def _of_all(self, types: tuple[Type, ...], name: str) -> Found:
        found = [self.find(one, name) for one in types]
        targets = tuple(dict.fromkeys(target for one in found for target in one[0]))
        return targets, several(one[1] for one in found)

    def _of_instance(self, type_: InstanceOf, name: str) -> Found:
        table = self._names.table(type_.path)
        if table is None:
            return _NOTHING
        for place in self._merged(table, type_.place):
            places = table.named(place, name)
            if places:
                return self._defined(table, places, type_.environment)
        assigned = self._assigned(table, type_, name)
        if assigned is not None:
            return (), assigned
        for base in self.bases(type_.path, type_.place, type_.environment):
            found = self.find(base, name)
            if found[0] or found[1] is not None:
                return found
        index = table.named(type_.place, "[]")
        return ((), self._defined(table, index, type_.environment)[1]) if index and name != "[]" else _NOTHING

    def _merged(self, table: FileTable, place: int) -> list[int]:
        """A definition and those of the same name that TypeScript merges with it."""
        one = table.at(place)
        if one.kind not in ("interface", "class"):
            return [place]
        others = [other for other in table.named(one.parent, one.name) if other != place]
        return [place, *(other for other in others if table.at(other).kind in ("interface", "class"))]

    def _defined(self, table: FileTable, places: list[int], environment: Environment) -> Found:
        targets = tuple((table.path, place) for place in places)
        return targets, self._evaluation.type_of_definition(Defined(table.path, tuple(places)), environment)

    def _assigned(self, table: FileTable, type_: InstanceOf, name: str) -> Type | None:
        """The type of `this.name = value` in a method of a class, for JavaScript."""
        if table.at(type_.place).kind != "class":
            return None
        found = table.assigned(type_.place, name)
        if found is None:
            return None
        method, binding = found
        return self._evaluation.type_of(table.path, method, binding.value, binding.line)

    def bases(self, path: str, place: int, environment: Environment) -> list[Type]:
        """The types that a class or interface extends, and those that an object takes in."""
        table = self._names.table(path)
        if table is None:
            return []
        found: list[Type] = []
        for one in self._merged(table, place):
            definition = table.at(one)
            for text in definition.bases[:_MOST_BASES]:
                base = self._evaluation.evaluate(parse_type(text), path, definition.parent, environment, one)
                if base is None and "(" in text:
                    called = self._evaluation.type_of(path, definition.parent, text)
                    base = self._evaluation.called(called) if called is not None else None
                if base is not None:
                    found.append(base)
        return found

    def _of_value(self, type_: ValueType, name: str) -> Found:
        table = self._names.table(type_.path)
        if table is None:
            return _NOTHING
        for place in type_.places:
            places = table.named(place, name)
            one = table.at(place)
            if one.kind == "class" and places:
                places = [found for found in places if "static" in table.at(found).modifiers] or places
            if places and one.kind not in ("function", "method"):
                return self._defined(table, places, type_.environment)
            for base in self.bases(type_.path, place, type_.environment):
                side = (
                    ValueType(base.path, (base.place,))
                    if isinstance(base, InstanceOf) and one.kind == "class"
                    else base
                )
                found = self.find(side, name)
                if found[0] or found[1] is not None:
                    return found
        return self._of_namespace(table, type_, name)

    def _of_namespace(self, table: FileTable, type_: ValueType, name: str) -> Found:
        """A member of a namespace with the same name as a function or class."""
        one = table.at(type_.places[0])
        for place in table.named(one.parent, one.name):
            if table.at(place).kind == "module":
                places = table.named(place, name)
                if places:
                    return self._defined(table, places, type_.environment)
        return _NOTHING

    def _of_written(self, type_: WrittenType, name: str) -> Found:
        if type_.syntax[0] != "literal":
            return _NOTHING
        for member, syntax in type_.syntax[1]:
            if member == name:
                evaluated = self._evaluation.evaluate(syntax, type_.path, type_.scope, type_.environment)
                return (), evaluated
        return _NOTHING

    def _of_container(self, type_: ContainerType, name: str) -> Found:
        if type_.method:
            return _NOTHING
        if type_.name == "Record":
            return (), type_.element
        return (), type_._replace(method=name)

    def called_method(self, type_: ContainerType) -> Type | None:
        """What a method of a container gives."""
        result = METHODS.get(type_.name, {}).get(type_.method)
        if result == ELEMENT:
            return type_.element
        if result == SELF:
            return type_._replace(method="")
        if result in (VALUES, PAIRS):
            return ContainerType("Array", None, type_.element if result == VALUES else None)
        return None

    def element(self, type_: Type) -> Type | None:
        """An element of a container."""
        if isinstance(type_, ContainerType) and not type_.method:
            return type_.element if type_.name != "Map" else None
        if isinstance(type_, SeveralTypes):
            return several(self.element(one) for one in type_.types)
        if isinstance(type_, InstanceOf):
            return self.find(type_, "[]")[1]
        return None
