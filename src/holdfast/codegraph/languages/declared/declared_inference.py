"""Finds what expressions stand for in languages with declared types."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from holdfast.codegraph.code_records import HOLDERS, MODULE, Binding
from holdfast.codegraph.languages.declared.declared_index import DeclaredIndex
from holdfast.codegraph.languages.declared.declared_names import DeclaredNames, OwnType
from holdfast.codegraph.languages.declared.declared_types import DeclaredType, parse_declared
from holdfast.codegraph.languages.expression_values import (
    CALLABLE,
    CLASS,
    DICT,
    EXTERNAL,
    FUNCTION,
    INSTANCE,
    LIST,
    MODULE_VALUE,
    NOTHING,
    OUTSIDE,
    SUPER,
    TUPLE,
    VARIABLE,
    Answer,
    CodeValue,
    one,
)
from holdfast.codegraph.tracking import Tracker

_STEP = re.compile(r"\.([^.()\[\]]+)|(\(\))|\[([^\]]*)\]")
_ALWAYS = 1 << 30
_CONTAINERS = {"list": LIST, "map": DICT, "tuple": TUPLE, "callable": CALLABLE}


class DeclaredInference:
    """What expressions stand for in the files of one project."""

    def __init__(self, names: DeclaredNames, tracker: Tracker) -> None:
        self._names = names
        self._tracker = tracker

    def evaluate(self, expression: str, path: str, scope: int, line: int, is_called: bool = False) -> Answer:
        """Returns what an expression can stand for at a line of a scope; a variable stands for its definition."""
        root, steps = _split(expression)
        is_method = self._names.methods_are_apart and (steps[:1] == ("()",) or (is_called and not steps))
        answer = self.named(root, path, scope, line, is_method)
        for step in steps:
            if not answer.values:
                return NOTHING
            answer = self._step(answer, step)
        return answer

    def _step(self, answer: Answer, step: str) -> Answer:
        if step[0] == ".":
            return self.settled(answer).then(lambda value: self.member(value, step[1:]))
        if step == "()":
            return answer.then(self._called)
        return self.settled(answer).then(lambda value: self._item(value, step[1:-1]))

    # -- names ----------------------------------------------------------------------------------------------------

    def named(self, name: str, path: str, scope: int, line: int, is_method: bool = False) -> Answer:
        """Returns what a name stands for at a line of a scope."""
        index = self._names.files.index(path)
        if index is None:
            return NOTHING
        own = self._names.own_value(index, scope, name)
        if isinstance(own, OwnType):
            written, kind = own
            typed = self.typed(parse_declared(written.type), written.path, written.scope)
            return Answer(tuple(value._replace(kind=kind) for value in typed.values if value.kind == INSTANCE))
        if own is not None:
            return own
        at = scope
        while at != MODULE and index.definitions[at].kind != "module":
            local = self._local(index, name, at, line, is_method)
            if local is not None:
                return local
            at, line = index.definitions[at].parent, _ALWAYS
        found = self._names.top_level(index, at, name)
        return OUTSIDE if not found.values and name in self._names.known_types.built_in else found

    def _local(self, index: DeclaredIndex, name: str, scope: int, line: int, is_method: bool) -> Answer | None:
        """Returns what a definition says of a name inside it, or None if it says nothing."""
        if not is_method:
            known = self._variable_at(index, name, scope, line)
            if known is not None:
                return known
        definition = index.definitions[scope]
        if self._names.sees_members(definition.kind):
            found = self.member(CodeValue(CLASS, index.path, scope), name)
            return found if found.values and found != OUTSIDE else None
        if definition.kind not in HOLDERS and (children := index.named(scope, name)):
            return Answer(tuple(children))
        imported = self._names.imported(index, scope, name)
        return imported if imported.values else None

    def _variable_at(self, index: DeclaredIndex, name: str, scope: int, line: int) -> Answer | None:
        """Returns the value of a parameter or a local variable."""
        definition = index.definitions[scope]
        parameter = next((one for one in definition.parameters if one.name == name), None)
        latest = _latest(index.bindings.get((scope, name), ()), line, parameter is None)
        if latest is not None:
            question = "bound", index.path, latest
            return self._tracker.answer(question, lambda: self._bound(index, latest), NOTHING, of_file=True)
        if parameter is not None:
            return self.typed(parse_declared(parameter.type), index.path, scope)
        is_type = f"<{name}" in (word.partition(" ")[0] for word in definition.modifiers)
        return NOTHING if is_type else None  # `typed` knows the bound of a type parameter

    def _bound(self, index: DeclaredIndex, binding: Binding) -> Answer:
        if binding.form == "type":
            return self.typed(parse_declared(binding.value), index.path, binding.scope)
        if binding.form == "unknown":
            return NOTHING
        found = self.settled(self.evaluate(binding.value, index.path, binding.scope, binding.line - 1))
        return (found.then(self._element) if binding.form == "element" else found).inferred()

    # -- types ----------------------------------------------------------------------------------------------------

    def typed(self, form: DeclaredType, path: str, scope: int) -> Answer:
        """Returns a value of a type that is written in a scope."""
        if form.form == "name":
            question = "typed", form, path, scope
            return self._tracker.answer(question, lambda: self._typed_name(form, path, scope), NOTHING)
        if form.form == "nothing":
            return NOTHING
        items = tuple(self.typed(part, path, scope) for part in form.parts)
        return one(CodeValue(_CONTAINERS[form.form], items=items))

    def _typed_name(self, form: DeclaredType, path: str, scope: int) -> Answer:
        bound = self._bound_of(form.name, path, scope)
        if bound is not None:
            return self.typed(parse_declared(bound), path, scope) if bound != form.name else NOTHING
        found = self.evaluate(form.name, path, scope, _ALWAYS)
        classes = tuple(value._replace(kind=INSTANCE) for value in found.values if value.kind in (CLASS, INSTANCE))
        if classes:
            return Answer(classes)
        known, last = self._names.known_types, form.name.rpartition(".")[2]
        if last in known.transparent and form.parts:
            return self.typed(form.parts[0], path, scope)
        if last in known.lists and form.parts:
            return one(CodeValue(LIST, items=(self.typed(form.parts[0], path, scope),)))
        if last in known.maps and len(form.parts) > 1:
            return one(CodeValue(DICT, items=tuple(self.typed(part, path, scope) for part in form.parts[:2])))
        return OUTSIDE

    def _bound_of(self, name: str, path: str, scope: int) -> str | None:
        """Returns the bound of a type parameter, "" if it has none; None if the name is no type parameter."""
        index = self._names.files.index(path)
        while index is not None and scope != MODULE and "." not in name:
            definition = index.definitions[scope]
            for word in definition.modifiers:
                parameter, _, bound = word.partition(" ")
                if parameter == f"<{name}":
                    return bound
            scope = definition.parent
        return None

    # -- values ---------------------------------------------------------------------------------------------------

    def settled(self, answer: Answer) -> Answer:
        """Replaces variables by what they can be."""
        if not any(value.kind == VARIABLE for value in answer.values):
            return answer
        return answer.then(lambda value: self._variable(value) if value.kind == VARIABLE else one(value))

    def _variable(self, value: CodeValue) -> Answer:
        return self._tracker.answer(("variable", value), lambda: self._find_variable(value), NOTHING)

    def _find_variable(self, value: CodeValue) -> Answer:
        definition = self._names.files.definition(value)
        if definition is None:
            return NOTHING
        if definition.type:
            return self.typed(parse_declared(definition.type), value.path, definition.parent)
        if "constant" in definition.modifiers:
            return one(CodeValue(INSTANCE, value.path, definition.parent))
        if not definition.values:
            return NOTHING
        return self.settled(self.evaluate(definition.values[0], value.path, definition.parent, _ALWAYS)).inferred()

    def member(self, value: CodeValue, name: str) -> Answer:
        """Returns a member of a value, its own or an inherited one."""
        if value.kind == MODULE_VALUE:
            return self._names.in_namespace(value.path, name)
        if value.kind == CLASS and name == "this":  # `Outer.this`
            return one(value._replace(kind=INSTANCE))
        if value.kind in (CLASS, INSTANCE, SUPER):
            return self._tracker.answer(("member", value, name), lambda: self._member(value, name), NOTHING)
        if value.kind in (LIST, DICT):
            return self._of_container(value, name)
        return OUTSIDE if value.kind in (EXTERNAL, TUPLE, CALLABLE) else NOTHING

    def _member(self, value: CodeValue, name: str) -> Answer:
        own = self._names.members(value, name) if value.kind != SUPER else []
        if own:
            return Answer(tuple(found._replace(receiver=value._replace(receiver=None)) for found in own))
        definition = self._names.files.definition(value)
        if definition is None:
            return NOTHING
        is_open = False
        for base in self._names.bases(value):
            inherited = self.typed(parse_declared(base.type), base.path, base.scope)
            found = inherited.then(lambda held: self.member(held, name))
            if any(one_found.kind != EXTERNAL for one_found in found.values):
                return found
            is_open = is_open or not inherited.values or bool(found.values)
        if definition.kind == "type" and definition.type:
            underlying = self.typed(parse_declared(definition.type), value.path, definition.parent)
            return underlying.then(lambda held: self.member(held, name))
        known = self._names.known_types
        if name in known.same and value.kind == INSTANCE:
            return one(CodeValue(CALLABLE, items=(one(value),)))
        return OUTSIDE if is_open or name in known.inherited else NOTHING

    def _of_container(self, value: CodeValue, name: str) -> Answer:
        known = self._names.known_types
        if name in known.elements:
            return one(CodeValue(CALLABLE, items=(value.items[-1],)))
        if name in known.same:
            return one(CodeValue(CALLABLE, items=(one(value),)))
        if name in known.values and value.kind == DICT:
            return one(CodeValue(CALLABLE, items=(one(CodeValue(LIST, items=value.items[-1:])),)))
        return OUTSIDE

    def _called(self, value: CodeValue) -> Answer:
        if value.kind == VARIABLE:
            settled = self._variable(value)
            definition = self._names.files.definition(value)
            is_constant = definition is not None and "constant" in definition.modifiers  # `Shape::Circle(1)`
            return settled if is_constant else settled.then(self._called)
        if value.kind == CLASS:
            return one(value._replace(kind=INSTANCE, receiver=None))
        if value.kind == FUNCTION:
            return self._tracker.answer(("called", value), lambda: self._returned(value), NOTHING)
        if value.kind == CALLABLE and value.items:
            return value.items[0]
        if value.kind == INSTANCE:
            return self._underlying(value).then(self._called)
        return OUTSIDE if value.kind == EXTERNAL else NOTHING

    def _returned(self, value: CodeValue) -> Answer:
        definition = self._names.files.definition(value)
        if definition is None or not definition.type:
            return NOTHING
        form = parse_declared(definition.type)
        # `Self` in a trait or an interface is the type on which the method was called.
        if value.receiver is not None and form == parse_declared("Self"):
            return one(value.receiver._replace(kind=INSTANCE))
        return self.typed(form, value.path, value.place)

    def _underlying(self, value: CodeValue) -> Answer:
        """Returns the type that a named type, such as `type Names []string`, stands for."""
        definition = self._names.files.definition(value)
        if definition is None or definition.kind != "type":
            return NOTHING
        return self.typed(parse_declared(definition.type), value.path, definition.parent)

    def _item(self, value: CodeValue, place: str) -> Answer:
        if value.kind == TUPLE:
            return value.items[int(place)] if place.isdigit() and int(place) < len(value.items) else NOTHING
        return self._element(value)

    def _element(self, value: CodeValue) -> Answer:
        if value.kind in (LIST, DICT):
            return value.items[-1]
        if value.kind == INSTANCE:
            return self._underlying(value).then(self._element)
        return OUTSIDE if value.kind == EXTERNAL else NOTHING


def _latest(bindings: Sequence[Binding], line: int, or_first: bool) -> Binding | None:
    """Returns the binding in force at a line: the last one before it, `or_first` the first one after it."""
    before = [binding for binding in bindings if binding.line <= line]
    return before[-1] if before else bindings[0] if bindings and or_first else None


@cache
def _split(expression: str) -> tuple[str, tuple[str, ...]]:
    """Splits an expression into its first name and the steps that follow."""
    start = min((place for mark in ".([" if (place := expression.find(mark)) >= 0), default=len(expression))
    return expression[:start], tuple(match[0] for match in _STEP.finditer(expression, start))
