"""The holder of a lease: a process, named so that others can check whether it is still running."""

from __future__ import annotations

import os
import sys


def this_process() -> str:
    """The name of this process as a holder of leases: `host:pid`."""
    return f"{_host()}:{os.getpid()}"


def is_gone(holder: str) -> bool:
    """Is the holder a process of this machine that has ended? For other machines only the lease's expiry counts."""
    host, _, rest = holder.partition(":")
    pid = rest.partition(":")[0]
    if host != _host() or not pid.isdigit() or sys.platform == "win32":
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return False


def _host() -> str:
    import socket  # Imported here: most commands ask for no lease.

    return socket.gethostname()
