"""Reads the instruction files that an agent program loads by itself: what they say need not be given again."""

from __future__ import annotations

import os
from collections.abc import Iterator

from holdfast.agents.programs import program
from holdfast.text.patterns import compiled

_MOST_CHARACTERS = 200_000
# A file that another one includes: a line such as `@AGENTS.md`.
_INCLUDED = r"(?m)^[ \t]*+(?:[-*] )?@([\w./-]++)[ \t]*+$"


def read_instructions(client: str, root: str, folder: str, home: str) -> str:
    """The text of the files of a program, in the project, in the folder it works in and in the home folder."""
    found = program(client)
    own, of_user = (found.instructions, found.user_instructions) if found else ((), ())
    paths = [os.path.join(place, name) for place in dict.fromkeys((root, folder)) for name in own]
    paths += [os.path.join(home, name) for name in of_user]
    return "\n".join(text for path in dict.fromkeys(paths) for text in _with_included(path))


def _with_included(path: str) -> Iterator[str]:
    """The text of a file and of the files that it includes, one level deep."""
    text = _read(path)
    yield text
    for name in compiled(_INCLUDED).findall(text):
        yield _read(os.path.join(os.path.dirname(path), name))


def _read(path: str) -> str:
    """The beginning of a file; empty if it is no file or cannot be read."""
    if not os.path.isfile(path):
        return ""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(_MOST_CHARACTERS)
    except OSError:
        return ""
