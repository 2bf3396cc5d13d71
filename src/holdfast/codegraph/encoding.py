"""Writes records as bytes for the store, and hashes of their interfaces."""

from __future__ import annotations

import hashlib
import json
import re
import zlib
from functools import partial
from typing import Any

from holdfast.codegraph.code_records import (
    Binding,
    CodeReference,
    Definition,
    Export,
    FileRecord,
    Import,
    ImportedName,
    Parameter,
)

_PLACE = re.compile(r"<(\w+):[\d:]+>")


def encode(record: FileRecord) -> bytes:
    """Returns a record as compressed JSON."""
    return zlib.compress(json.dumps(record, separators=(",", ":")).encode(), 1)


def decode(data: bytes) -> FileRecord:
    """Returns the record that `encode` wrote."""
    path, language, hash, lines, definitions, imports, exports, references, bindings, errors = json.loads(
        zlib.decompress(data)
    )
    return FileRecord(
        path,
        language,
        hash,
        lines,
        tuple(map(_definition, definitions)),
        tuple(map(_import, imports)),
        tuple(map(_export, exports)),
        tuple(map(_reference, references)),
        tuple(map(_binding, bindings)),
        errors,
    )


def interface_hash(record: FileRecord) -> str:
    """Returns a hash of what other files can depend on."""
    text = without_places(json.dumps([record.interface(), *_placed_names(record)]))
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def without_places(text: str) -> str:
    """Removes the places in the names of blocks, such as `<arrow:4:22>`, which change with every line above them."""
    return _PLACE.sub(r"<\1>", text)


def _placed_names(record: FileRecord) -> list[str]:
    """Returns the names of symbols inside blocks in another form: edges contain them with the places."""
    return [d.qualified.replace("<", "(") for d in record.definitions if d.kind != "block" and "<" in d.qualified]


def _definition(fields: list[Any]) -> Definition:
    bases, implements, parameters, type, values, decorators, modifiers = fields[-7:]
    rest = (tuple(map(_parameter, parameters)), type, tuple(values), tuple(decorators), tuple(modifiers))
    return tuple.__new__(Definition, (*fields[:-7], tuple(bases), tuple(implements), *rest))


def _import(fields: list[Any]) -> Import:
    made = Import._make(fields)
    return made._replace(names=tuple(map(ImportedName._make, made.names)))


# Records have hundreds of thousands of these. The classes' own functions check the number of fields and are slower.
_export = partial(tuple.__new__, Export)
_reference = partial(tuple.__new__, CodeReference)
_binding = partial(tuple.__new__, Binding)
_parameter = partial(tuple.__new__, Parameter)
