"""Translates glob patterns of paths into regular expressions."""

from __future__ import annotations

import re


def as_pattern(glob: str, *, braces: bool = True) -> str:
    """Returns a regular expression for a whole path: `*` and `?` match within a folder, `**` across folders.

    `{a,b}` matches either, unless `braces` is false. `a/**` matches everything below a, `**/a` matches a anywhere.
    """
    pattern, at = "", 0
    while at < len(glob):
        token, at = _token(glob, at, braces)
        pattern += token
    return pattern + r"\Z"


def _token(glob: str, at: int, braces: bool) -> tuple[str, int]:
    """Returns the expression of the token at a position, and the position of the next token."""
    letter = glob[at]
    if letter == "*":
        return _stars(glob, at)
    if letter == "[":
        return _class(glob, at)
    if letter == "{" and braces and "}" in glob[at:]:
        end = glob.index("}", at)
        either = "|".join(as_pattern(part).removesuffix(r"\Z") for part in glob[at + 1 : end].split(","))
        return f"(?:{either})", end + 1
    if letter == "\\" and at + 1 < len(glob):
        return re.escape(glob[at + 1]), at + 2
    return (r"[^/]" if letter == "?" else re.escape(letter)), at + 1


def _stars(glob: str, at: int) -> tuple[str, int]:
    end = at + len(glob[at:]) - len(glob[at:].lstrip("*"))
    if end != at + 2 or not _is_whole_part(glob, at):
        return r"[^/]*", end
    return (r"(?:[^/]+/)*", end + 1) if glob.startswith("/", end) else (r".+", end)


def _is_whole_part(glob: str, at: int) -> bool:
    """Is `**` a whole path segment?"""
    return (at == 0 or glob[at - 1] == "/") and (at + 2 == len(glob) or glob[at + 2] == "/")


def _class(glob: str, at: int) -> tuple[str, int]:
    """Translates `[a-z]` and `[!a-z]`; an unclosed bracket is literal."""
    start = at + 2 if glob[at + 1 : at + 2] in ("!", "^") else at + 1
    end = glob.find("]", start + 1)
    if end < 0:
        return r"\[", at + 1
    inside = glob[start:end].replace("\\", r"\\").replace("[", r"\[").replace("]", r"\]")
    return f"(?!/)[{'^' if start == at + 2 else ''}{inside}]", end + 1
