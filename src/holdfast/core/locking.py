"""A lock on an open file: one process or thread at a time, given back when the file is closed."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

from holdfast.core.errors import StoreBusy

_LOOK_AGAIN = 0.02
# Why the second: without it Windows would write other line ends than it is given.
NO_LINK = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


@contextmanager
def locked(path: str | os.PathLike[str], patience: float) -> Iterator[None]:
    """One at a time behind a file, which is made when it is not there; whoever died holding it is not waited for.

    Raises StoreBusy when the others take more than `patience` seconds.
    """
    handle = os.open(path, os.O_CREAT | os.O_RDWR | NO_LINK, 0o600)
    deadline = time.monotonic() + patience
    try:
        while not try_lock(handle):
            if time.monotonic() > deadline:
                raise StoreBusy(f"{os.fspath(path)} is held by another process")
            time.sleep(_LOOK_AGAIN)
        yield
    finally:
        # Why no unlock: closing gives it back.
        os.close(handle)


def try_lock(descriptor: int) -> bool:
    """Takes the lock if it is free; never waits."""
    try:
        if os.name == "nt":  # pragma: no cover # the other branch is the one tested here
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined] # Windows alone has it
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
