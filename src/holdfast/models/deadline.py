"""Limits the time that a caller waits for a function."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")


def in_time(seconds: float, function: Callable[[], Result], late: Exception) -> Result:
    """Returns the result of a function, or raises `late` after that many seconds.

    The function then ends on its own in its thread. A time-out of the HTTP client is not enough: it applies to each
    step of a request, and not at all to the resolution of the host name.
    """
    results: list[Result] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(function())
        except BaseException as error:  # noqa: BLE001 - raised again in the thread that waits
            errors.append(error)

    # A daemon, so that the program can end while the thread still waits for a server.
    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(seconds)
    if errors:
        raise errors[0]
    if not results:
        raise late
    return results[0]
