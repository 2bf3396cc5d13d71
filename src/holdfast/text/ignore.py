"""Reads `.gitignore` files with the rules of git.

Does not run git, because a project need not use it. Unlike git, tracked files that match a pattern are ignored too,
and a user's global ignore file is not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from holdfast.text.globs import as_pattern


class _IgnorePattern(NamedTuple):
    matches: re.Pattern[str]
    keeps: bool
    folders_only: bool


class IgnoreFile(NamedTuple):
    """The patterns of one file, last line first, and the folder they apply to (empty for the project's root)."""

    folder: str
    lines: tuple[_IgnorePattern, ...]

    @classmethod
    def of(cls, text: str, folder: str = "") -> IgnoreFile:
        """Parses the text of an ignore file. An invalid pattern matches nothing."""
        lines = (_line(line) for line in reversed(text.splitlines()))
        return cls(folder, tuple(line for line in lines if line is not None))

    def judge(self, path: str, is_folder: bool) -> bool | None:
        """Is the path ignored? The last matching line decides; None if no line matches."""
        inside = path[len(self.folder) + 1 :] if self.folder else path
        for line in self.lines:
            if (is_folder or not line.folders_only) and line.matches.match(inside):
                return not line.keeps
        return None

    def ignores(self, path: str) -> bool:
        """Is a file ignored by itself or through one of its folders?"""
        folders = accumulate(path.split("/")[:-1], "{}/{}".format)
        return any(self.judge(folder, True) for folder in folders) or bool(self.judge(path, False))


def is_ignored(path: str, is_folder: bool, stack: Sequence[IgnoreFile]) -> bool:
    """Is the path ignored by the files of its folders? `stack` has the nearest last; its folders are not ignored."""
    verdicts = (ignored.judge(path, is_folder) for ignored in reversed(stack))
    return next((verdict for verdict in verdicts if verdict is not None), False)


def patterns(lines: Iterable[str]) -> IgnoreFile:
    """Parses the patterns of the settings, which apply to the whole project."""
    return IgnoreFile.of("\n".join(lines))


@lru_cache(maxsize=4096)
def _line(line: str) -> _IgnorePattern | None:
    line = _without_trailing_spaces(line)
    if not line or line.startswith("#"):
        return None
    keeps = line.startswith("!")
    line = line.removeprefix("!")
    folders_only = line.endswith("/")
    glob = line.rstrip("/") if folders_only else line
    if not glob:
        return None
    anchored = "/" in glob
    glob = glob.removeprefix("/")
    pattern = _compiled(as_pattern(glob if anchored else f"**/{glob}", braces=False))
    return _IgnorePattern(pattern, keeps, folders_only) if pattern else None


def _without_trailing_spaces(line: str) -> str:
    line = line.rstrip("\r\n")
    while line.endswith(" ") and not line.endswith("\\ "):
        line = line[:-1]
    return line


def _compiled(pattern: str) -> re.Pattern[str] | None:
    try:
        return re.compile(pattern)
    except re.error:  # In git an invalid range such as [z-a] matches nothing.
        return None
