"""A lock on an open file: one process or thread at a time, released when the file is closed."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

from holdfast.core.errors import StoreBusy
from holdfast.system.files import NO_LINK, PRIVATE

_RETRY_SECONDS = 0.02


@contextmanager
def locked(path: str | os.PathLike[str], patience: float) -> Iterator[None]:
    """Holds an exclusive lock on a file, which is created if it does not exist. A crashed holder releases its lock.

    Raises StoreBusy when the lock is not free within `patience` seconds.
    """
    handle = os.open(path, os.O_CREAT | os.O_RDWR | NO_LINK, PRIVATE)
    deadline = time.monotonic() + patience
    try:
        while not try_lock(handle):
            if time.monotonic() > deadline:
                raise StoreBusy(f"{os.fspath(path)} is held by another process")
            time.sleep(_RETRY_SECONDS)
        yield
    finally:
        # Closing releases the lock.
        os.close(handle)


def try_lock(descriptor: int) -> bool:
    """Takes the lock if it is free, without waiting. Returns whether it was taken."""
    try:
        if os.name == "nt":  # pragma: no cover # the tests run on the other branch
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined] # only on Windows
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
