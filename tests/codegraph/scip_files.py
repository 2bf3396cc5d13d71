"""Writes SCIP indexes for tests."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def index(*documents: bytes) -> bytes:
    return b"".join(_field(2, one) for one in documents)


def document(path: str, occurrences: Iterable[bytes]) -> bytes:
    return b"".join((_field(4, b"typescript"), _field(1, path.encode()), *(_field(2, one) for one in occurrences)))


def occurrence(symbol: str, place: Sequence[int], roles: int = 0) -> bytes:
    packed = b"".join(_varint(number) for number in place)
    return _field(1, packed) + _field(2, symbol.encode()) + (_varint(3 << 3) + _varint(roles) if roles else b"")


def _field(number: int, content: bytes) -> bytes:
    return _varint(number << 3 | 2) + _varint(len(content)) + content


def _varint(number: int) -> bytes:
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)
