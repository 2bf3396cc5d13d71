"""Reads SCIP indexes: files in which a compiler-based indexer lists every definition and reference of a project.

The format is protobuf. The few messages needed here are read by an own reader of the wire format, so that no protobuf
package is needed. An index comes from outside: every length is checked, and the work is linear in the file's size.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from holdfast.core.errors import InvalidFile
from holdfast.core.frozen import frozen

LARGEST = 1_000_000_000  # bytes; the index of a repository with 3,600 files has about 60 MB
DEFINITION = 1  # bits of `Occurrence.roles`
IMPORT = 2
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_VARINT_BYTES = 10  # the most bytes that one number can have


@frozen
class Occurrence:
    """A place in a file that names a symbol. Lines and columns count from 0; `end_line` equals `line` for a name."""

    symbol: str
    line: int
    column: int
    end_line: int
    end_column: int
    roles: int = 0

    @property
    def is_definition(self) -> bool:
        return bool(self.roles & DEFINITION)

    @property
    def is_local(self) -> bool:
        """Is the symbol visible only inside its file?"""
        return self.symbol.startswith("local ")


@frozen
class ScipDocument:
    """One indexed file: its path from the root of the project, and what it names."""

    path: str
    language: str
    occurrences: tuple[Occurrence, ...]


def read_scip(path: Path) -> tuple[ScipDocument, ...]:
    """Reads all documents of an index. Raises `InvalidFile` if the file is too large or not a SCIP index."""
    if path.stat().st_size > LARGEST:
        raise InvalidFile(f"{path.name} has more than {LARGEST:,} bytes")
    try:
        return parse_scip(path.read_bytes())
    except ValueError as error:
        raise InvalidFile(f"{path.name} is not a SCIP index: {error}") from error


def parse_scip(content: bytes) -> tuple[ScipDocument, ...]:
    """Parses an index. Raises `ValueError` if it is malformed."""
    names: dict[bytes, str] = {}  # symbols repeat: each is decoded once
    documents = (value for field, value in _fields(content) if field == 2)
    return tuple(_document(value, names) for value in documents if isinstance(value, bytes))


def _document(content: bytes, names: dict[bytes, str]) -> ScipDocument:
    path = language = ""
    occurrences: list[Occurrence] = []
    for field, value in _fields(content):
        if isinstance(value, int):
            continue
        if field == 1:
            path = value.decode()
        elif field == 2:
            occurrences.append(_occurrence(value, names))
        elif field == 4:
            language = value.decode()
    return ScipDocument(path, language, tuple(occurrences))


def _occurrence(content: bytes, names: dict[bytes, str]) -> Occurrence:
    place: list[int] = []
    symbol, roles = "", 0
    for field, value in _fields(content):
        if field == 1:
            place.extend([value] if isinstance(value, int) else _packed(value))
        elif field == 2 and isinstance(value, bytes):
            symbol = names.get(value) or names.setdefault(value, value.decode())
        elif field == 3 and isinstance(value, int):
            roles = value
    if len(place) == 3:  # a range on one line leaves its last line out
        place.insert(2, place[0])
    if len(place) != 4:
        raise ValueError(f"a range has {len(place)} numbers")
    return Occurrence(symbol, place[0], place[1], place[2], place[3], roles)


def _fields(content: bytes) -> Iterator[tuple[int, int | bytes]]:
    """The fields of a message: their numbers and values."""
    place, end = 0, len(content)
    while place < end:
        key, place = _varint(content, place)
        kind = key & 7
        if kind == _VARINT:
            value, place = _varint(content, place)
            yield key >> 3, value
        elif kind == _BYTES:
            length, place = _varint(content, place)
            if length > end - place:
                raise ValueError("a field is longer than its message")
            yield key >> 3, content[place : place + length]
            place += length
        elif kind in (_FIXED32, _FIXED64):
            place += 4 if kind == _FIXED32 else 8
        else:
            raise ValueError(f"unknown wire type {kind}")


def _packed(content: bytes) -> Iterator[int]:
    place = 0
    while place < len(content):
        value, place = _varint(content, place)
        yield value


def _varint(content: bytes, place: int) -> tuple[int, int]:
    """The number at a place, and the place after it."""
    try:
        byte = content[place]
        if byte < 128:
            return byte, place + 1
        value = 0
        for count in range(_VARINT_BYTES):
            byte = content[place + count]
            value |= (byte & 127) << (7 * count)
            if byte < 128:
                return value, place + count + 1
    except IndexError:
        raise ValueError("the file ends inside a number") from None
    raise ValueError("a number has more than ten bytes")
