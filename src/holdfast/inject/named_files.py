"""Finds the files of a project that a text or a tool call names. Hooks import this module, so it imports little."""

from __future__ import annotations

import os

from holdfast.agents.tool_shapes import shape_of
from holdfast.system.project import relative


def files_in(text: str, root: str) -> list[str]:
    """The existing files that a text names, relative to the project."""
    mentions = shape_of("", {"command": text}).mentions if text else ()
    return existing(mentions, root, root)


def existing(paths: tuple[str, ...], root: str, folder: str) -> list[str]:
    """Those of these paths that are files of the project."""
    found = (in_project(path, root, folder) for path in paths)
    return [file for file in found if file and os.path.isfile(os.path.join(root, file))]


def in_project(path: str, root: str, folder: str) -> str | None:
    """A path as memories name it; None outside the project, and for what no path can contain."""
    if "\0" in path or not path.isprintable():
        return None
    full = os.path.join(folder, path)
    return relative(full, root) or relative(os.path.realpath(full), root)
