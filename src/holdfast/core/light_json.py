"""Reads and writes JSON without importing the package `json`, whose patterns take a hook milliseconds to compile.

CPython's own C functions do the work; other interpreters use the package.
"""

from __future__ import annotations

TYPE_CHECKING = False  # Not from typing: that import would cost more than this module saves.
if TYPE_CHECKING:
    from typing import Any


def read_json(text: str) -> Any:
    """Parses one JSON value. Raises ValueError for anything else, RecursionError for hostile nesting."""
    try:
        from _json import make_scanner
    except ImportError:
        from json import loads

        return loads(text)
    text = text.strip(" \t\n\r")
    try:
        value, end = make_scanner(_Context)(text, 0)  # type: ignore[arg-type]  # any object with these attributes
    except StopIteration as stop:
        raise ValueError(f"no JSON value at {stop.value}") from None
    except SystemError:  # The scanner cannot raise its own error while `json` is not imported.
        raise ValueError("malformed JSON") from None
    if end != len(text):
        raise ValueError(f"text after the JSON value, at {end}")
    return value


def write_json(value: Any) -> str:
    """Formats plain values as JSON on one line, in ASCII: lone surrogates of hostile input survive as escapes."""
    try:
        from _json import encode_basestring_ascii, make_encoder
    except ImportError:
        from json import dumps

        return dumps(value)
    encode = make_encoder(None, _refuse, encode_basestring_ascii, None, ": ", ", ", False, False, True)
    return "".join(encode(value, 0))


class _Context:
    """The options that the C scanner reads."""

    strict = False
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float  # NaN, Infinity and -Infinity


def _refuse(value: object) -> object:
    raise TypeError(f"{type(value).__name__} is not a JSON value")
