"""Infers types as far as names and declarations lead: what an expression is, and which member a name means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.codegraph.code_records import MODULE
from holdfast.codegraph.languages.typescript.evaluation import NOWHERE, ExpressionStep, Target
from holdfast.codegraph.languages.typescript.members import Members
from holdfast.codegraph.languages.typescript.objects import MEMBERS
from holdfast.codegraph.languages.typescript.typescript_contexts import Contexts
from holdfast.codegraph.languages.typescript.typescript_kinds import (
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
from holdfast.codegraph.languages.typescript.typescript_names import (
    Argument,
    Defined,
    Expression,
    Local,
    Meaning,
    ModuleFile,
    NameLookup,
)
from holdfast.codegraph.languages.typescript.typescript_tables import take_apart
from holdfast.codegraph.languages.typescript.typescript_type_syntax import Syntax, parse_type
from holdfast.codegraph.languages.typescript.written_types import WrittenTypes

if TYPE_CHECKING:
    from holdfast.codegraph.tracking import Tracker


class TypeInference:
    """Evaluates expressions and types. The parts ask each other through this object."""

    def __init__(self, names: NameLookup, tracker: Tracker) -> None:
        self.names = names
        self.tracker = tracker
        self._members = Members(self)
        self.written = WrittenTypes(self)
        self.contexts = Contexts(self)

    def evaluate(
        self, syntax: Syntax, path: str, scope: int, environment: Environment, own: int | None = None
    ) -> Type | None:
        return self.written.evaluate(syntax, path, scope, environment, own)

    def member(self, type_: Type, name: str) -> tuple[tuple[Target, ...], Type | None]:
        return self._members.find(type_, name)

    def element(self, type_: Type) -> Type | None:
        return self._members.element(type_)

    def bases(self, path: str, place: int, environment: Environment) -> list[Type]:
        return self._members.bases(path, place, environment)

    def steps(self, path: str, scope: int, expression: str, line: int) -> list[ExpressionStep]:
        """Every step of an expression, from its first name on; shorter if it leads out of the project."""
        base, rest = take_apart(expression)
        found = [self._base(path, scope, base, line)]
        for name in rest:
            before = found[-1]
            if before.type is None:
                break
            if name == "()":
                found.append(
                    ExpressionStep((), self.called(before.type), before.is_inferred or self._infers(before.type))
                )
            elif name == "[]":
                found.append(ExpressionStep((), self.element(before.type), before.is_inferred))
            else:
                targets, type_ = self.member(before.type, name)
                found.append(ExpressionStep(targets, type_, before.is_inferred))
        if len(found) <= len(rest):
            found.append(NOWHERE)
        return found

    def type_of(self, path: str, scope: int, expression: str, line: int = 1 << 30) -> Type | None:
        """The type of an expression."""
        if not expression or expression == "<?>":
            return None
        bound = None
        base = take_apart(expression).base
        if not base.startswith("<") and base not in ("this", "super"):
            meaning = self.names.find(path, scope, base, line)
            bound = meaning.number if isinstance(meaning, Local) else None
        question = ("type", path, scope, expression, bound)
        return self.tracker.answer(question, lambda: self._last_type(path, scope, expression, line), None)

    def _last_type(self, path: str, scope: int, expression: str, line: int) -> Type | None:
        return self.steps(path, scope, expression, line)[-1].type

    def _base(self, path: str, scope: int, name: str, line: int) -> ExpressionStep:
        if name in ("this", "super"):
            return self._this(path, scope, name)
        if name == "<list>":
            return ExpressionStep((), ContainerType("Array", None, None))
        meaning = self.names.find(path, scope, name, line)
        return self.step_of(meaning) if meaning is not None else NOWHERE

    def step_of(self, meaning: Meaning) -> ExpressionStep:
        """The step to what a name means."""
        if isinstance(meaning, Defined):
            required = self._required(meaning)
            if required is not None:
                return required
            targets = tuple((meaning.path, place) for place in meaning.places)
            return ExpressionStep(targets, self.type_of_definition(meaning), self._is_inferred(meaning))
        if isinstance(meaning, ModuleFile):
            whole = self.names.exported(meaning.path, "export=")
            found = self.step_of(whole) if whole is not None else NOWHERE
            return found if found.targets else ExpressionStep(((meaning.path, MODULE),), ModuleValue(meaning.path))
        if isinstance(meaning, Expression):
            found = self.steps(meaning.path, MODULE, meaning.text, 1 << 30)[-1]
            return ExpressionStep(found.targets, found.type, True)
        if isinstance(meaning, Argument):
            return ExpressionStep((), self.type_of_parameter(meaning), not meaning.parameter.type)
        return ExpressionStep((), self._type_of_local(meaning), meaning.binding.form != "type")

    def _required(self, meaning: Defined) -> ExpressionStep | None:
        """What a variable with the value `require("module")`, or a member of it, means in that module."""
        table = self.names.table(meaning.path)
        one = table.at(meaning.places[0]) if table is not None else None
        if one is None or one.kind != "variable" or not one.values or not one.values[0].startswith("<import:"):
            return None
        found = self.steps(meaning.path, one.parent, one.values[0], one.end_line)[-1]
        return found if found.targets else None

    def _is_inferred(self, meaning: Defined) -> bool:
        table = self.names.table(meaning.path)
        one = table.at(meaning.places[0]) if table is not None else None
        return one is not None and one.kind in ("variable", "property") and not one.type and one.values != (MEMBERS,)

    def _type_of_local(self, local: Local) -> Type | None:
        question = ("local", local.path, local.scope, local.binding.name, local.number)
        return self.tracker.answer(question, lambda: self._compute_local(local), None)

    def _compute_local(self, local: Local) -> Type | None:
        path, scope, form, value = local.path, local.scope, local.binding.form, local.binding.value
        if form == "type":
            return self.evaluate(parse_type(value), path, scope, ())
        if form == "argument":
            return self.contexts.parameter(path, scope, value, local.binding.line)
        if form in ("value", "element"):
            found = self.type_of(path, scope, value, local.binding.line)
            if form == "element":
                return self.element(found) if found is not None else None
            return found
        return None

    def type_of_parameter(self, argument: Argument) -> Type | None:
        one = argument.parameter
        if one.type:
            return self.evaluate(parse_type(one.type), argument.path, argument.scope, ())
        return self.type_of(argument.path, argument.scope, one.default) if one.default else None

    def type_of_definition(self, meaning: Defined, environment: Environment = ()) -> Type | None:
        """The type of a defined name as a value."""
        question = ("definition", meaning, environment)
        return self.tracker.answer(question, lambda: self._compute_definition(meaning, environment), None)

    def _compute_definition(self, meaning: Defined, environment: Environment) -> Type | None:
        table = self.names.table(meaning.path)
        one = table.at(meaning.places[0]) if table is not None else None
        if table is None or one is None:
            return None
        if one.kind not in ("variable", "property") or one.values == (MEMBERS,):
            return ValueType(meaning.path, meaning.places, environment)
        if one.type:
            return self.evaluate(parse_type(one.type), meaning.path, meaning.places[0], environment)
        if "get" in one.modifiers:
            return self.returned(meaning.path, meaning.places[0], environment)
        if one.values:
            return self.type_of(meaning.path, one.parent, one.values[0], one.end_line)
        is_constant = one.parent != MODULE and table.at(one.parent).kind == "enum"
        return InstanceOf(meaning.path, one.parent) if is_constant else None

    def called(self, type_: Type) -> Type | None:
        """What calling or constructing gives."""
        question = ("called", type_)
        return self.tracker.answer(question, lambda: self._compute_called(type_), None)

    def _compute_called(self, type_: Type) -> Type | None:
        if isinstance(type_, ValueType):
            return self._called_value(type_)
        if isinstance(type_, SeveralTypes):
            return several(self.called(one) for one in type_.types)
        if isinstance(type_, WrittenType):
            return self._called_written(type_)
        if isinstance(type_, ContainerType):
            return self._members.called_method(type_)
        return self._called_module(type_) if isinstance(type_, ModuleValue) else self._called_instance(type_)

    def _called_written(self, type_: WrittenType) -> Type | None:
        form = type_.syntax[0]
        result = type_.syntax[2] if form == "function" else type_.syntax[1] if form == "new" else None
        return self.evaluate(result, type_.path, type_.scope, type_.environment) if result else None

    def _called_module(self, module: ModuleValue) -> Type | None:
        whole = self.names.exported(module.path, "export=")
        found = self.step_of(whole).type if whole is not None else None
        return self.called(found) if found is not None else None

    def _called_instance(self, type_: InstanceOf) -> Type | None:
        for name in ("()", "new"):
            targets, _ = self.member(type_, name)
            if targets:
                return self.returned(*targets[0], type_.environment)
        return None

    def _called_value(self, value: ValueType) -> Type | None:
        table = self.names.table(value.path)
        if table is None:
            return None
        typed = [place for place in value.places if table.at(place).type]
        place = (typed or value.places)[0]
        one = table.at(place)
        if one.kind == "class":
            return InstanceOf(value.path, place, value.environment)
        if one.kind in ("function", "method", "block"):
            return self.returned(value.path, place, value.environment)
        return None

    def returned(self, path: str, place: int, environment: Environment) -> Type | None:
        """What a function gives: its declared type, else the first of its returned values with a known type."""
        table = self.names.table(path)
        if table is None:
            return None
        one = table.at(place)
        if one.type:
            return self.evaluate(parse_type(one.type), path, place, environment)
        for word in one.modifiers:
            if word.startswith("typed "):
                holder = self.type_of(path, one.parent, word.removeprefix("typed "))
                found = self.called(holder) if holder is not None else None
                if found is not None:
                    return found
        for text in one.values:
            found = self.type_of(path, place, text)
            if found is not None:
                return found
        return None

    def _infers(self, type_: Type) -> bool:
        """Does calling this need the type of a returned value?"""
        if not isinstance(type_, ValueType):
            return False
        table = self.names.table(type_.path)
        return table is not None and not any(
            table.at(place).type or table.at(place).kind == "class" for place in type_.places
        )

    def _this(self, path: str, scope: int, name: str) -> ExpressionStep:
        table = self.names.table(path)
        while table is not None and scope != MODULE:
            one = table.around(scope)
            if one.kind in ("class", "interface"):
                return self._self_or_base(path, scope, name, is_static=False)
            declared = next((found for found in one.parameters if found.name == "this" and found.type), None)
            if declared is not None and name == "this":
                return ExpressionStep((), self.type_of_parameter(Argument(path, scope, 0, declared)))
            parent = table.around(one.parent) if one.parent != MODULE else None
            if parent is not None and one.kind in ("method", "property"):
                if parent.kind == "class":
                    return self._self_or_base(path, one.parent, name, "static" in one.modifiers)
                if "arrow" not in one.modifiers and (parent.kind == "variable" or "object" in parent.modifiers):
                    return ExpressionStep((), ValueType(path, (one.parent,)))
            if one.kind == "function" and "arrow" not in one.modifiers:
                return NOWHERE
            scope = one.parent
        return NOWHERE

    def _self_or_base(self, path: str, place: int, name: str, is_static: bool) -> ExpressionStep:
        if name == "this":
            return ExpressionStep((), ValueType(path, (place,)) if is_static else InstanceOf(path, place))
        bases = self.bases(path, place, ())
        targets = tuple((one.path, one.place) for one in bases if isinstance(one, InstanceOf))
        found = several(bases)
        if is_static and targets:
            found = ValueType(targets[0][0], (targets[0][1],))
        return ExpressionStep(targets, found)
