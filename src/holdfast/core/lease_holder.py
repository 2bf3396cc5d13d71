"""Who holds a lease: a process of a machine, by a name that tells whether it still lives."""

from __future__ import annotations

import os
import socket
import sys


def this_process() -> str:
    """The name under which this process holds what it holds."""
    return f"{socket.gethostname()}:{os.getpid()}"


def is_gone(holder: str) -> bool:
    """Is the holder a process of this machine that ended? Elsewhere only the clock can tell."""
    host, _, rest = holder.partition(":")
    pid = rest.partition(":")[0]
    if host != socket.gethostname() or not pid.isdigit() or sys.platform == "win32":
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return False
