"""The base of the operations on one project's memory."""

from __future__ import annotations

import os
from typing import TypeVar

from holdfast.container import Container
from holdfast.core.arguments import checked_methods
from holdfast.core.paths import changed_since, settings_file

Result = TypeVar("Result")


class Operations:
    """Operations on one project's memory: each calls one package through the container and has no logic of its own.

    Public methods check the types of their arguments.
    """

    container: Container
    project: str

    def __init_subclass__(cls) -> None:
        checked_methods(cls)

    def _counted(self) -> Container:
        """The container, after pending usage counts were written."""
        self.container.usage.write()
        return self.container

    def _then_wake(self, result: Result, names: bool = False, code: bool = False) -> Result:
        """Returns a result, and starts the background process if there is work for it.

        `names` counts new names as work, `code` changed code files.
        """
        self.container.upkeep.background.wake(names=names, code=code)
        return result

    def _then_wake_if_set(self, result: Result) -> Result:
        """Like `_then_wake` if the user's settings changed since the last embedding; cheaper: it loads no models."""
        run = self.container.reading.last_run("embed")
        if run is not None and changed_since(settings_file(os.environ), run.finished_at.timestamp()):
            return self._then_wake(result)
        return result
