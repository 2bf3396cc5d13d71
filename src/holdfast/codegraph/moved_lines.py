"""Recognises edits that only move code: comments, blank lines, literals and formatting.

About half of all edits are of this kind. The edges of such a file stay as they are, only their lines change.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from holdfast.codegraph.code_records import FileRecord
from holdfast.codegraph.encoding import without_places


def moved_lines(old: FileRecord, new: FileRecord) -> dict[int, int] | None:
    """Returns the new line of every line that a record names, if the records differ only in places; else None.

    Also None if code of one line is now on several: then the line of an edge is not known.
    """
    if _shape(old) != _shape(new):
        return None
    moved: dict[int, int] = {}
    for before, after in zip(_lines(old), _lines(new), strict=True):
        if moved.setdefault(before, after) != after:
            return None
    return moved


def _shape(record: FileRecord) -> tuple[str, list[str]]:
    """Returns everything but places; the names of symbols as they are, because edges contain them."""
    everything = (
        record.language,
        record.has_errors,
        [d[:3] + d[9:] for d in record.definitions],
        [i._replace(line=0, column=0) for i in record.imports],
        [e._replace(line=0) for e in record.exports],
        [r._replace(line=0, column=0) for r in record.references],
        [b._replace(line=0) for b in record.bindings],
    )
    symbols = [d.qualified for d in record.definitions if d.kind != "block"]
    return without_places(json.dumps(everything)), symbols


def _lines(record: FileRecord) -> Iterator[int]:
    for definition in record.definitions:
        yield from (definition.start_line, definition.end_line, definition.name_line)
    for part in (record.imports, record.exports, record.references, record.bindings):
        yield from (one.line for one in part)
