"""The symbols of a file, each with a hash by which its text is recognised elsewhere."""

from __future__ import annotations

import hashlib

from holdfast.codegraph.code_records import Definition
from holdfast.core.code import CodeSymbol

_BLANK = b" \t\r\n\f\v"


def code_symbol(source: bytes, definition: Definition) -> CodeSymbol:
    """Returns the symbol of a definition in the source of its file."""
    d = definition
    text = source[d.start_byte : d.end_byte]
    return CodeSymbol(d.qualified, d.kind, d.start_line, d.end_line, text_hash(text, d.name))


def text_hash(text: bytes, name: str) -> str:
    """Returns a hash of code that stays the same when it is renamed, moved, indented or formatted differently."""
    unnamed = text.replace(name.encode(), b"\0") if name else text
    return hashlib.blake2b(unnamed.translate(None, _BLANK), digest_size=16).hexdigest()
