"""Stops calls to a model that has just failed, so that its failure is waited for only once."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from holdfast.core.errors import ModelError

Result = TypeVar("Result")

PAUSE_SECONDS = 30.0


class CircuitBreaker:
    """Repeats the last failure for some seconds instead of calling the model again. Thread-safe.

    A refusal of one particular request does not count: the next request may be accepted.
    """

    def __init__(self, seconds: float = PAUSE_SECONDS, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._clock = clock
        self._failure: tuple[float, ModelError] | None = None

    def call(self, function: Callable[[], Result]) -> Result:
        """Returns the result of the function; raises the last failure while the pause lasts."""
        failure = self._failure
        if failure is not None and self._clock() < failure[0]:
            raise failure[1].with_traceback(None)
        try:
            result = function()
        except ModelError as error:
            if not error.of_request:
                self._failure = (self._clock() + self._seconds, error)
            raise
        self._failure = None
        return result
