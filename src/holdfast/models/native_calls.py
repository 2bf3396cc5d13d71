"""Lets calls of native code finish before the program ends.

Python ends daemon threads wherever they are. If one is in the C++ code of onnxruntime at that moment, the whole process
aborts. Programs have such threads: servers answer requests in them.
"""

from __future__ import annotations

import atexit
import os
import threading
from types import TracebackType

# Reading a text takes milliseconds, loading a graph a second on a busy machine.
_LONGEST = 10.0


class NativeCalls:
    """Counts the calls that run; use it as a context manager around each of them."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Forgets all calls, as in the child of a fork, which has no other threads."""
        self._changed = threading.Condition()
        self._running = 0
        self._ended = False

    def __enter__(self) -> None:
        with self._changed:
            # The main thread may still call: it runs the other functions that were registered for the end.
            while self._ended and threading.current_thread().daemon:
                self._changed.wait()
            self._running += 1

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._changed:
            self._running -= 1
            self._changed.notify_all()

    def end(self) -> None:
        """Waits for the running calls, at most some seconds; later ones of daemon threads never begin."""
        with self._changed:
            self._ended = True
            self._changed.wait_for(lambda: not self._running, _LONGEST)


NATIVE = NativeCalls()
atexit.register(NATIVE.end)
if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(after_in_child=NATIVE.reset)
