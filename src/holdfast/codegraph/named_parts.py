"""The parts of a file by name: an edit that changes some of them matters only to files that looked these names up."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from holdfast.codegraph.changed_names import DECLARATIONS
from holdfast.codegraph.code_records import HOLDERS, MODULE, FileRecord, Import
from holdfast.codegraph.encoding import without_places

# Part of the names of every file: whether it imports or exports anything.
IS_MODULE = "<module>"
# Exports that many files do not have: whoever looks for one depends on that file alone.
OF_ONE_FILE = frozenset({"default", "export="})

# Members of these are not visible by their names alone.
_CLOSED = ("class", "interface", "enum", "type")

Part = tuple[object, ...]


def part_key(path: str, name: str) -> str:
    """Returns the lookup of a name in a file that may or may not have it."""
    return f"{path}:{name}"


def missing_export_key(name: str) -> str:
    """Returns the lookup of a name in any file that does not export it.

    There is one for all files: a name that comes through re-exports is looked up in hundreds that do not have it.
    """
    return f":{name}"


def global_key(name: str) -> str:
    """Returns the lookup of a name in all declaration files."""
    return f"::{name}"


def scope_name(qualified: str) -> str:
    """Returns the name of the part with all names that are visible in a scope; a method and all inside it are one."""
    return "#" + ".".join(without_places(qualified).split(".")[:2])


def plain_name(name: str) -> str:
    """Returns the name of a definition without its place: all unnamed functions of a file are one part."""
    return without_places(name) if name.startswith("<") else name


def changed_parts(path: str, old: FileRecord | None, new: FileRecord | None) -> set[str]:
    """Returns the lookups whose results differ between two versions of a file; None is a file that does not exist."""
    before = named_parts(old) if old is not None else {}
    after = named_parts(new) if new is not None else {}
    names = {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
    exports = _exported_names(new) - _exported_names(old)
    found = {part_key(path, name) for name in names} | {missing_export_key(name) for name in exports}
    return found | {global_key(name) for name in names} if path.endswith(DECLARATIONS) else found


def _exported_names(record: FileRecord | None) -> set[str]:
    return {export.name for export in record.exports} if record is not None else set()


def named_parts(record: FileRecord) -> dict[str, str]:
    """Returns what a file says of each name, without places. Everything in its interface belongs to a part."""
    found: dict[str, list[Part]] = defaultdict(list)
    scopes = _scopes(record)
    for name, part in (*_defined(record, scopes), *_bound(record, scopes), *_imported(record, scopes)):
        found[name].append(part)
    for export in record.exports:
        found[export.name].append(("export", export.expression, export.module, export.kind))
    found[IS_MODULE].append((bool(record.imports or record.exports),))
    return {name: without_places(json.dumps(parts)) for name, parts in found.items()}


def _scopes(record: FileRecord) -> list[str]:
    """Returns a name for each scope; its place in the list is that of the definition, the last one is the top level."""
    seen: Counter[str] = Counter()
    names: list[str] = []
    for definition in record.definitions:
        name = without_places(definition.qualified)
        seen[name] += 1
        names.append(f"{name}#{seen[name]}")
    return [*names, ""]


def _defined(record: FileRecord, scopes: Sequence[str]) -> Iterator[tuple[str, Part]]:
    for place, definition in enumerate(record.definitions):
        # Edges contain the name of a symbol inside a block with the place of the block.
        placed = definition.qualified.replace("<", "(") if definition.kind != "block" else ""
        part = "definition", scopes[definition.parent], placed, definition.kind, definition[10:]
        yield plain_name(definition.name), part
        scope = definition.kind, definition.parameters, definition.modifiers
        yield scope_name(definition.qualified), ("scope", scopes[place], *scope)
        if definition.parent != MODULE:
            around = record.definitions[definition.parent]
            if around.kind not in _CLOSED:
                yield scope_name(around.qualified), part


def _bound(record: FileRecord, scopes: Sequence[str]) -> Iterator[tuple[str, Part]]:
    for binding in record.open_bindings():
        part = "binding", scopes[binding.scope], binding.name, binding.form, binding.value
        around = record.definitions[binding.scope] if binding.scope != MODULE else None
        if around is None or around.kind in HOLDERS or "." in binding.name:
            yield binding.name, part
        if around is not None:
            yield scope_name(around.qualified), part


def _imported(record: FileRecord, scopes: Sequence[str]) -> Iterator[tuple[str, Part]]:
    for one in record.imports:
        for local, *names in _local_names(one):
            part = "import", scopes[one.scope], one.module, one.level, one.kind, *names
            yield local, part
            if one.scope != MODULE:
                yield scope_name(record.definitions[one.scope].qualified), part


def _local_names(one: Import) -> Iterator[tuple[str, str, str]]:
    """Yields the names that an import binds, each with the name in the module and the alias."""
    if one.alias or not one.names:
        yield one.alias or one.module.partition(".")[0], "", one.alias
    for name in one.names:
        yield name.alias, name.name, name.alias
