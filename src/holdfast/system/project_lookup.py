"""Finds the project of a folder or a name, checks which folders belong to it, and marks folders outside git."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from holdfast.core.arguments import check_text
from holdfast.core.errors import FileNotWritten, InvalidInput, NotFound
from holdfast.core.suggestion import did_you_mean
from holdfast.system.files import create_file, link_below, make_folders, read_file
from holdfast.system.project import (
    MARKER,
    OF_USER,
    ProjectIdentity,
    composed,
    normalise_remote,
    part_of_user,
    read_identity,
    relative,
)

# What can be the name of a project or a person, and is no path.
_NAME = re.compile(r"\w[\w .@+-]{0,99}")
# Before the hash of a path, for programs that record nothing else of the folder they were started in.
HASHED_PATH = "sha256:"
_LONGEST_PATH = 16_384


def find_project(
    folder_or_name: str,
    identity: str,
    recognise: Callable[[ProjectIdentity], str],
    registered: Callable[[], Iterable[Mapping[str, Any]]],
    new_folder: Callable[[str], str] | None = None,
) -> tuple[ProjectIdentity, str]:
    """The identity and id of a project: that of a folder, else the registered one with that id or name.

    A folder that is not registered yet is registered by `recognise`. Without a name, the working directory counts.
    With `new_folder`, an unknown name is registered too, as a project in the folder that it returns for the name.
    """
    folder = folder_or_name or _working_directory()
    if os.path.isdir(folder):
        project = read_identity(folder, identity)
        return project, recognise(project)
    rows, folder_or_name = list(registered()), composed(folder_or_name)
    found = [row for row in rows if folder_or_name in (row["id"], composed(row["name"]))]
    if len(found) > 1:
        places = ", ".join(row["root"] for row in found)
        raise InvalidInput(f"several projects are named {folder_or_name!r} ({places})", hint="Give the folder of one.")
    if not found and new_folder is not None and _NAME.fullmatch(folder_or_name):
        project = ProjectIdentity(new_folder(folder_or_name), folder_or_name, None, None, None)
        return project, recognise(project)
    if not found:
        hint = did_you_mean(folder_or_name, (row["name"] for row in rows))
        raise NotFound(f"project {folder_or_name!r}", hint=hint + "`holdfast projects` lists all of them.")
    row = found[0]
    root = str(row["root"]).partition(OF_USER)[0]
    return ProjectIdentity(root, row["name"], row["common_dir"], row["remote"], None), row["id"]


def find_user(
    project: ProjectIdentity, user: str, recognise: Callable[[ProjectIdentity], str]
) -> tuple[ProjectIdentity, str]:
    """The identity and id of one person's part of a project, which is isolated from others like a project."""
    check_text(user, "user")
    if not _NAME.fullmatch(composed(user)):
        raise InvalidInput(f"user {user[:100]!r}", hint="Use at most 100 letters, digits, spaces and . _ @ + -")
    part = part_of_user(project, user)
    return project._replace(name=part.name), recognise(part)


def folder_name(name: str) -> str:
    """The name of a folder for a named project: different for names that differ only in case."""
    import hashlib

    plain = re.sub(r"[^a-z0-9-]+", "-", name.lower()).strip("-")[:40]
    return plain if plain == name else f"{plain}-{hashlib.sha256(name.encode()).hexdigest()[:8]}".lstrip("-")


def belongs_to(folder: str, project: ProjectIdentity, identity: str, remote: str = "") -> bool:
    """Is the folder inside the project's folder or in another worktree of its repository?

    Of a hashed path only the project's folder and the worktrees themselves are recognised. A folder that was deleted,
    as agents delete their worktrees, is recognised by the URL of its `remote`.
    """
    if folder.startswith(HASHED_PATH):
        return folder in map(_hashed_path, (project.root, *worktrees(project.common_dir)))
    folder = os.path.realpath(folder)
    if relative(folder, project.root) is not None:
        return True
    if project.common_dir is None:
        return False
    if not os.path.isdir(folder):
        return bool(remote) and project.remote == normalise_remote(remote)
    return bool(read_identity(folder, identity).common_dir == project.common_dir)


def _hashed_path(folder: str) -> str:
    import hashlib

    return HASHED_PATH + hashlib.sha256(os.fsencode(folder)).hexdigest()


def worktrees(common_dir: str | None) -> Iterator[str]:
    """The main worktree of a repository and the linked ones."""
    if common_dir is None:
        return
    yield os.path.dirname(common_dir)
    linked = os.path.join(common_dir, "worktrees")
    for name in sorted(os.listdir(linked)) if os.path.isdir(linked) else ():
        with suppress(OSError):
            yield os.path.dirname(os.fsdecode(read_file(os.path.join(linked, name, "gitdir"), _LONGEST_PATH)).strip())


def write_marker(project: ProjectIdentity, id: str) -> str | None:
    """Marks a folder outside git with the project's id, so that it keeps its memory when it is moved.

    Returns the marker's path, or None where git or a marker identifies the folder already.
    """
    if project.common_dir is not None or project.marker is not None:
        return None
    marker = os.path.join(project.root, MARKER)
    if link := link_below(project.root, marker):
        raise FileNotWritten(f"{link} is a link", hint="Holdfast does not follow links out of a project. Remove it.")
    try:
        make_folders(os.path.dirname(marker))
        with os.fdopen(create_file(marker), "w", encoding="utf-8") as opened:
            opened.write(id + "\n")
    except OSError as error:
        raise FileNotWritten(f"{marker} ({error.strerror})") from error
    return marker


def _working_directory() -> str:
    try:
        return os.getcwd()
    except FileNotFoundError:
        hint = "Change to another folder, or name one with --project."
        raise NotFound("the working directory was deleted", hint=hint) from None
