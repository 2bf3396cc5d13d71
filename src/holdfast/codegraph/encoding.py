"""Writes records as bytes for the store, and hashes of their interfaces."""

from __future__ import annotations

import hashlib
import json
import zlib

from holdfast.codegraph.records import (
    Binding,
    CodeReference,
    Definition,
    Export,
    FileRecord,
    Import,
    ImportedName,
    Parameter,
)


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
        tuple(map(Export._make, exports)),
        tuple(map(CodeReference._make, references)),
        tuple(map(Binding._make, bindings)),
        errors,
    )


def interface_hash(record: FileRecord) -> str:
    """Returns a hash of what other files can depend on."""
    return hashlib.blake2b(json.dumps(record.interface()).encode(), digest_size=16).hexdigest()


def _definition(fields: list[object]) -> Definition:
    made = Definition(*[tuple(value) if isinstance(value, list) else value for value in fields])  # type: ignore[arg-type] # as written by encode
    return made._replace(parameters=tuple(map(Parameter._make, made.parameters))) if made.parameters else made


def _import(fields: list[object]) -> Import:
    made = Import._make(fields)
    return made._replace(names=tuple(map(ImportedName._make, made.names)))
