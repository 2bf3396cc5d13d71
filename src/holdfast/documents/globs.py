"""Patterns of paths as people write them, made into regular expressions."""

from __future__ import annotations

import re


def as_pattern(glob: str, *, braces: bool = True) -> str:
    """The expression for a whole path: `*` and `?` stay within a folder, `**` does not, `{a,b}` is either.

    `a/**` is all below a, `**/a` is a anywhere. Whoever does not know braces takes them as they are.
    """
    made, at = "", 0
    while at < len(glob):
        token, at = _token(glob, at, braces)
        made += token
    return made + r"\Z"


def _token(glob: str, at: int, braces: bool) -> tuple[str, int]:
    """The expression for what stands there, and where the next begins."""
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
    """Does `**` stand alone between slashes?"""
    return (at == 0 or glob[at - 1] == "/") and (at + 2 == len(glob) or glob[at + 2] == "/")


def _class(glob: str, at: int) -> tuple[str, int]:
    """`[a-z]`, `[!a-z]`; a bracket that is not closed stands for itself."""
    start = at + 2 if glob[at + 1 : at + 2] in ("!", "^") else at + 1
    end = glob.find("]", start + 1)
    if end < 0:
        return r"\[", at + 1
    inside = glob[start:end].replace("\\", r"\\").replace("[", r"\[").replace("]", r"\]")
    return f"(?!/)[{'^' if start == at + 2 else ''}{inside}]", end + 1
