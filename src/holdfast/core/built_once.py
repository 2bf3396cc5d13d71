"""An attribute that is built once, on first use, even if several threads read it at the same time."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

Value = TypeVar("Value")
# One lock for all: components build each other, and two locks taken in different orders would deadlock.
_lock = threading.RLock()


class built_once(Generic[Value]):  # noqa: N801 - used as a decorator, like functools.cached_property
    """Like `functools.cached_property`, but with a lock: two threads never build two values.

    Once built, the value is a plain attribute and reading it costs nothing extra.
    """

    def __init__(self, build: Callable[[Any], Value]) -> None:
        self._build = build
        self._name = build.__name__
        self.__doc__ = build.__doc__

    @overload
    def __get__(self, owner: None, type: object = None) -> Self: ...
    @overload
    def __get__(self, owner: object, type: object = None) -> Value: ...
    def __get__(self, owner: Any, type: object = None) -> Self | Value:
        if owner is None:
            return self
        with _lock:
            if self._name not in owner.__dict__:
                owner.__dict__[self._name] = self._build(owner)
            value: Value = owner.__dict__[self._name]
            return value

    def is_built(self, owner: object) -> bool:
        """Was the attribute built already?"""
        return self._name in owner.__dict__
