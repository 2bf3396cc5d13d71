"""A lock on an open file: one process or thread at a time, given back when the file is closed."""

from __future__ import annotations

import os


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
