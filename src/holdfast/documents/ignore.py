"""What a project asks not to be looked at: `.gitignore` files, as git reads them.

Why not git itself: a project need not be one of git's, and nothing has to be started. Tracked files that a pattern
covers are passed over too; what git ignores for one user on all projects is not known here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from holdfast.documents.globs import as_pattern


class _IgnorePattern(NamedTuple):
    matches: re.Pattern[str]
    keeps: bool
    folders_only: bool


class IgnoreFile(NamedTuple):
    """The lines of one file of patterns, and the folder that they hold for (empty: the project)."""

    folder: str
    lines: tuple[_IgnorePattern, ...]

    @classmethod
    def of(cls, text: str, folder: str = "") -> IgnoreFile:
        """The patterns of a text. One that makes no sense matches nothing."""
        lines = (_line(line) for line in reversed(text.splitlines()))
        return cls(folder, tuple(line for line in lines if line is not None))

    def judge(self, path: str, is_folder: bool) -> bool | None:
        """Is it to be passed over? None: not decided here. The last line that matches decides."""
        inside = path[len(self.folder) + 1 :] if self.folder else path
        for line in self.lines:
            if (is_folder or not line.folders_only) and line.matches.match(inside):
                return not line.keeps
        return None


def is_ignored(path: str, is_folder: bool, stack: Sequence[IgnoreFile]) -> bool:
    """By the patterns of the folders around it, the nearest last. The folders themselves must not be ignored."""
    decided = (ignored.judge(path, is_folder) for ignored in reversed(stack))
    return next((answer for answer in decided if answer is not None), False)


def patterns(lines: Iterable[str]) -> IgnoreFile:
    """Patterns for the whole project, from settings."""
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
    made = _compiled(as_pattern(glob if anchored else f"**/{glob}", braces=False))
    return _IgnorePattern(made, keeps, folders_only) if made else None


def _without_trailing_spaces(line: str) -> str:
    line = line.rstrip("\r\n")
    while line.endswith(" ") and not line.endswith("\\ "):
        line = line[:-1]
    return line


def _compiled(pattern: str) -> re.Pattern[str] | None:
    try:
        return re.compile(pattern)
    except re.error:  # Why let go: git takes a range such as [z-a] for one that matches nothing.
        return None
