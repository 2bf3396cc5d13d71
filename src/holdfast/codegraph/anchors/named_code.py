"""Finds the files and symbols that a text names."""

from __future__ import annotations

from typing import NamedTuple

from holdfast.text.patterns import compiled

_MOST, _LONGEST = 16, 20_000
# Not inside a longer word: otherwise matching takes quadratic time in the length of the word.
_PATH = (
    r"(?<![\w./\\:@-])(?:\./)?((?:[\w.-]+[/\\])*[\w-]+(?:\.[\w-]+)*\.[A-Za-z]\w{0,9})"  # src/app.py
    r"(?:::?([A-Za-z_][\w.]*))?(?![\w/\\])"  # :Client.get
)
_QUOTED = r"`([^`\n]{1,200})`"
_NAME = r"[A-Za-z_$][\w$]*(?:(?:\.|::|#)[A-Za-z_$][\w$]*)*"
_WORD = rf"(?<![\w$./\\#-])({_NAME})(\()?"
# What no plain word has: `next_job`, `_cache`, `nextJob`, `JobQueue`, `Job.run`.
_CODE = r"[A-Za-z$]_\w|_\w\w|[a-z0-9][A-Z]|\w(?:\.|::|#)[A-Za-z_$]\w"


class NamedCode(NamedTuple):
    """The paths and symbol names in a text. `pairs` are symbols named together with their file: `app.py:Client`."""

    paths: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()


def named_code(text: str) -> NamedCode:
    """Returns what a text names in the notation of code: plain words only in backquotes."""
    text = text[:_LONGEST]
    paths: dict[str, None] = {}
    pairs: dict[tuple[str, str], None] = {}
    for match in compiled(_PATH).finditer(text):
        path = match[1].replace("\\", "/").removeprefix("./")
        paths[path] = None
        if match[2]:
            pairs[path, match[2].rstrip(".")] = None
    # `Client.get` looks like a file, so only paths with a folder are certainly no symbols.
    others = compiled(_PATH).sub(
        lambda match: " " if match[2] or "/" in match[1] or "\\" in match[1] else match[0], text
    )
    names = dict.fromkeys(_names(others))
    return NamedCode(tuple(paths)[:_MOST], tuple(names)[:_MOST], tuple(pairs)[:_MOST])


def names_code(text: str) -> bool:
    """Does a text name a file or a symbol?"""
    found = named_code(text)
    return bool(found.paths or found.names)


def _names(text: str) -> list[str]:
    quoted = [quoted.strip().split("(", 1)[0] for quoted in compiled(_QUOTED).findall(text)]
    found = [name for name in quoted if compiled(_NAME).fullmatch(name)]
    found += [name for name, call in compiled(_WORD).findall(text) if call or compiled(_CODE).search(name)]
    return [name.replace("::", ".").replace("#", ".") for name in found]
