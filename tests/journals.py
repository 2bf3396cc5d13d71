"""Where the journals of a workspace are."""

from __future__ import annotations

from holdfast.workspace import Workspace


def journals(ws: Workspace) -> str:
    """The folder of the journals of the project."""
    return ws.container.store.data_folder.journals(ws.project)
