"""Attributes that are built once, on first use, even if several threads read them at the same time."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Generic, ParamSpec, Self, TypeVar, overload

Value = TypeVar("Value")
Arguments = ParamSpec("Arguments")
# One lock for all: components build each other, and two locks taken in different orders would deadlock.
_lock = threading.RLock()


class built_once(Generic[Value]):  # noqa: N801 - used as a decorator, like functools.cached_property
    """Like `functools.cached_property`, but with a lock: two threads never build two values.

    Once built, the value is a plain attribute and reading it costs nothing extra.
    """

    def __init__(self, build: Callable[[Any], Value]) -> None:
        self._build = build
        self.__doc__ = build.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

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


def later(find: Callable[[], Callable[Arguments, Value]]) -> Callable[Arguments, Value]:
    """A function that finds the one to call when it is called: what it belongs to is not built before."""

    def call(*arguments: Arguments.args, **named: Arguments.kwargs) -> Value:
        return find()(*arguments, **named)

    return call
