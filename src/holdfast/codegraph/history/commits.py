"""Reads the commits of a repository: the files that each of them changed, under their present names."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from holdfast.codegraph.anchors.follow import renames_since
from holdfast.system.git import read_git

# The most that is read: older commits say little about the present files.
MOST_COMMITS = 3_000
_MOST_BYTES = 50_000_000
_SECONDS = 20.0
_MARK, _RENAMES = b"\x01commit ", b"\x01commit"


class ChangedFiles(NamedTuple):
    """One commit: when it was made, in seconds since 1970, the files it changed, and the first line of its message."""

    commit: str
    time: int
    files: tuple[str, ...]
    # How many files it changed, also those that no longer exist.
    size: int
    subject: str = ""


def read_commits(
    root: str, revisions: Sequence[str] = ("HEAD",), most: int = MOST_COMMITS, follow: bool = True
) -> Iterator[ChangedFiles]:
    """Yields the latest commits, newest first, without merges; nothing outside git.

    With `follow`, a file that was renamed has its latest name in all commits. Stops early, without an error, when git
    takes too long or prints too much.
    """
    command = ("log", "--no-merges", "-z", "--name-status", "-M", f"-n{most}", "--format=%x01commit %H %ct %s")
    safe = ("--no-ext-diff", "--no-textconv", "--relative")
    printed = read_git(root, *command, *safe, *revisions, "--", seconds=_SECONDS, most=_MOST_BYTES)
    latest: dict[str, str] = {}
    for text in printed.split(_MARK)[1:]:
        head, _, rest = text.partition(b"\0")
        commit, time, subject = [*head.decode("utf-8", "replace").strip().split(" ", 2), "", ""][:3]
        paths, renames = _paths(rest)
        if time.isdigit():
            files = tuple(dict.fromkeys(latest.get(path, path) for path in paths))
            yield ChangedFiles(commit, int(time), files, len(paths), subject)
        for old, new in renames if follow else ():
            latest[old] = latest.get(new, new)


def read_renames(root: str) -> dict[str, str]:
    """The files that the latest commits renamed, or that are staged under a new name; nothing outside git."""
    command = ("log", "--no-merges", "-z", "--name-status", "-M", "--diff-filter=R", "--format=%x01commit")
    safe = ("--no-ext-diff", "--no-textconv", "--relative", f"-n{MOST_COMMITS}")
    printed = read_git(root, *command, *safe, "HEAD", "--", seconds=_SECONDS, most=_MOST_BYTES)
    latest = renames_since(root, "HEAD")
    for text in printed.split(_RENAMES)[1:]:
        for old, new in _paths(text.partition(b"\0")[2])[1]:
            latest.setdefault(old, latest.get(new, new))
    return latest


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
