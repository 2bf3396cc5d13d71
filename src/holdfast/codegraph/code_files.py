"""Finds the code files of a project: what git tracks or would track, else all files below its folder."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import field
from typing import NamedTuple

from holdfast.codegraph.code_reasons import CodeGraphCode
from holdfast.codegraph.languages.language_registry import configuration_names, language_name
from holdfast.core.frozen import frozen
from holdfast.system.git import may_be_in_git, run_git
from holdfast.text.ignore import patterns

_GIT_SECONDS = 60.0
LARGEST = 1_000_000
# Folders of installed packages and build results, which some projects track.
_NEVER = frozenset(["node_modules", ".venv", "venv", "site-packages", "__pycache__", ".git", ".tox", ".nox", ".eggs"])
# Without git there is no list of ignored files, so that usual names must do.
NEVER_WITHOUT_GIT = _NEVER | {"build", "dist", "target", "env", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".next"}


class FoundFile(NamedTuple):
    """A code file on disk, with the size and time that reveal a change."""

    path: str
    size: int
    mtime_ns: int


@frozen
class FoundCode:
    """The code files by path, the configuration files of resolvers, and why other files were skipped.

    `others` are files of further formats, if they were asked for, `listed` the paths of all files, of any kind.
    """

    files: dict[str, FoundFile] = field(default_factory=dict)
    configuration: set[str] = field(default_factory=set)
    skipped: dict[str, CodeGraphCode] = field(default_factory=dict)
    others: dict[str, FoundFile] = field(default_factory=dict)
    listed: list[str] = field(default_factory=list)


def may_be_code(name: str) -> bool:
    """Is a file with this name part of the code graph, or does it decide how code is resolved?"""
    return language_name(name) is not None or name in configuration_names()


def discover_code(
    root: str, within: Sequence[str] = (), ignored: Sequence[str] = (), others: Collection[str] = ()
) -> FoundCode:
    """Finds the code files of a project, or those within some files and folders, without reading them.

    Links are not followed. Configuration files are always found. `ignored` are patterns of files to leave out, written
    as in a .gitignore, `others` endings of further files to find.
    """
    found = FoundCode()
    left_out = patterns(ignored)
    listed = _listed_by_git(root)
    if listed is None:
        paths: Iterable[str] = _walk(root)
    else:
        paths = sorted(os.fsdecode(path) for path in set(listed.split(b"\0")) if path)
    submodules = _submodules(root) if listed is not None else frozenset()
    for path in paths:
        name = path.rpartition("/")[2]
        if name in configuration_names():
            found.configuration.add(path)
        elif not is_within(path, within) or left_out.ignores(path):
            continue
        elif path in submodules:
            found.skipped[path] = CodeGraphCode.SUBMODULE
        elif not _NEVER.intersection(path.split("/")) and path.isprintable():
            found.listed.append(path)
            if language_name(name):
                _add(found, found.files, root, path)
            elif others and os.path.splitext(name)[1].lower() in others:
                _add(found, found.others, root, path)
    return found


def is_within(path: str, within: Sequence[str]) -> bool:
    """Is a path one of some files, or below one of some folders? Everything is within none."""
    return not within or any(place in (".", "", path) or path.startswith(f"{place}/") for place in within)


def _add(found: FoundCode, files: dict[str, FoundFile], root: str, path: str) -> None:
    try:
        status = os.lstat(os.path.join(root, path))
    except OSError:
        return  # It was deleted and git does not know yet, or its folder cannot be read.
    if stat.S_ISLNK(status.st_mode):
        found.skipped[path] = CodeGraphCode.LINK
    elif not stat.S_ISREG(status.st_mode):
        found.skipped[path] = CodeGraphCode.NOT_A_FILE
    elif status.st_size > LARGEST:
        found.skipped[path] = CodeGraphCode.TOO_LARGE
    else:
        files[path] = FoundFile(path, status.st_size, status.st_mtime_ns)


def _listed_by_git(root: str) -> bytes | None:
    if not may_be_in_git(root):
        return None
    return run_git(root, "ls-files", "-z", "-co", "--exclude-standard", seconds=_GIT_SECONDS)


def _walk(root: str) -> Iterator[str]:
    """Yields all files below a folder, without folders of installed packages and build results."""
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(name for name in folders if name not in NEVER_WITHOUT_GIT and not name.startswith("."))
        inside = os.path.relpath(folder, root).replace(os.sep, "/")
        for name in sorted(files):
            yield name if inside == "." else f"{inside}/{name}"


def _submodules(root: str) -> frozenset[str]:
    """Returns the folders of submodules; git lists each as one entry with the mode of a commit."""
    listed = run_git(root, "ls-files", "-z", "--stage", seconds=_GIT_SECONDS) if _has_submodules(root) else None
    entries = (listed or b"").split(b"\0")
    return frozenset(os.fsdecode(entry.partition(b"\t")[2]) for entry in entries if entry.startswith(b"160000 "))


def _has_submodules(root: str) -> bool:
    return os.path.exists(os.path.join(root, ".gitmodules"))
