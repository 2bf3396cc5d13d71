"""The folders of a project's files. Paths are relative to its root, which is ""."""

from __future__ import annotations

from collections.abc import Iterable


def all_folders(paths: Iterable[str]) -> set[str]:
    """Returns all folders with files in or below them, the root included."""
    found = {""}
    for path in paths:
        folder = path.rpartition("/")[0]
        while folder not in found:
            found.add(folder)
            folder = folder.rpartition("/")[0]
    return found


def files_by_folder(paths: Iterable[str], ending: str) -> dict[str, list[str]]:
    """Returns the files with an ending by their folders, both in the order of their names."""
    found: dict[str, list[str]] = {}
    for path in sorted(paths):
        if path.endswith(ending):
            found.setdefault(path.rpartition("/")[0], []).append(path)
    return found


def joined(folder: str, relative: str) -> str:
    """Returns the path that a relative path means in a folder; nothing is above the root."""
    parts = folder.split("/") if folder else []
    for part in relative.split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)
