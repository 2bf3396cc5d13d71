"""The register of projects: held by the workspace."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from holdfast.core.project import ProjectIdentity


class ProjectWriting(Protocol):
    """Recognises a project by its signs, or registers it."""

    def recognise(self, signs: ProjectIdentity, new_id: str, at: datetime) -> str:
        """The id of the project with these signs: by marker, remote, common directory, or root commit when moved."""
        ...
