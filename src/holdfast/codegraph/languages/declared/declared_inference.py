"""Finds what expressions stand for in languages with declared types."""

from __future__ import annotations

from holdfast.codegraph.code_records import HOLDERS, MODULE
from holdfast.codegraph.languages.declared.declared_names import DeclaredNames, OwnType
from holdfast.codegraph.languages.declared.declared_types import parse_declared
from holdfast.codegraph.languages.evaluator import ALWAYS, Evaluator, latest
from holdfast.codegraph.languages.expression_values import (
    CALLABLE,
    CLASS,
    DICT,
    EXTERNAL,
    INSTANCE,
    LIST,
    NOTHING,
    OUTSIDE,
    SUPER,
    TUPLE,
    VARIABLE,
    Answer,
    CodeValue,
    one,
)
from holdfast.codegraph.languages.file_index import FileIndex
from holdfast.codegraph.languages.type_tokens import TypeForm
from holdfast.codegraph.tracking import Tracker


class DeclaredInference(Evaluator):
    """What expressions stand for in the files of one project."""

    def __init__(self, names: DeclaredNames, tracker: Tracker) -> None:
        super().__init__(names.files, tracker, parse_declared, names.known_types.built_in)
        self._names = names

    # -- names ----------------------------------------------------------------------------------------------------

    def named(self, name: str, path: str, scope: int, line: int, is_called: bool = False) -> Answer:
        """Returns what a name, or a word such as `this`, stands for at a line of a scope."""
        index = self._files.index(path)
        own = self._names.own_value(index, scope, name) if index is not None else None
        if isinstance(own, OwnType):
            written, kind = own
            typed = self.written(written.type, written.path, written.scope)
            return Answer(tuple(value._replace(kind=kind) for value in typed.values if value.kind == INSTANCE))
        return own if own is not None else super().named(name, path, scope, line, is_called)

    def _local(self, index: FileIndex, name: str, scope: int, line: int, is_called: bool) -> Answer | None:
        if not is_called or not self._names.methods_are_apart:
            known = self._variable_at(index, name, scope, line)
            if known is not None:
                return known
        definition = index.definitions[scope]
        if definition.kind in self._names.open_kinds:
            found = self.member(CodeValue(CLASS, index.path, scope), name)
            return found if found.values and found != OUTSIDE else None
        if definition.kind not in HOLDERS and (children := index.named(scope, name)):
            return Answer(tuple(children))
        imported = self._names.imported(index, scope, name)
        return imported if imported.values else None

    def _variable_at(self, index: FileIndex, name: str, scope: int, line: int) -> Answer | None:
        """Returns the value of a parameter or a local variable."""
        definition = index.definitions[scope]
        parameter = next((one for one in definition.parameters if one.name == name), None)
        place = latest(index.bindings.get((scope, name), ()), line, or_first=parameter is None)
        if place >= 0:
            return self._bound_at(index, name, scope, place)
        if parameter is not None:
            return self.written(parameter.type, index.path, scope)
        is_type = f"<{name}" in (word.partition(" ")[0] for word in definition.modifiers)
        return NOTHING if is_type else None  # `typed` knows the bound of a type parameter

    def _top_level(self, index: FileIndex, scope: int, name: str, line: int) -> Answer:
        return self._names.top_level(index, scope, name)

    def _bound(self, index: FileIndex, name: str, scope: int, place: int) -> Answer:
        binding = index.bindings[scope, name][place]
        if binding.form == "type":
            return self.written(binding.value, index.path, scope)
        if binding.form == "unknown":
            return NOTHING
        found = self.settled(self.evaluate(binding.value, index.path, scope, binding.line - 1))
        return (found.then(self._element) if binding.form == "element" else found).inferred()

    # -- types ----------------------------------------------------------------------------------------------------

    def _instances(self, form: TypeForm, path: str, scope: int) -> Answer:
        bound = self._bound_of(form.name, path, scope)
        if bound is not None:
            return self.written(bound, path, scope) if bound != form.name else NOTHING
        found = self.evaluate(form.name, path, scope, ALWAYS)
        classes = tuple(value._replace(kind=INSTANCE) for value in found.values if value.kind in (CLASS, INSTANCE))
        if classes:
            return Answer(classes)
        known, last = self._names.known_types, form.name.rpartition(".")[2]
        if last in known.transparent and form.parts:
            return self.typed(form.parts[0], path, scope)
        if last in known.lists and form.parts:
            return self.typed(TypeForm(LIST, "", form.parts[:1]), path, scope)
        if last in known.maps and len(form.parts) > 1:
            return self.typed(TypeForm(DICT, "", form.parts[:2]), path, scope)
        return OUTSIDE

    def _bound_of(self, name: str, path: str, scope: int) -> str | None:
        """Returns the bound of a type parameter, "" if it has none; None if the name is no type parameter."""
        index = self._files.index(path)
        while index is not None and scope != MODULE and "." not in name:
            definition = index.definitions[scope]
            for word in definition.modifiers:
                parameter, _, bound = word.partition(" ")
                if parameter == f"<{name}":
                    return bound
            scope = definition.parent
        return None

    # -- values ---------------------------------------------------------------------------------------------------

    def _variable(self, value: CodeValue) -> Answer:
        definition = self._files.definition(value)
        if definition is None:
            return NOTHING
        if definition.type:
            return self.written(definition.type, value.path, definition.parent)
        if "constant" in definition.modifiers:
            return one(CodeValue(INSTANCE, value.path, definition.parent))
        if not definition.values:
            return NOTHING
        return self.settled(self.evaluate(definition.values[0], value.path, definition.parent, ALWAYS)).inferred()

    def member(self, value: CodeValue, name: str) -> Answer:
        """Returns a member of a value, its own or an inherited one; `Outer.this` is an instance."""
        if value.kind == CLASS and name == "this":
            return one(value._replace(kind=INSTANCE))
        return super().member(value, name)

    def _in_module(self, module: str, name: str) -> Answer:
        return self._names.in_namespace(module, name)

    def _member(self, value: CodeValue, name: str) -> Answer:
        own = self._names.members(value, name) if value.kind != SUPER else []
        if own:
            return Answer(tuple(found._replace(receiver=value._replace(receiver=None)) for found in own))
        definition = self._files.definition(value)
        if definition is None:
            return NOTHING
        is_open = False
        for base in self._names.bases(value):
            inherited = self.written(base.type, base.path, base.scope)
            found = inherited.then(lambda held: self.member(held, name))
            if any(one_found.kind != EXTERNAL for one_found in found.values):
                return found
            is_open = is_open or not inherited.values or bool(found.values)
        if definition.kind == "type" and definition.type:
            underlying = self.written(definition.type, value.path, definition.parent)
            return underlying.then(lambda held: self.member(held, name))
        known = self._names.known_types
        if name in known.same and value.kind == INSTANCE:
            return one(CodeValue(CALLABLE, items=(one(value),)))
        return OUTSIDE if is_open or name in known.inherited else NOTHING

    def _of_container(self, value: CodeValue, name: str) -> Answer:
        known = self._names.known_types
        if value.kind not in (LIST, DICT):
            return OUTSIDE
        if name in known.elements:
            return one(CodeValue(CALLABLE, items=(value.items[-1],)))
        if name in known.same:
            return one(CodeValue(CALLABLE, items=(one(value),)))
        if name in known.values and value.kind == DICT:
            return one(CodeValue(CALLABLE, items=(one(CodeValue(LIST, items=value.items[-1:])),)))
        return OUTSIDE

    def _called(self, value: CodeValue) -> Answer:
        definition = self._files.definition(value) if value.kind == VARIABLE else None
        if definition is not None and "constant" in definition.modifiers:  # `Shape::Circle(1)`
            return self._settle(value)
        return super()._called(value)

    def _returned(self, value: CodeValue) -> Answer:
        definition = self._files.definition(value)
        if definition is None or not definition.type:
            return NOTHING
        form = parse_declared(definition.type)
        # `Self` in a trait or an interface is the type on which the method was called.
        if value.receiver is not None and form == parse_declared("Self"):
            return one(value.receiver._replace(kind=INSTANCE))
        return self.typed(form, value.path, value.place)

    def _callable(self, value: CodeValue) -> Answer:
        """Returns the type that a named type, such as `type Names []string`, stands for."""
        definition = self._files.definition(value)
        if definition is None or definition.kind != "type":
            return NOTHING
        return self.written(definition.type, value.path, definition.parent)

    def _item(self, value: CodeValue, place: str) -> Answer:
        if value.kind == TUPLE:
            return value.items[int(place)] if place.isdigit() and int(place) < len(value.items) else NOTHING
        return self._element(value)

    def _element(self, value: CodeValue) -> Answer:
        if value.kind in (LIST, DICT):
            return value.items[-1]
        if value.kind == INSTANCE:
            return self._callable(value).then(self._element)
        return OUTSIDE if value.kind == EXTERNAL else NOTHING
