"""Reads one Python file into a record, with one query over its syntax tree."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from holdfast.codegraph.code_parsing import Captures, query_grammar, text
from holdfast.codegraph.code_records import (
    DEEPEST_SCOPE,
    MODULE,
    UNKNOWN_EXPRESSION,
    Binding,
    CodeReference,
    FileRecord,
    Import,
    ImportedName,
    Parameter,
    qualified_name,
)
from holdfast.codegraph.languages.python.python_expressions import (
    call_arguments,
    called_name,
    elements,
    expression,
    one_of,
    targets,
    type_alias,
    type_text,
)
from holdfast.codegraph.languages.record_reader import OpenDefinition, RecordReader

if TYPE_CHECKING:
    from tree_sitter import Node

_MOST_VALUES = 3


def extract(path: str, source: bytes, hash: str) -> FileRecord:
    """Reads a file. Code that the grammar cannot read is left out, and the record says so."""
    tree, captured = query_grammar("python").read(source)
    reader = _PythonReader(captured)
    reader.read()
    lines = source.count(b"\n") + (not source.endswith(b"\n") and bool(source))
    return reader.record(path, "python", hash, lines, tree.root_node.has_error or reader.is_too_deep)


class _PythonReader(RecordReader):
    """Collects the parts of one record from the captures of the query."""

    def __init__(self, captured: Captures) -> None:
        super().__init__()
        self._of = captured.of
        self.is_too_deep = False
        # Where the bodies of classes and functions begin and end: they are the scopes.
        self._starts: list[int] = []
        self._ends: list[int] = []
        self._variables: dict[str, OpenDefinition] = {}

    def read(self) -> None:
        """Reads the whole file."""
        self._define()
        self._import()
        self._bind_names()
        self._refer_to_names()
        self._resolve_returned()
        self.sort()

    # -- definitions ----------------------------------------------------------------------------------------------

    def _define(self) -> None:
        outer = {d.child_by_field_name("definition").start_byte: d for d in self._of("decorated")}  # type: ignore[union-attr] # the grammar requires it
        open_scopes: list[int] = []
        for node in sorted(self._of("class", "function"), key=_start):
            name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
            if name is None or body is None:
                continue
            while open_scopes and self._ends[open_scopes[-1]] <= node.start_byte:
                open_scopes.pop()
            if len(open_scopes) >= DEEPEST_SCOPE:
                self.is_too_deep = True
                continue
            parent = open_scopes[-1] if open_scopes else MODULE
            open_scopes.append(self._define_scope(node, name, parent, outer.get(node.start_byte, node)))
            self._starts.append(body.start_byte)
            self._ends.append(node.end_byte)

    def _define_scope(self, node: Node, name: Node, parent: int, whole: Node) -> int:
        is_method = parent != MODULE and self.definitions[parent].kind == "class"
        place = self.define(text(name), "method" if is_method else "function", whole, name, parent)
        made = self.definitions[place]
        if node.type == "class_definition":
            made.kind, made.bases = "class", _bases(node)
        else:
            made.parameters = _parameters(node)
            made.type = type_text(node.child_by_field_name("return_type"))
        decorators = [child for child in whole.children if child.type == "decorator" and child.named_children]
        made.decorators = [expression(decorator.named_children[0]) for decorator in decorators]
        made.modifiers = ["async"] if node.children and node.children[0].type == "async" else []
        return place

    def _resolve_returned(self) -> None:
        """Replaces the local names that a function returns by what they are bound to; leaves out what is unknown."""
        local = {(b.scope, b.name): b.value for b in self.bindings if b.form == "value"}
        for place, _ in enumerate(self._starts):
            values = (local.get((place, value), value) for value in self.definitions[place].values)
            known = dict.fromkeys(v for v in values if v not in (UNKNOWN_EXPRESSION, "<none>"))
            self.definitions[place].values = list(known)[:_MOST_VALUES]

    def _scope(self, node: Node) -> int:
        """Returns the innermost scope whose body contains a node."""
        at = node.start_byte
        place = bisect_right(self._starts, at) - 1
        while place != MODULE and self._ends[place] <= at:
            place = self.definitions[place].parent
        return place

    # -- imports --------------------------------------------------------------------------------------------------

    def _import(self) -> None:
        """Reads imports; `import a, b` gives two."""
        for node in self._of("import"):
            line, column, scope = node.start_point.row + 1, node.start_point.column, self._scope(node)
            names = node.children_by_field_name("name")
            if node.type == "import_statement":
                for name in names:
                    module, alias = _aliased(name)
                    alias = alias if alias != module else ""
                    self.imports.append(Import(module, (), line, scope, alias, column=column))
                continue
            source = node.child_by_field_name("module_name")
            written = text(source).replace(" ", "") if source is not None else ""
            module = written.lstrip(".")
            imported = tuple(ImportedName(*_aliased(name)) for name in names)
            if any(child.type == "wildcard_import" for child in node.children):
                imported = (ImportedName("*", "*"),)
            level = len(written) - len(module)
            self.imports.append(Import(module, imported, line, scope, level=level, column=column))

    # -- bindings -------------------------------------------------------------------------------------------------

    def _bind_names(self) -> None:
        """Reads the bindings of local names and attributes."""
        for node in self._of("assignment"):
            self._assign(node)
        for node in self._of("walrus"):
            self._bind(node.child_by_field_name("name"), expression(node.child_by_field_name("value")))
        for node in self._of("loop"):
            self._loop(node.child_by_field_name("left"), node.child_by_field_name("right"))
        for node in self._of("alias"):
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            self._variable(left.named_children[0] if left else None, "TypeAlias", UNKNOWN_EXPRESSION, right)
        for form, name in (("entered", "with"), ("caught", "except")):
            for node in self._of(name):
                pattern = node.child_by_field_name("value")
                alias = pattern.child_by_field_name("alias") if pattern is not None else None
                if pattern is not None and alias is not None:
                    first = pattern.named_children[0]
                    self._bind(alias, expression(first) if form == "entered" else one_of(first), form)
        for node in self._of("return"):
            scope = self._scope(node)
            if scope != MODULE and not self.definitions[scope].type and node.named_children:
                self.definitions[scope].values.append(expression(node.named_children[0]))

    def _loop(self, left: Node | None, right: Node | None) -> None:
        """Binds the names of a loop; with `zip` and `enumerate`, each name to its own elements."""
        function, arguments = called_name(right), call_arguments(right)
        if function in ("zip", "enumerate") and left is not None and left.type in ("pattern_list", "tuple_pattern"):
            sources = [elements(argument) for argument in arguments]
            items = [UNKNOWN_EXPRESSION, *sources] if function == "enumerate" else sources
            for target, value in zip(left.named_children, items, strict=False):
                self._bind(target, value)
        else:
            self._bind(left, elements(right))

    def _assign(self, node: Node) -> None:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        while right is not None and right.type == "assignment":  # `a = b = c`: the inner one is captured as well.
            right = right.child_by_field_name("right")
        declared = type_text(node.child_by_field_name("type"))
        if declared.rpartition(".")[2] in ("Final", "ClassVar"):  # Without a type in brackets, the value decides.
            declared = ""
        value = expression(right)
        # The name has its value from the next line on: in `x = f(x.y)`, `x.y` is that of the old value.
        after = node.end_point.row + 2
        if declared:
            self._bind(left, declared, "type", after)
            self._variable(left, declared, value, right)
        elif right is not None and left is not None and left.type == "pattern_list" and right.type == "expression_list":
            for target, item in zip(left.named_children, right.named_children, strict=False):
                self._bind(target, expression(item), line=after)
        else:
            self._bind(left, value, line=after)
            self._variable(left, "", value, right)

    def _bind(self, target: Node | None, value: str, form: str = "value", line: int = 0) -> None:
        if target is None:
            return
        for name, bound in targets(target, value):
            written = expression(name)
            if written == UNKNOWN_EXPRESSION or (name.type == "attribute" and not _is_attribute_of_self(written)):
                continue
            how = form if bound != UNKNOWN_EXPRESSION else "unknown"
            known = "" if how == "unknown" else bound
            self.bindings.append(Binding(written, how, known, line or name.start_point.row + 1, self._scope(name)))

    def _variable(self, target: Node | None, declared: str, value: str, right: Node | None) -> None:
        """Defines a variable at the top level or in a class, or an attribute that a method sets on `self`."""
        if target is None or target.type not in ("identifier", "attribute"):
            return
        scope, name = self._scope(target), expression(target)
        around = self.definitions[scope] if scope != MODULE else None
        if target.type == "attribute":
            if around is None or around.kind != "method" or not _is_attribute_of_self(name):
                return
            scope = around.parent
            name = name.partition(".")[2]
        elif around is not None and around.kind != "class":
            return
        alias = type_alias(right, declared)
        made = self._known_variable(target, name, scope, bool(alias))
        made.type = made.type or alias or declared
        if value != UNKNOWN_EXPRESSION and value not in made.values[:_MOST_VALUES]:
            made.values = [*made.values, value][:_MOST_VALUES]

    def _known_variable(self, target: Node, name: str, scope: int, is_alias: bool) -> OpenDefinition:
        qualified = qualified_name(self.definitions[scope].qualified if scope != MODULE else "", name)
        if qualified not in self._variables:
            kind = "type" if is_alias else "property" if target.type == "attribute" else "variable"
            name_node = target.child_by_field_name("attribute") or target
            self._variables[qualified] = self.definitions[self.define(name, kind, target, name_node, scope)]
        return self._variables[qualified]

    # -- references -----------------------------------------------------------------------------------------------

    def _refer_to_names(self) -> None:
        """Reads where names are used. An attribute that is part of a longer chain is left out."""
        inner: set[int] = set()
        for node in self._of("call"):
            function = node.child_by_field_name("function")
            if function is None:
                continue
            inner.add(function.id)
            self._refer(function, "call")
            self._narrow(node, function)
        for node in self._of("decorator"):
            inner.add(node.id)
            self._refer(node, "decorator")
        for node in self._of("type"):
            self._refer_type(node, inner)
        attributes = list(self._of("attribute"))
        inner.update(part.id for node in attributes if (part := node.child_by_field_name("object")) is not None)
        for node in attributes:
            if node.id not in inner:
                self._refer(node, "read")
        for node in self._of("name", "pattern"):
            self._refer(node, "read")

    def _refer(self, node: Node, kind: str) -> None:
        last = node.child_by_field_name("attribute") or node
        written = text(node) if node.type == "dotted_name" else expression(node)
        if node.type == "dotted_name" and node.named_children:
            last = node.named_children[-1]
        if written[0] == "<" or written.endswith((")", "]")):
            return  # The result of a call or an element of a list is called, or a literal is used.
        self.references.append(
            CodeReference(written, kind, last.start_point.row + 1, last.start_point.column, self._scope(node))
        )

    def _refer_type(self, node: Node, inner: set[int]) -> None:
        """Records the names in a type, also in quotes."""
        pending = list(node.named_children)
        while pending:
            part = pending.pop()
            if part.type in ("identifier", "attribute"):
                inner.add(part.id)
                self._refer(part, "type")
            elif part.type in ("member_type", "string"):
                self._refer_text(part, "type")
            elif part.type != "type":  # Nested types are captured themselves.
                pending.extend(part.named_children)

    def _refer_text(self, node: Node, kind: str) -> None:
        written = type_text(node)
        if written.replace(".", "").isidentifier():
            row, column = node.start_point.row + 1, node.end_point.column - len(written.rpartition(".")[2])
            column -= node.type == "string"
            self.references.append(CodeReference(written, kind, row, column, self._scope(node)))

    def _narrow(self, call: Node, function: Node) -> None:
        """Reads `isinstance(name, Type)`: from this line on, the name has that type."""
        if function.type != "identifier" or function.text != b"isinstance":
            return
        arguments = call.child_by_field_name("arguments")
        if arguments is not None and len(arguments.named_children) == 2:
            name, type = arguments.named_children
            written = one_of(type)
            if name.type in ("identifier", "attribute") and written:
                row = call.start_point.row + 1
                self.bindings.append(Binding(expression(name), "narrowed", written, row, self._scope(call)))


def _start(node: Node) -> int:
    return node.start_byte


def _is_attribute_of_self(written: str) -> bool:
    return written.count(".") == 1 and written.startswith(("self.", "cls."))


def _bases(node: Node) -> tuple[str, ...]:
    listed = node.child_by_field_name("superclasses")
    parts = listed.named_children if listed is not None else []
    return tuple(written for part in parts if part.type in _BASES and (written := type_text(part)))


_BASES = ("identifier", "attribute", "subscript", "call")


def _parameters(node: Node) -> list[Parameter]:
    listed = node.child_by_field_name("parameters")
    return [
        _parameter(part) for part in (listed.named_children if listed is not None else []) if part.type != "comment"
    ]


def _parameter(node: Node) -> Parameter:
    name = node.child_by_field_name("name") or node
    while name.type not in ("identifier", "default_parameter") and name.named_children:
        name = name.named_children[0]
    stars = "**" if "dictionary_splat" in _first_type(node) else "*" if "list_splat" in _first_type(node) else ""
    value = node.child_by_field_name("value")
    default = expression(value) if value is not None else ""
    return Parameter(stars + text(name), type_text(node.child_by_field_name("type")), default)


def _first_type(node: Node) -> str:
    return node.named_children[0].type if node.type == "typed_parameter" and node.named_children else node.type


def _aliased(node: Node) -> tuple[str, str]:
    """Returns a name and the name it is bound to."""
    if node.type == "aliased_import":
        name, alias = node.child_by_field_name("name"), node.child_by_field_name("alias")
        return text(name) if name else "", text(alias) if alias else ""
    return text(node), text(node)
