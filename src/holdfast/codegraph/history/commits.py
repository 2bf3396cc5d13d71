"""Reads the commits of a repository: the files that each of them changed, under their present names."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from holdfast.core.git import read_git

# What is read at most: older commits say little about the present files.
MOST_COMMITS = 3_000
_MOST_BYTES = 50_000_000
_SECONDS = 20.0
_MARK = b"\x01commit "


class ChangedFiles(NamedTuple):
    """One commit: when it was made, in seconds since 1970, and the files it changed."""

    commit: str
    time: int
    files: tuple[str, ...]
    # How many files it changed, also those that no longer exist.
    size: int


def read_commits(
    root: str, revisions: Sequence[str] = ("HEAD",), most: int = MOST_COMMITS, follow: bool = True
) -> Iterator[ChangedFiles]:
    """Yields the latest commits, newest first, without merges; nothing outside git.

    With `follow`, a file that was renamed has its latest name in all commits. Stops early, without an error, when git
    takes too long or prints too much.
    """
    command = ("log", "--no-merges", "-z", "--name-status", "-M", f"-n{most}", "--format=%x01commit %H %ct")
    safe = ("--no-ext-diff", "--no-textconv", "--relative")
    printed = read_git(root, *command, *safe, *revisions, "--", seconds=_SECONDS, most=_MOST_BYTES)
    latest: dict[str, str] = {}
    for text in printed.split(_MARK)[1:]:
        head, _, rest = text.partition(b"\0")
        commit, _, time = head.decode("ascii", "replace").strip().partition(" ")
        paths, renames = _paths(rest)
        if time.strip().isdigit():
            files = tuple(dict.fromkeys(latest.get(path, path) for path in paths))
            yield ChangedFiles(commit, int(time), files, len(paths))
        for old, new in renames if follow else ():
            latest[old] = latest.get(new, new)


def _paths(listed: bytes) -> tuple[list[str], list[tuple[str, str]]]:
    """The changed files of one commit and its renames; git prints a status, then one path, or two for a rename."""
    fields = iter([os.fsdecode(field) for field in listed.strip(b"\0\n").split(b"\0")])
    paths: list[str] = []
    renames: list[tuple[str, str]] = []
    for status in fields:
        path = next(fields, "")
        if status.strip()[:1] in ("R", "C"):
            old, path = path, next(fields, "")
            if status.strip().startswith("R"):
                renames.append((old, path))
        if path:
            paths.append(path)
    return paths, renames
