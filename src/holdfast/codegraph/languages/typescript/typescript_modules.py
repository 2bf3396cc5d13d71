"""Reads import and export statements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.codegraph.code_records import MODULE, UNKNOWN_EXPRESSION, Export, Import, ImportedName
from holdfast.codegraph.languages.typescript.typescript_reading import Reader

if TYPE_CHECKING:
    from tree_sitter import Node


def visit_import(reader: Reader, node: Node, scope: int) -> str:
    source = node.child_by_field_name("source")
    names: list[ImportedName] = []
    alias = ""
    for child in node.named_children:
        if child.type == "import_clause":
            alias = _read_clause(reader, child, names)
        elif child.type == "import_require_clause":  # import name = require("module")
            source = child.child_by_field_name("source")
            names.append(ImportedName("export=", reader.text(child.named_children[0])))
    if source is None:
        return reader.visit_children(node, scope)
    kind = "type" if any(child.type == "type" for child in node.children[:2]) else "static"
    row, column = source.start_point
    reader.imports.append(Import(_unquoted(reader, source), tuple(names), row + 1, scope, alias, 0, kind, column))
    return UNKNOWN_EXPRESSION


def _read_clause(reader: Reader, clause: Node, names: list[ImportedName]) -> str:
    """Adds the imported names; returns the name of the whole module."""
    alias = ""
    for child in clause.named_children:
        if child.type == "identifier":
            names.append(ImportedName("default", reader.text(child)))
        elif child.type == "namespace_import":
            if names:  # a default import beside it: the module is one more name
                names.append(ImportedName("*", reader.text(child.named_children[0])))
            else:
                alias = reader.text(child.named_children[0])
        elif child.type == "named_imports":
            names.extend(_specifier(reader, one) for one in child.named_children if one.type == "import_specifier")
    return alias


def _specifier(reader: Reader, node: Node) -> ImportedName:
    name, alias = node.child_by_field_name("name"), node.child_by_field_name("alias")
    text = _unquoted(reader, name) if name is not None else ""
    return ImportedName(text, reader.text(alias) if alias is not None else text)


def visit_export(reader: Reader, node: Node, scope: int) -> str:
    """An export statement. Inside a namespace it only declares."""
    declaration, source = node.child_by_field_name("declaration"), node.child_by_field_name("source")
    is_default = any(child.type == "default" for child in node.children[:4])
    for child in node.named_children:
        if child.type == "decorator":
            reader.visit(child, scope)
    if declaration is not None:
        _export_declaration(reader, declaration, scope, is_default)
    elif source is not None:
        _export_from(reader, node, source)
    else:
        _export_names(reader, node, scope, is_default)
    return UNKNOWN_EXPRESSION


def _export_declaration(reader: Reader, declaration: Node, scope: int, is_default: bool) -> None:
    first = len(reader.definitions)
    text = reader.visit(declaration, scope)
    line = declaration.start_point[0] + 1
    if scope != MODULE:
        return
    made = [one for one in reader.definitions[first:] if one.parent == MODULE]
    if is_default:
        reader.exports.append(Export("default", made[0].name if made else text, line))
        return
    for name in dict.fromkeys(one.name for one in made):
        reader.exports.append(Export(name, name, line))


def _export_from(reader: Reader, node: Node, source: Node) -> None:
    module = _unquoted(reader, source)
    line = source.start_point[0] + 1
    kind = "type" if any(child.type == "type" for child in node.children[:2]) else "static"
    found = False
    for child in node.named_children:
        if child.type == "export_clause":
            found = True
            for name, local in _specifiers(reader, child):
                reader.exports.append(Export(name, local, line, module, kind))
        elif child.type == "namespace_export":
            found = True
            reader.exports.append(Export(_unquoted(reader, child.named_children[-1]), "*", line, module, kind))
    if not found:
        reader.exports.append(Export("*", "*", line, module, kind))


def _export_names(reader: Reader, node: Node, scope: int, is_default: bool) -> None:
    line = node.start_point[0] + 1
    clause = next((child for child in node.named_children if child.type == "export_clause"), None)
    if clause is not None:
        if scope == MODULE:
            for name, local in _specifiers(reader, clause):
                reader.exports.append(Export(name, local, line))
        return
    value = node.child_by_field_name("value") or (node.named_children[-1] if node.named_child_count else None)
    if value is None or value.type == "comment":
        return
    text = reader.value(value, scope)
    if scope == MODULE:
        reader.exports.append(Export("default" if is_default else "export=", text, line))


def _specifiers(reader: Reader, clause: Node) -> list[tuple[str, str]]:
    """The exported and the local name of each specifier."""
    found = []
    for one in clause.named_children:
        name, alias = one.child_by_field_name("name"), one.child_by_field_name("alias")
        if one.type == "export_specifier" and name is not None:
            local = _unquoted(reader, name)
            found.append((_unquoted(reader, alias) if alias is not None else local, local))
    return found


def _unquoted(reader: Reader, node: Node) -> str:
    text = reader.text(node)
    return text[1:-1] if node.type == "string" else text
