"""The base of the operations on one project's memory."""

from __future__ import annotations

from typing import TypeVar

from holdfast.container import Container
from holdfast.core.arguments import checked_methods

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
