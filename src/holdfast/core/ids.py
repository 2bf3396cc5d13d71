"""Ids that sort by time: a prefix, 48 bits of milliseconds and 80 random bits, in Crockford base 32."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
# Two digits at a time for speed: every message gets an id.
_PAIRS = [high + low for high in _ALPHABET for low in _ALPHABET]
_SHIFTS = range(120, -10, -10)


class Ids:
    """Makes ids. Ids that one process makes in the same millisecond still sort in the order they were made."""

    def __init__(
        self, milliseconds: Callable[[], int] | None = None, entropy: Callable[[int], bytes] | None = None
    ) -> None:
        self._milliseconds = milliseconds or _now_ms
        self._entropy = entropy or os.urandom
        self._last = 0
        self._lock = threading.Lock()

    def memory(self, prefix: str) -> str:
        """An id for a memory; its type declares the prefix: `ep_`, `fact_`, `ref_`, or `mem_` for the others."""
        return f"{prefix}_{self.new()}"

    def document(self) -> str:
        """An id for a document: `doc_`."""
        return f"doc_{self.new()}"

    def chunk(self) -> str:
        """An id for a chunk of a document: `chk_`."""
        return f"chk_{self.new()}"

    def new(self) -> str:
        """An id of 26 characters without a prefix."""
        moment = int(self._milliseconds()) << 80
        value = moment | int.from_bytes(self._entropy(10), "big")
        with self._lock:
            if value <= self._last:
                # Add a random number, not 1: a forked process continues from the same last id.
                value = self._last + 1 + int.from_bytes(self._entropy(8), "big")
            self._last = value
        return _encode(value)


def short(id: str) -> str:
    """The last eight characters, which are random: short enough for people to type."""
    return id[-8:]


def twin(id: str, project: str) -> str:
    """The id of a project's own copy of another project's memory: the same time, the rest hashed."""
    import hashlib

    digest = hashlib.sha256(f"{project}\0{id}".encode()).digest()
    return id[:-16] + _encode(int.from_bytes(digest[:10], "big"))[-16:]


def _encode(value: int) -> str:
    return "".join([_PAIRS[value >> shift & 1023] for shift in _SHIFTS])


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
