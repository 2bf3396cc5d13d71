"""The base of the operations on one project's memory."""

from __future__ import annotations

import os
from typing import TypeVar

from holdfast.container import Container
from holdfast.core.arguments import checked_methods
from holdfast.system.platform_folders import changed_since, settings_file

Result = TypeVar("Result")


class Operations:
    """Operations on one project's memory: each calls one package through the container and has no logic of its own.

    Public methods check the types of their arguments.
    """

    container: Container
    project: str
    _has_looked = False

    def __init_subclass__(cls) -> None:
        checked_methods(cls)

    def _counted(self) -> Container:
        """The container, after pending usage counts were written."""
        self.container.usage.write()
        return self.container

    def _then_wake(self, result: Result, *changed: str) -> Result:
        """Returns a result, and starts the background process if there is work for it.

        `changed` are further changes that may make work (`core/job.py`).
        """
        self._has_looked = True
        self.container.background.wake(*changed)
        return result

    def _then_embed(self, result: Result) -> Result:
        """Returns what was read. The first time, starts the process if passages have no vectors of the embedder.

        Only the first time: a changed embedder comes with a new workspace, and what is stored later starts it itself.
        """
        if self._has_looked or not self.container.settings.background:
            return result
        self._has_looked = True
        embedder = self.container.models.embedder
        is_due = embedder is not None and self.container.reading.any_pending(embedder.id, embedder.size)
        return self._then_wake(result) if is_due else result

    def _then_embed_if_set(self, result: Result) -> Result:
        """Like `_then_embed`, after a change of the user's settings only: otherwise it loads no models."""
        run = None if self._has_looked else self.container.reading.last_run("embed")
        if run is not None and changed_since(settings_file(os.environ), run.finished_at.timestamp()):
            return self._then_embed(result)
        return result
