"""Functions of modules that are imported when one of them is called first."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any


class DeferredModule:
    """Stands for a module: its functions are the module's, which is imported at the first call of one."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, function: str) -> Callable[..., Any]:
        if function.startswith("__"):
            raise AttributeError(function)

        def call(*arguments: Any) -> Any:
            return getattr(import_module(self._name), function)(*arguments)

        return call
