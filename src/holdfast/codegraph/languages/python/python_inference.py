"""Finds what Python expressions stand for: through scopes, attributes, calls, annotations and assignments."""

from __future__ import annotations

import builtins
import re

from holdfast.codegraph.code_records import MODULE, Binding, Definition
from holdfast.codegraph.languages.evaluator import ALWAYS, Evaluator, latest
from holdfast.codegraph.languages.expression_values import (
    CALLABLE,
    CLASS,
    CONTEXT,
    DICT,
    EXTERNAL,
    FUNCTION,
    INSTANCE,
    LIST,
    NOTHING,
    OUTSIDE,
    SUPER,
    TUPLE,
    VARIABLE,
    Answer,
    CodeValue,
    merged,
    one,
)
from holdfast.codegraph.languages.file_index import FileIndex
from holdfast.codegraph.languages.python.containers import element, item, method_of
from holdfast.codegraph.languages.python.python_names import Names
from holdfast.codegraph.languages.python.python_type_syntax import names_in, parse_type
from holdfast.codegraph.languages.type_tokens import TypeForm
from holdfast.codegraph.tracking import Tracker

_LITERAL = re.compile(r"<(\w+)>(?:\{(.*)\})?")
_BUILTINS = frozenset(dir(builtins))
_ENUMS = ("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag")
_MOST_CLASSES = 60  # around a class, by inheritance
_PROPERTIES = ("property", "cached_property", "functools.cached_property", "abc.abstractproperty")


class Inference(Evaluator):
    """What expressions stand for in the Python files of one project."""

    closed_kinds = ("class",)

    def __init__(self, names: Names, tracker: Tracker) -> None:
        super().__init__(names.files, tracker, parse_type, _BUILTINS)
        self._names = names

    # -- names ----------------------------------------------------------------------------------------------------

    def named(self, name: str, path: str, scope: int, line: int, is_called: bool = False) -> Answer:
        """Returns what a name, a literal or `super()` stands for at a line of a scope."""
        if name.startswith("<"):
            return self._literal(name, path, scope, line)
        return self._super(path, scope) if name == "super()" else super().named(name, path, scope, line, is_called)

    def _literal(self, root: str, path: str, scope: int, line: int) -> Answer:
        match = _LITERAL.fullmatch(root)
        if match is None or match[2] is None:
            return OUTSIDE if match else NOTHING
        return one(CodeValue(LIST, items=(self.evaluate(match[2], path, scope, line),)))

    def _super(self, path: str, scope: int) -> Answer:
        around = self._class_around(path, scope)
        return one(around._replace(kind=SUPER)) if around is not None else NOTHING

    def _class_around(self, path: str, scope: int) -> CodeValue | None:
        index = self._files.index(path)
        around = index.around(scope, "class") if index is not None else MODULE
        return index.value(around) if index is not None and around != MODULE else None

    def is_local(self, name: str, path: str, scope: int) -> bool:
        """Is a name a parameter or an assigned name of a function around a place?"""
        index = self._files.index(path)
        while index is not None and scope != MODULE:
            definition = index.definitions[scope]
            if (scope, name) in index.bindings or _is_parameter(definition, name):
                return True
            scope = definition.parent
        return False

    def _local(self, index: FileIndex, name: str, scope: int, line: int, is_called: bool) -> Answer | None:
        definitions = [one(value) for value in index.named(scope, name)]
        imports = [self._names.imported(index.path, *source) for source in index.imports[scope].get(name, ())]
        if definitions or imports:
            return merged(definitions + imports)
        is_parameter = _is_parameter(index.definitions[scope], name)
        place = latest(index.bindings.get((scope, name), ()), line, or_first=not is_parameter)
        return self._bound_at(index, name, scope, place) if place >= 0 or is_parameter else None

    def _top_level(self, index: FileIndex, scope: int, name: str, line: int) -> Answer:
        found = self._names.exported(index.path, name)
        place = latest(index.bindings.get((MODULE, name), ()), line) if not found.values else -1
        return self._bound_at(index, name, MODULE, place) if place >= 0 else found

    def _bound(self, index: FileIndex, name: str, scope: int, place: int) -> Answer:
        if place < 0:
            return self._parameter(index, name, scope)
        binding = index.bindings[scope, name][place]
        answer = self.binding(index, binding)
        if binding.form != "narrowed":
            return answer
        if scope == MODULE and not place:
            return answer.inferred()
        before = self._bound(index, name, scope, place - 1) if place else self._parameter(index, name, scope)
        return merged([answer, before]).inferred()

    def binding(self, index: FileIndex, binding: Binding) -> Answer:
        """Returns what a binding gives its name."""
        path, scope = index.path, binding.scope
        if binding.form in ("type", "caught", "narrowed"):
            return self.written(binding.value, path, scope)
        if binding.form == "unknown":
            return NOTHING
        answer = self.evaluate(binding.value, path, scope, binding.line - 1)
        return self.settled(answer).then(self._entered) if binding.form == "entered" else answer

    def _parameter(self, index: FileIndex, name: str, scope: int) -> Answer:
        definition = index.definitions[scope]
        place = next((p for p, known in enumerate(definition.parameters) if known.name.lstrip("*") == name), -1)
        if place < 0:
            return NOTHING
        parameter = definition.parameters[place]
        if place == 0 and definition.kind == "method" and "staticmethod" not in definition.decorators:
            kind = CLASS if _takes_class(definition) else INSTANCE
            return one(CodeValue(kind, index.path, definition.parent))
        if parameter.type:
            answer = self.written(parameter.type, index.path, scope)
            stars = parameter.name.count("*")
            return one(CodeValue(DICT if stars == 2 else LIST, items=(answer,) * stars)) if stars else answer
        if parameter.default and parameter.default != "<none>":
            return self.evaluate(parameter.default, index.path, definition.parent, ALWAYS).inferred()
        return NOTHING

    # -- types ----------------------------------------------------------------------------------------------------

    def typed(self, form: TypeForm, path: str, scope: int, receiver: CodeValue | None = None) -> Answer:
        """Returns the values of a type that is written in a scope; `Self` is the class of the receiver, if any."""
        if form.form == "self":
            own = receiver if receiver is not None else self._class_around(path, scope)
            return one(own._replace(kind=INSTANCE)) if own is not None else NOTHING
        if form.form == "class":
            instances = self.typed(form._replace(form="union"), path, scope, receiver).values
            return Answer(tuple(v._replace(kind=CLASS) if v.kind == INSTANCE else v for v in instances))
        return super().typed(form, path, scope, receiver)

    def _class_named(self, name: str, path: str, scope: int) -> Answer:
        """Returns the classes that a dotted name stands for."""
        return self.settled(self.evaluate(name, path, scope, ALWAYS))

    def _instances(self, form: TypeForm, path: str, scope: int) -> Answer:
        found = []
        for value in self.evaluate(form.name, path, scope, ALWAYS).values:
            definition = self._files.definition(value)
            if value.kind == VARIABLE and definition is not None and definition.kind == "type":
                found.append(self.written(definition.type, value.path, definition.parent))
            elif value.kind == VARIABLE:
                settled = self.settled(one(value))
                found.append(Answer(tuple(v._replace(kind=INSTANCE) for v in settled.values if v.kind == CLASS)))
            elif value.kind in (CLASS, EXTERNAL):
                found.append(one(value._replace(kind=INSTANCE if value.kind == CLASS else EXTERNAL)))
        return merged(found)

    # -- values ---------------------------------------------------------------------------------------------------

    def _settle(self, value: CodeValue) -> Answer:
        definition = self._files.definition(value) if value.kind == FUNCTION and value.receiver is not None else None
        is_property = definition is not None and any(name in _PROPERTIES for name in definition.decorators)
        return self._called(value) if is_property else super()._settle(value)

    def _variable(self, value: CodeValue) -> Answer:
        index = self._files.index(value.path)
        if index is None:
            return NOTHING
        definition = index.definitions[value.place]
        if definition.type and definition.kind != "type":
            return self.written(definition.type, value.path, definition.parent, value.receiver)
        if definition.parent != MODULE and self._is_enum(value.path, definition.parent):
            return one(CodeValue(INSTANCE, value.path, definition.parent))
        if definition.kind == "property":
            return self._attribute_set(index, definition)
        found = [self.evaluate(v, value.path, definition.parent, ALWAYS) for v in definition.values]
        return self.settled(merged(found))

    def _attribute_set(self, index: FileIndex, definition: Definition) -> Answer:
        """Returns what the methods of a class assign to an attribute of `self`."""
        found = []
        for methods in index.children[definition.parent].values():
            for place in methods:
                for owner in ("self", "cls"):
                    for binding in index.bindings.get((place, f"{owner}.{definition.name}"), ()):
                        if binding.form != "narrowed":
                            found.append(self.settled(self.binding(index, binding)))
        answer = merged(found)
        return answer.inferred() if len(answer.values) > 1 else answer

    def _attribute(self, answer: Answer, name: str) -> Answer:
        """Returns the attribute of the first value that has it."""
        is_inferred = answer.is_inferred or len(answer.values) > 1
        for value in answer.values:
            found = self.member(value, name)
            if found.values and found.values[0].kind != EXTERNAL:
                return found._replace(is_inferred=found.is_inferred or is_inferred)
        return OUTSIDE if any(self._is_open(value) for value in answer.values) else NOTHING

    def member(self, value: CodeValue, name: str) -> Answer:
        """Returns an attribute of a value, its own or an inherited one."""
        if value.kind == INSTANCE and name == "__class__":
            return one(value._replace(kind=CLASS))
        return super().member(value, name)

    def _in_module(self, module: str, name: str) -> Answer:
        return self._names.exported(module, name)

    def _of_container(self, value: CodeValue, name: str) -> Answer:
        return method_of(value, name) if value.kind != CALLABLE else NOTHING

    def _is_open(self, value: CodeValue) -> bool:
        """Can a value have attributes that are defined outside the project?"""
        if value.kind in (CLASS, INSTANCE, SUPER):
            return self._has_external_base(value)
        return value.kind in (EXTERNAL, LIST, DICT, TUPLE, FUNCTION)

    def _callable(self, value: CodeValue) -> Answer:
        return self.member(value, "__call__")

    def _returned(self, value: CodeValue) -> Answer:
        definition = self._files.definition(value)
        if definition is None:
            return NOTHING
        if definition.type:
            answer = self.written(definition.type, value.path, value.place, value.receiver)
            if any(decorator.endswith("contextmanager") for decorator in definition.decorators):
                return Answer(tuple(v._replace(kind=CONTEXT) if v.kind == LIST else v for v in answer.values))
            return answer
        found = [self._result(v, value) for v in definition.values]
        return self.settled(merged(found)).inferred()

    def _result(self, written: str, function: CodeValue) -> Answer:
        """Returns what a returned expression stands for; `self` and `cls()` are of the class it is called on."""
        if function.receiver is not None and written in ("self", "cls()", "cls"):
            return one(function.receiver._replace(kind=CLASS if written == "cls" else INSTANCE))
        return self.evaluate(written, function.path, function.place, ALWAYS)

    def _entered(self, value: CodeValue) -> Answer:
        if value.kind == CONTEXT and value.items:
            return value.items[0]
        if value.kind == INSTANCE:
            for name in ("__enter__", "__aenter__"):
                entered = self.member(value, name)
                if entered.values:
                    result = entered.then(self._called)
                    return result if result.values else one(value)
        return OUTSIDE if value.kind == EXTERNAL else NOTHING

    def _element(self, value: CodeValue) -> Answer:
        if value.kind == INSTANCE:
            iterated = self.member(value, "__iter__").then(self._called)
            if iterated.values:
                return merged([element(v) for v in iterated.values])
            return self._item(value, "")
        if value.kind == CLASS and self._is_enum(value.path, value.place):
            return one(value._replace(kind=INSTANCE))
        return element(value)

    def _item(self, value: CodeValue, place: str) -> Answer:
        if value.kind == INSTANCE:
            return self.member(value, "__getitem__").then(self._called)
        return one(value) if value.kind == CLASS else item(value, place)

    # -- classes --------------------------------------------------------------------------------------------------

    def _member(self, value: CodeValue, name: str) -> Answer:
        """Returns the definitions of a member of a class, an instance or `super()`; external if a base is."""
        receiver = CodeValue(CLASS, value.path, value.place)
        lineage = self._lineage(value.path, value.place)
        for at in lineage[1:] if value.kind == SUPER else lineage:
            index = self._files.index(at.path) if at.kind == CLASS else None
            places = index.children[at.place].get(name, ()) if index is not None else ()
            if index is not None and places:
                return Answer(tuple(index.value(place, receiver) for place in places))
        return OUTSIDE if self._has_external_base(value) else NOTHING

    def _bases(self, path: str, place: int) -> tuple[CodeValue, ...]:
        """Returns the direct base classes; one outside the project is external."""
        return self._tracker.answer(("bases", path, place), lambda: self._find_bases(path, place), ())

    def _lineage(self, path: str, place: int) -> tuple[CodeValue, ...]:
        """Returns a class and its base classes in the order in which members are looked up."""
        return self._tracker.answer(("lineage", path, place), lambda: self._find_lineage(path, place), ())

    def _find_bases(self, path: str, place: int) -> tuple[CodeValue, ...]:
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

    def _find_lineage(self, path: str, place: int) -> tuple[CodeValue, ...]:
        found: dict[CodeValue, None] = {}
        pending = [CodeValue(CLASS, path, place)]
        while pending and len(found) < _MOST_CLASSES:
            at = pending.pop()
            # A base class that is reached twice comes after all classes that inherit from it.
            found.pop(at, None)
            found[at] = None
            if at.kind == CLASS:
                bases = self._bases(at.path, at.place)
                pending.extend(base for base in reversed(bases) if base.path != path or base.place != place)
        return tuple(found)

    def _has_external_base(self, value: CodeValue) -> bool:
        """Does a class inherit from one outside the project?"""
        return any(base.kind == EXTERNAL for base in self._lineage(value.path, value.place))

    def _is_enum(self, path: str, place: int) -> bool:
        """Is a class an enumeration by the name of a direct base class?"""
        index = self._files.index(path)
        bases = index.definitions[place].bases if index is not None else ()
        return any(base.rpartition(".")[2] in _ENUMS for base in bases)


def _is_parameter(definition: Definition, name: str) -> bool:
    return any(parameter.name.lstrip("*") == name for parameter in definition.parameters)


def _takes_class(definition: Definition) -> bool:
    return "classmethod" in definition.decorators or definition.name in ("__new__", "__init_subclass__")
