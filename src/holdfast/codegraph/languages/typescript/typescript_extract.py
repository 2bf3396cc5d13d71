"""Reads a TypeScript or JavaScript file into a record."""

from __future__ import annotations

from functools import cache
from pathlib import PurePosixPath

from holdfast.codegraph.code_parsing import Grammar
from holdfast.codegraph.code_records import MODULE, CodeReference, FileRecord
from holdfast.codegraph.languages.typescript import GRAMMARS, functions, objects, variables
from holdfast.codegraph.languages.typescript import typescript_classes as classes
from holdfast.codegraph.languages.typescript import typescript_expressions as expressions
from holdfast.codegraph.languages.typescript import typescript_modules as modules
from holdfast.codegraph.languages.typescript import typescript_patterns as patterns
from holdfast.codegraph.languages.typescript import typescript_types as types
from holdfast.codegraph.languages.typescript.repairs import parse
from holdfast.codegraph.languages.typescript.typescript_reading import KEPT_OBJECT, Handler, Reader

_HANDLERS: dict[str, Handler] = {
    "import_statement": modules.visit_import,
    "export_statement": modules.visit_export,
    "function_declaration": functions.visit_function,
    "generator_function_declaration": functions.visit_function,
    "function_signature": functions.visit_function,
    "return_statement": functions.visit_return,
    "class_declaration": classes.visit_class,
    "abstract_class_declaration": classes.visit_class,
    "class": classes.visit_class,
    "interface_declaration": classes.visit_interface,
    "type_alias_declaration": classes.visit_alias,
    "enum_declaration": classes.visit_enum,
    "internal_module": classes.visit_namespace,
    "module": classes.visit_namespace,
    "ambient_declaration": classes.visit_ambient,
    "variable_declarator": variables.visit_declarator,
    "for_in_statement": patterns.visit_for_in,
    "catch_clause": patterns.visit_catch,
    "object": objects.visit_object,
    KEPT_OBJECT: objects.visit_kept_object,
    "assignment_expression": expressions.visit_assignment,
    "jsx_opening_element": expressions.visit_jsx,
    "jsx_self_closing_element": expressions.visit_jsx,
    "jsx_closing_element": lambda reader, node, scope: "",
    "jsx_text": lambda reader, node, scope: "",
    "comment": lambda reader, node, scope: "",
    "type_annotation": types.visit_type,
    "type_arguments": types.visit_type,
    **dict.fromkeys(
        """identifier this super member_expression call_expression new_expression subscript_expression
        parenthesized_expression await_expression non_null_expression arrow_function function_expression
        generator_function string template_string number regex true false null undefined array as_expression
        satisfies_expression ternary_expression binary_expression""".split(),
        expressions.read_expression,
    ),
}


def extract(path: str, source: bytes, hash: str) -> FileRecord:
    """Reads one file. The time is linear in its size; parts that the grammar cannot read are passed over.

    Raises TooComplex if parsing takes too long.
    """
    grammar = GRAMMARS[PurePosixPath(path).suffix.lower()]
    tree = parse(_grammar(grammar), source) if grammar == "typescript" else _grammar(grammar).parse(source)
    root = tree.root_node
    reader = Reader(source, _HANDLERS)
    reader.visit(root, MODULE)
    reader.references = [one for one in reader.references if not _is_local(reader, one)]
    return reader.record(path, grammar, hash, source.count(b"\n") + 1, root.has_error or reader.has_errors)


def _is_local(reader: Reader, reference: CodeReference) -> bool:
    """Does the reference only read a parameter or a local variable, or name a type parameter?"""
    name = reference.expression
    return reference.kind in ("read", "type") and "." not in name and reader.is_local(name, reference.scope)


@cache
def _grammar(name: str) -> Grammar:
    if name == "javascript":
        import tree_sitter_javascript

        return Grammar(tree_sitter_javascript.language())
    import tree_sitter_typescript

    return Grammar(
        tree_sitter_typescript.language_tsx() if name == "tsx" else tree_sitter_typescript.language_typescript()
    )
