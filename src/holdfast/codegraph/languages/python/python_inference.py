"""Finds what Python expressions stand for: through scopes, attributes, calls, annotations and assignments."""

from __future__ import annotations

import builtins
import re
from functools import cache

from holdfast.codegraph.code_records import MODULE, Binding, Definition
from holdfast.codegraph.languages.expression_values import (
    CALLABLE,
    CLASS,
    CONTEXT,
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
    merged,
    one,
)
from holdfast.codegraph.languages.python.containers import element, item, method_of
from holdfast.codegraph.languages.python.python_classes import Classes
from holdfast.codegraph.languages.python.python_names import Names, RecordIndex
from holdfast.codegraph.languages.python.python_type_syntax import TypeForm, parse_type
from holdfast.codegraph.tracking import Tracker

_STEP = re.compile(r"\.([^.()\[\]]+)|(\(\))|\[([^\]]*)\]")
_LITERAL = re.compile(r"<(\w+)>(?:\{(.*)\})?")
_BUILTINS = frozenset(dir(builtins))
_PROPERTIES = ("property", "cached_property", "functools.cached_property", "abc.abstractproperty")
_ALWAYS = 1 << 30


class Inference:
    """What expressions stand for in the files of one project."""

    def __init__(self, names: Names, tracker: Tracker) -> None:
        self._names = names
        self._tracker = tracker
        self.classes = Classes(names, tracker, self.class_named)

    # -- expressions ----------------------------------------------------------------------------------------------

    def evaluate(self, expression: str, path: str, scope: int, line: int) -> Answer:
        """Returns what an expression can stand for at a line of a scope; an attribute stands for its definition."""
        options = expression.split("|")
        if len(options) > 1:
            return merged([self.evaluate(option, path, scope, line) for option in options]).inferred()
        root, steps = _split(expression)
        if root.startswith("<"):
            answer = self._literal(root, path, scope, line)
        elif root == "super" and steps[:1] == ("()",):
            answer, steps = self._super(path, scope), steps[1:]
        else:
            answer = self.named(root, path, scope, line)
        for step in steps:
            if not answer.values:
                return NOTHING
            answer = self._step(answer, step)
        return answer

    def settled(self, answer: Answer) -> Answer:
        """Replaces variables and properties by what they can be."""
        if not any(value.kind == VARIABLE or (value.kind == FUNCTION and value.receiver) for value in answer.values):
            return answer
        found = [self._settle(value) for value in answer.values]
        result = merged(found)
        return result.inferred() if answer.is_inferred else result

    def attribute(self, answer: Answer, name: str) -> Answer:
        """Returns the attribute of the first value that has it."""
        settled = self.settled(answer)
        is_inferred = settled.is_inferred or len(settled.values) > 1
        for value in settled.values:
            found = self._member(value, name)
            if found.values and found.values[0].kind != EXTERNAL:
                return found._replace(is_inferred=found.is_inferred or is_inferred)
        return OUTSIDE if any(self._is_open(value) for value in settled.values) else NOTHING

    def _step(self, answer: Answer, step: str) -> Answer:
        if step[0] == ".":
            return self.attribute(answer, step[1:])
        if step == "()":
            return answer.then(self._called)
        settled = self.settled(answer)
        return settled.then(self._element if step == "[*]" else lambda value: self._item(value, step[1:-1]))

    def _literal(self, root: str, path: str, scope: int, line: int) -> Answer:
        match = _LITERAL.fullmatch(root)
        if match is None or match[2] is None:
            return OUTSIDE if match else NOTHING
        return one(CodeValue(LIST, items=(self.evaluate(match[2], path, scope, line),)))

    def _super(self, path: str, scope: int) -> Answer:
        index = self._names.index(path)
        around = index.class_around(scope) if index is not None else MODULE
        return one(CodeValue(SUPER, path, around)) if around != MODULE else NOTHING

    # -- names ----------------------------------------------------------------------------------------------------

    def named(self, name: str, path: str, scope: int, line: int) -> Answer:
        """Returns what a name stands for at a line of a scope."""
        index = self._names.index(path)
        if index is None:
            return NOTHING
        at = scope
        while at != MODULE:
            definition = index.record.definitions[at]
            if definition.kind != "class" or at == scope:
                found = self._local(index, name, at, line)
                if found is not None:
                    return found
            at, line = definition.parent, _ALWAYS
        found = self._names.exported(path, name)
        if not found.values and (latest := self._latest(index, MODULE, name, line)) >= 0:
            question = "local", path, MODULE, name, latest
            found = self._tracker.answer(
                question, lambda: self._bound(index, name, MODULE, latest), NOTHING, of_file=True
            )
        return found if found.values or name not in _BUILTINS else OUTSIDE

    def is_local(self, name: str, path: str, scope: int) -> bool:
        """Is a name a parameter or an assigned name of a function around a place?"""
        index = self._names.index(path)
        while index is not None and scope != MODULE:
            definition = index.record.definitions[scope]
            if (scope, name) in index.bindings or any(p.name.lstrip("*") == name for p in definition.parameters):
                return True
            scope = definition.parent
        return False

    def _local(self, index: RecordIndex, name: str, scope: int, line: int) -> Answer | None:
        """Returns what a function or class says of a name, or None if it says nothing."""
        definitions = [one(index.value(place)) for place in index.children[scope].get(name, ())]
        imports = [self._names.imported(index.path, *source) for source in index.imports[scope].get(name, ())]
        if definitions or imports:
            return merged(definitions + imports)
        latest = self._latest(index, scope, name, line)
        if latest < 0 and not _is_parameter(index.record.definitions[scope], name):
            return None
        question = "local", index.path, scope, name, latest
        return self._tracker.answer(question, lambda: self._bound(index, name, scope, latest), NOTHING, of_file=True)

    @staticmethod
    def _latest(index: RecordIndex, scope: int, name: str, line: int) -> int:
        """Returns the place of the binding in force at a line: the last one before it, else the first; -1 for none."""
        bindings = index.bindings.get((scope, name), ())
        before = [place for place, binding in enumerate(bindings) if binding.line <= line]
        if before:
            return before[-1]
        is_parameter = scope != MODULE and _is_parameter(index.record.definitions[scope], name)
        return 0 if bindings and not is_parameter else -1

    def _bound(self, index: RecordIndex, name: str, scope: int, latest: int) -> Answer:
        if latest < 0:
            return self._parameter(index, name, scope)
        binding = index.bindings[scope, name][latest]
        answer = self.binding(index, binding)
        if binding.form != "narrowed":
            return answer
        if scope == MODULE and not latest:
            return answer.inferred()
        before = self._bound(index, name, scope, latest - 1) if latest else self._parameter(index, name, scope)
        return merged([answer, before]).inferred()

    def binding(self, index: RecordIndex, binding: Binding) -> Answer:
        """Returns what a binding gives its name."""
        path, scope = index.path, binding.scope
        if binding.form in ("type", "caught", "narrowed"):
            return self.typed(parse_type(binding.value), path, scope)
        if binding.form == "unknown":
            return NOTHING
        answer = self.evaluate(binding.value, path, scope, binding.line - 1)
        return self.settled(answer).then(self._entered) if binding.form == "entered" else answer

    def _parameter(self, index: RecordIndex, name: str, scope: int) -> Answer:
        definition = index.record.definitions[scope]
        place = next((p for p, known in enumerate(definition.parameters) if known.name.lstrip("*") == name), -1)
        if place < 0:
            return NOTHING
        parameter = definition.parameters[place]
        if place == 0 and definition.kind == "method" and "staticmethod" not in definition.decorators:
            kind = CLASS if _takes_class(definition) else INSTANCE
            return one(CodeValue(kind, index.path, definition.parent))
        if parameter.type:
            answer = self.typed(parse_type(parameter.type), index.path, scope)
            stars = parameter.name.count("*")
            return one(CodeValue(DICT if stars == 2 else LIST, items=(answer,) * stars)) if stars else answer
        if parameter.default and parameter.default != "<none>":
            return self.evaluate(parameter.default, index.path, definition.parent, _ALWAYS).inferred()
        return NOTHING

    # -- types ----------------------------------------------------------------------------------------------------

    def typed(self, form: TypeForm, path: str, scope: int, receiver: CodeValue | None = None) -> Answer:
        """Returns the values of a type that is written in a scope."""
        if form.form == "name":
            return self._instances(form.name, path, scope)
        if form.form == "self":
            index = self._names.index(path)
            around = index.class_around(scope) if index is not None else MODULE
            own = CodeValue(INSTANCE, path, around) if around != MODULE else None
            given = receiver._replace(kind=INSTANCE) if receiver is not None else own
            return one(given) if given is not None else NOTHING
        parts = [self.typed(part, path, scope, receiver) for part in form.parts]
        if form.form == "union":
            return merged(parts)
        if form.form == "class":
            instances = merged(parts).values
            return Answer(tuple(v._replace(kind=CLASS) if v.kind == INSTANCE else v for v in instances))
        return one(CodeValue(_CONTAINERS[form.form], items=tuple(parts)))

    def class_named(self, name: str, path: str, scope: int) -> Answer:
        """Returns the classes that a dotted name stands for."""
        return self.settled(self.evaluate(name, path, scope, _ALWAYS))

    def _instances(self, name: str, path: str, scope: int) -> Answer:
        question = "instances", name, path, scope
        return self._tracker.answer(question, lambda: self._find_instances(name, path, scope), NOTHING)

    def _find_instances(self, name: str, path: str, scope: int) -> Answer:
        found = []
        for value in self.evaluate(name, path, scope, _ALWAYS).values:
            definition = self._definition(value)
            if value.kind == VARIABLE and definition is not None and definition.kind == "type":
                found.append(self.typed(parse_type(definition.type), value.path, definition.parent))
            elif value.kind == VARIABLE:
                settled = self.settled(one(value))
                found.append(Answer(tuple(v._replace(kind=INSTANCE) for v in settled.values if v.kind == CLASS)))
            elif value.kind in (CLASS, EXTERNAL):
                found.append(one(value._replace(kind=INSTANCE if value.kind == CLASS else EXTERNAL)))
        return merged(found)

    # -- values ---------------------------------------------------------------------------------------------------

    def _settle(self, value: CodeValue) -> Answer:
        if value.kind == VARIABLE:
            return self._tracker.answer(("variable", value), lambda: self._variable(value), NOTHING)
        definition = self._definition(value)
        decorators = definition.decorators if definition is not None else ()
        is_property = value.kind == FUNCTION and value.receiver and any(name in _PROPERTIES for name in decorators)
        return self._called(value) if is_property else one(value)

    def _variable(self, value: CodeValue) -> Answer:
        index = self._names.index(value.path)
        if index is None:
            return NOTHING
        definition = index.record.definitions[value.place]
        if definition.type and definition.kind != "type":
            return self.typed(parse_type(definition.type), value.path, definition.parent, value.receiver)
        if definition.parent != MODULE and self.classes.is_enum(value.path, definition.parent):
            return one(CodeValue(INSTANCE, value.path, definition.parent))
        if definition.kind == "property":
            return self._attribute_set(index, definition)
        found = [self.evaluate(v, value.path, definition.parent, _ALWAYS) for v in definition.values]
        return self.settled(merged(found))

    def _attribute_set(self, index: RecordIndex, definition: Definition) -> Answer:
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

    def _member(self, value: CodeValue, name: str) -> Answer:
        if value.kind == MODULE_VALUE:
            return self._names.exported(value.path, name)
        if value.kind == INSTANCE and name == "__class__":
            return one(value._replace(kind=CLASS))
        if value.kind in (CLASS, INSTANCE, SUPER):
            return self.classes.member(value, name)
        if value.kind in (LIST, DICT, TUPLE):
            return method_of(value, name)
        return OUTSIDE if value.kind == EXTERNAL else NOTHING

    def _is_open(self, value: CodeValue) -> bool:
        """Can a value have attributes that are defined outside the project?"""
        if value.kind in (CLASS, INSTANCE, SUPER):
            return self.classes.has_external_base(value)
        return value.kind in (EXTERNAL, LIST, DICT, TUPLE, FUNCTION)

    def _called(self, value: CodeValue) -> Answer:
        if value.kind == VARIABLE:
            return self._settle(value).then(self._called)
        if value.kind == CLASS:
            return one(value._replace(kind=INSTANCE))
        if value.kind == FUNCTION:
            return self._tracker.answer(("called", value), lambda: self._returned(value), NOTHING)
        if value.kind == CALLABLE and value.items:
            return value.items[0]
        if value.kind == INSTANCE:
            return self._member(value, "__call__").then(self._called)
        return OUTSIDE if value.kind == EXTERNAL else NOTHING

    def _returned(self, value: CodeValue) -> Answer:
        index = self._names.index(value.path)
        if index is None:
            return NOTHING
        definition = index.record.definitions[value.place]
        if definition.type:
            answer = self.typed(parse_type(definition.type), value.path, value.place, value.receiver)
            if any(decorator.endswith("contextmanager") for decorator in definition.decorators):
                return Answer(tuple(v._replace(kind=CONTEXT) if v.kind == LIST else v for v in answer.values))
            return answer
        found = [self._result(v, value) for v in definition.values]
        return self.settled(merged(found)).inferred()

    def _result(self, written: str, function: CodeValue) -> Answer:
        """Returns what a returned expression stands for; `self` and `cls()` are of the class it is called on."""
        if function.receiver is not None and written in ("self", "cls()", "cls"):
            return one(function.receiver._replace(kind=CLASS if written == "cls" else INSTANCE))
        return self.evaluate(written, function.path, function.place, _ALWAYS)

    def _entered(self, value: CodeValue) -> Answer:
        if value.kind == CONTEXT and value.items:
            return value.items[0]
        if value.kind == INSTANCE:
            for name in ("__enter__", "__aenter__"):
                entered = self._member(value, name)
                if entered.values:
                    result = entered.then(self._called)
                    return result if result.values else one(value)
        return OUTSIDE if value.kind == EXTERNAL else NOTHING

    def _element(self, value: CodeValue) -> Answer:
        if value.kind == INSTANCE:
            iterated = self._member(value, "__iter__").then(self._called)
            if iterated.values:
                return merged([element(v) for v in iterated.values])
            return self._item(value, "")
        if value.kind == CLASS and self.classes.is_enum(value.path, value.place):
            return one(value._replace(kind=INSTANCE))
        return element(value)

    def _item(self, value: CodeValue, place: str) -> Answer:
        if value.kind == INSTANCE:
            return self._member(value, "__getitem__").then(self._called)
        return one(value) if value.kind == CLASS else item(value, place)

    def _definition(self, value: CodeValue) -> Definition | None:
        index = self._names.index(value.path) if value.place >= 0 else None
        return index.record.definitions[value.place] if index is not None else None


_CONTAINERS = {"list": LIST, "dict": DICT, "tuple": TUPLE, "callable": CALLABLE, "context": CONTEXT}


def _is_parameter(definition: Definition, name: str) -> bool:
    return any(parameter.name.lstrip("*") == name for parameter in definition.parameters)


def _takes_class(definition: Definition) -> bool:
    return "classmethod" in definition.decorators or definition.name in ("__new__", "__init_subclass__")


@cache
def _split(expression: str) -> tuple[str, tuple[str, ...]]:
    """Splits an expression into its first name or literal and the steps that follow."""
    if expression.startswith("<"):
        end = expression.find("}") + 1 if expression.find("{") == expression.find(">") + 1 > 0 else 0
        start = end or expression.find(">") + 1
    else:
        start = min((place for mark in ".([" if (place := expression.find(mark)) >= 0), default=len(expression))
    return expression[:start], tuple(match[0] for match in _STEP.finditer(expression, start))
