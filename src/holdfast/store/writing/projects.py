"""The register of projects: used by the container."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from holdfast.core.project import ProjectIdentity


class ProjectWriting(Protocol):
    """Recognises projects and registers new ones."""

    def recognise(self, identity: ProjectIdentity, new_id: str, at: datetime) -> str:
        """Returns the project's id; finds it by marker, remote, common directory, or root commit if it was moved."""
        ...

    def person(self, project: str) -> str:
        """Returns the id of the project with the memories of the person who works in this one."""
        ...
