"""Finds what expressions stand for, by following names, members and calls. Languages add their rules."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Sequence
from functools import cache

from holdfast.codegraph.code_records import MODULE, Binding
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
    merged,
    one,
)
from holdfast.codegraph.languages.file_index import FileIndex, IndexedFiles
from holdfast.codegraph.languages.type_tokens import TypeForm
from holdfast.codegraph.tracking import Tracker

# The line of a place that sees every binding of a scope: code in another scope runs at any time.
ALWAYS = 1 << 30
# A literal, with its element if that is known; `super()`; or a name.
_ROOT = re.compile(r"<[^>]*>(?:\{[^}]*\})?|super\(\)|[^.(\[]*")
_STEP = re.compile(r"\.([^.()\[\]]+)|(\(\))|\[([^\]]*)\]")


class Evaluator(ABC):
    """What expressions stand for in the files of one project."""

    # Kinds of definitions whose names the functions inside them do not see.
    closed_kinds: Container[str] = ()

    def __init__(
        self, files: IndexedFiles, tracker: Tracker, parse: Callable[[str], TypeForm], built_in: Container[str]
    ) -> None:
        self._files = files
        self._tracker = tracker
        self._parse = parse
        self._built_in = built_in

    # -- expressions ----------------------------------------------------------------------------------------------

    def evaluate(self, expression: str, path: str, scope: int, line: int, is_called: bool = False) -> Answer:
        """Returns what an expression can stand for at a line of a scope; a variable stands for its definition."""
        options = expression.split("|")
        if len(options) > 1:
            return merged([self.evaluate(option, path, scope, line) for option in options]).inferred()
        root, steps = _take_apart(expression)
        answer = self.named(root, path, scope, line, steps[0] == "()" if steps else is_called)
        for step in steps:
            if not answer.values:
                return NOTHING
            answer = self._step(answer, step)
        return answer

    def _step(self, answer: Answer, step: str) -> Answer:
        if step == "()":
            return answer.then(self._called)
        settled = self.settled(answer)
        if step[0] == ".":
            return self._attribute(settled, step[1:])
        return settled.then(self._element if step == "[*]" else lambda value: self._item(value, step[1:-1]))

    # -- names ----------------------------------------------------------------------------------------------------

    def named(self, name: str, path: str, scope: int, line: int, is_called: bool = False) -> Answer:
        """Returns what a name, or whatever else an expression begins with, stands for at a line of a scope."""
        index = self._files.index(path)
        if index is None:
            return NOTHING
        at = scope
        while at != MODULE and (kind := index.definitions[at].kind) != "module":
            if at == scope or kind not in self.closed_kinds:
                found = self._local(index, name, at, line, is_called)
                if found is not None:
                    return found
            at, line = index.definitions[at].parent, ALWAYS
        found = self._top_level(index, at, name, line)
        return OUTSIDE if not found.values and name in self._built_in else found

    @abstractmethod
    def _local(self, index: FileIndex, name: str, scope: int, line: int, is_called: bool) -> Answer | None:
        """Returns what a definition says of a name inside it, or None if it says nothing."""

    @abstractmethod
    def _top_level(self, index: FileIndex, scope: int, name: str, line: int) -> Answer:
        """Returns what a name means at the top level of a file, or of a module in it."""

    def _bound_at(self, index: FileIndex, name: str, scope: int, place: int) -> Answer:
        """Returns what the binding of a name at a place gives it."""
        question = "local", index.path, scope, name, place
        return self._tracker.answer(question, lambda: self._bound(index, name, scope, place), NOTHING, of_file=True)

    @abstractmethod
    def _bound(self, index: FileIndex, name: str, scope: int, place: int) -> Answer: ...

    # -- types ----------------------------------------------------------------------------------------------------

    def written(self, type: str, path: str, scope: int, receiver: CodeValue | None = None) -> Answer:
        """Returns the values of a type as written in a scope; `receiver` is the class on which a method is called."""
        return self.typed(self._parse(type), path, scope, receiver)

    def typed(self, form: TypeForm, path: str, scope: int, receiver: CodeValue | None = None) -> Answer:
        """Returns the values of a type in a scope."""
        if form.form == "name":
            question = "typed", form, path, scope
            return self._tracker.answer(question, lambda: self._instances(form, path, scope), NOTHING)
        parts = [self.typed(part, path, scope, receiver) for part in form.parts]
        return merged(parts) if form.form == "union" else one(CodeValue(form.form, items=tuple(parts)))

    @abstractmethod
    def _instances(self, form: TypeForm, path: str, scope: int) -> Answer:
        """Returns the values of a type that is a name."""

    # -- values ---------------------------------------------------------------------------------------------------

    def settled(self, answer: Answer) -> Answer:
        """Replaces variables, and methods that are read like them, by what they can be."""
        if not any(value.kind == VARIABLE or (value.kind == FUNCTION and value.receiver) for value in answer.values):
            return answer
        return answer.then(self._settle)

    def _settle(self, value: CodeValue) -> Answer:
        if value.kind != VARIABLE:
            return one(value)
        return self._tracker.answer(("variable", value), lambda: self._variable(value), NOTHING)

    @abstractmethod
    def _variable(self, value: CodeValue) -> Answer:
        """Returns what a variable or attribute can be."""

    def _attribute(self, answer: Answer, name: str) -> Answer:
        """Returns a member of each value."""
        return answer.then(lambda value: self.member(value, name))

    def member(self, value: CodeValue, name: str) -> Answer:
        """Returns a member of a value, its own or an inherited one."""
        if value.kind == MODULE_VALUE:
            return self._in_module(value.path, name)
        if value.kind in (CLASS, INSTANCE, SUPER):
            return self._tracker.answer(("member", value, name), lambda: self._member(value, name), NOTHING)
        if value.kind in (LIST, DICT, TUPLE, CALLABLE):
            return self._of_container(value, name)
        return OUTSIDE if value.kind == EXTERNAL else NOTHING

    @abstractmethod
    def _in_module(self, module: str, name: str) -> Answer: ...

    @abstractmethod
    def _member(self, value: CodeValue, name: str) -> Answer: ...

    @abstractmethod
    def _of_container(self, value: CodeValue, name: str) -> Answer: ...

    def _called(self, value: CodeValue) -> Answer:
        if value.kind == VARIABLE:
            return self._settle(value).then(self._called)
        if value.kind == CLASS:
            return one(value._replace(kind=INSTANCE, receiver=None))
        if value.kind == FUNCTION:
            return self._tracker.answer(("called", value), lambda: self._returned(value), NOTHING)
        if value.kind == CALLABLE and value.items:
            return value.items[0]
        if value.kind == INSTANCE:
            return self._callable(value).then(self._called)
        return OUTSIDE if value.kind == EXTERNAL else NOTHING

    @abstractmethod
    def _callable(self, value: CodeValue) -> Answer:
        """Returns what is called when an instance is."""

    @abstractmethod
    def _returned(self, value: CodeValue) -> Answer: ...

    @abstractmethod
    def _element(self, value: CodeValue) -> Answer:
        """Returns what iterating over a value yields."""

    @abstractmethod
    def _item(self, value: CodeValue, place: str) -> Answer:
        """Returns what a subscript yields; `place` is a small integer or ""."""


def latest(bindings: Sequence[Binding], line: int, or_first: bool = True) -> int:
    """Returns the place of the binding in force at a line: the last one before it, else the first; -1 for none."""
    for place in range(len(bindings) - 1, -1, -1):
        if bindings[place].line <= line:
            return place
    return 0 if bindings and or_first else -1


@cache
def _take_apart(expression: str) -> tuple[str, tuple[str, ...]]:
    """Splits an expression into its first name or literal and the steps that follow."""
    root = _ROOT.match(expression)
    assert root is not None
    return root[0], tuple(step[0] for step in _STEP.finditer(expression, root.end()))
