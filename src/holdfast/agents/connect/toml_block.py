"""Adds a block to a TOML file that people write, between two comments, and takes it out again."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence

from holdfast.core.errors import InvalidFile

_BEGIN, _END = "# holdfast: begin", "# holdfast: end"


def add_block(text: str, lines: Sequence[str]) -> str:
    """The text with our block at its end, in place of an older one. Raises InvalidFile if the result is no TOML."""
    _check(text, "the file is not valid TOML")
    kept = remove_block(text)
    gap = "" if not kept or kept.endswith("\n\n") else "\n" if kept.endswith("\n") else "\n\n"
    added = f"{kept}{gap}{_BEGIN}\n" + "\n".join(lines) + f"\n{_END}\n"
    _check(added, "our entry does not fit")
    return added


def remove_block(text: str) -> str:
    """The text without our block and the empty line before it."""
    start = text.find(_BEGIN)
    end = text.find(_END, start)
    if start < 0 or end < 0:
        return text
    following = text.find("\n", end)
    rest = text[following + 1 :] if following >= 0 else ""
    before = text[:start]
    return (before[:-1] if before.endswith("\n\n") and not rest else before) + rest


def _check(text: str, what: str) -> None:
    try:
        tomllib.loads(text)
    except ValueError as error:
        raise InvalidFile(f"{what} ({error})") from error
