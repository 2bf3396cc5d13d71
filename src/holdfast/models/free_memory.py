"""Measures the free memory of this machine."""

from __future__ import annotations

import os
import sys


def free_memory(platform: str = sys.platform) -> int:
    """Returns the bytes a new program could use now, or half of the installed memory if the system does not say."""
    if platform == "win32":
        return _free_on_windows()
    if platform == "linux":
        with open("/proc/meminfo", encoding="ascii") as lines:
            fields = dict(line.split(":", 1) for line in lines)
        return int(fields["MemAvailable"].split()[0]) * 1024
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2


def _free_on_windows() -> int:
    import ctypes

    class Status(ctypes.Structure):
        _fields_ = [
            ("length", ctypes.c_ulong),
            ("load", ctypes.c_ulong),
            ("total", ctypes.c_ulonglong),
            ("available", ctypes.c_ulonglong),
            ("rest", ctypes.c_ulonglong * 5),
        ]

    status = Status(length=ctypes.sizeof(Status))
    ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(status))  # type: ignore[attr-defined,unused-ignore]  # exists on Windows only
    return int(status.available)
