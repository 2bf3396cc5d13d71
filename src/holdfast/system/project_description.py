"""Describes a project: how it is identified and where its memory is stored."""

from __future__ import annotations

from datetime import datetime

from holdfast.core.frozen import frozen
from holdfast.core.reason import Code, Reason
from holdfast.system.project import MARKER, read_identity


class ProjectCode(Code):
    """How a project is identified."""

    GIT_REMOTE = "core.git_remote"
    GIT_FOLDER = "core.git_folder"
    MARKER = "core.marker"
    FOLDER = "core.folder"


@frozen
class ProjectSummary:
    """A project of the database: its folder when it was last used, and the number of its memories and messages."""

    project: str
    name: str
    root: str
    memories: int
    messages: int
    last_used: datetime


@frozen
class ProjectDescription:
    """A project. `marker` is the marker file that `init` has just written, if any."""

    project: str
    name: str
    root: str
    recognised_by: Reason
    marker: str | None
    db: str
    memories: int


def recognised_by(root: str, identity: str) -> Reason:
    """Returns how the project of a folder is identified; `identity` is the setting of that name."""
    project = read_identity(root, identity)
    if project.remote:
        return Reason.of(ProjectCode.GIT_REMOTE, remote=project.remote)
    if project.common_dir:
        return Reason.of(ProjectCode.GIT_FOLDER)
    return Reason.of(ProjectCode.MARKER, file=MARKER) if project.marker else Reason.of(ProjectCode.FOLDER)
