"""Notices code files that appeared since a project was indexed, without asking git: by the times of its folders.

A folder changes whenever a file or folder is made in it. Most answers so need no more than the times of all folders.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Container, Iterable, Iterator

from holdfast.codegraph.code_files import NEVER_WITHOUT_GIT
from holdfast.codegraph.languages.language_registry import language_name
from holdfast.codegraph.project_folders import all_folders

# Clocks of file systems are coarse: a file may be made just before a listing and its folder have the time after it.
_SLACK_NS = 50_000_000
_MOST = 1_000


def begin() -> int:
    """Returns the time before a listing of all files, for `listing`."""
    return time.time_ns() - _SLACK_NS


def listing(root: str, paths: Iterable[str], begun: int) -> str:
    """Returns the folders of all listed files as text to keep, with their latest change; at most the time `begun`."""
    folders = all_folders(paths)
    changed = max((_changed_at(root, folder) for folder in folders), default=0)
    return json.dumps([min(changed, begun), sorted(folders)])


def new_files(root: str, kept: str, known: Container[str]) -> list[str]:
    """Returns code files that are not known, from folders that changed since the listing; git may ignore them."""
    if not kept:
        return []
    since, listed = json.loads(kept)
    folders = set(listed)
    pending = [folder for folder in listed if _changed_at(root, folder) >= since]
    found: list[str] = []
    while pending and len(found) < _MOST:
        folder = pending.pop()
        for path, is_folder in _entries(root, folder):
            if is_folder and path not in folders:
                folders.add(path)
                pending.append(path)
            elif not is_folder and path not in known:
                found.append(path)
    return sorted(found)


def _entries(root: str, folder: str) -> Iterator[tuple[str, bool]]:
    """Yields the code files of a folder, and the folders in it that may contain some."""
    try:
        with os.scandir(os.path.join(root, folder)) as entries:
            for entry in entries:
                is_folder = entry.is_dir(follow_symlinks=False)
                may_matter: Callable[[str], object] = _may_have_code if is_folder else language_name
                if may_matter(entry.name) and (is_folder or entry.is_file(follow_symlinks=False)):
                    yield f"{folder}/{entry.name}" if folder else entry.name, is_folder
    except OSError:
        return  # It was deleted or cannot be read.


def _may_have_code(name: str) -> bool:
    return name not in NEVER_WITHOUT_GIT and not name.startswith(".")


def _changed_at(root: str, folder: str) -> int:
    """The time of the latest change, which programs cannot set, unlike the time of writing; 0 if it is gone."""
    try:
        return os.lstat(os.path.join(root, folder)).st_ctime_ns
    except OSError:
        return 0
