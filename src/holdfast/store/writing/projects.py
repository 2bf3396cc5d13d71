"""The register of projects: used by the container."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from holdfast.system.project import ProjectIdentity


class ProjectWriting(Protocol):
    """Recognises projects and registers new ones."""

    def recognise(self, identity: ProjectIdentity, new_id: str, at: datetime) -> str:
        """Returns the project's id; finds it by marker, remote, common directory, or root commit if it was moved."""
        ...

    def folders(self, project: str) -> Mapping[str, bool]:
        """The folders in which the project was opened, and whether the memory files of each are behind.

        Files are behind if something was forgotten while they were away, and in a folder that is new.
        """
        ...

    def mark_folder(self, project: str, root: str, *, behind: bool) -> None:
        """Notes whether the memory files of a folder are behind."""
        ...

    def person(self, project: str) -> str:
        """Returns the id of the project with the memories of the person who works in this one."""
        ...
