"""Ids that sort by time: a kind's prefix, 48 bits of milliseconds, 80 random bits, in Crockford base 32."""

from __future__ import annotations

import os
import threading
import time

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
# Why two digits at a time: an id is made for every message.
_PAIRS = [high + low for high in _ALPHABET for low in _ALPHABET]
_SHIFTS = range(120, -10, -10)


class Ids:
    """Makes ids; two made by one process in the same millisecond still sort in the order they were made."""

    def __init__(self, milliseconds: object = None, entropy: object = None) -> None:
        self._milliseconds = milliseconds if callable(milliseconds) else _now_ms
        self._entropy = entropy if callable(entropy) else os.urandom
        self._last = 0
        self._lock = threading.Lock()

    def memory(self, prefix: str) -> str:
        """An id for a memory; its type declares the prefix: `ep_`, `fact_`, `ref_`, or `mem_` for the others."""
        return f"{prefix}_{self.new()}"

    def document(self) -> str:
        """An id for a document: `doc_`."""
        return f"doc_{self.new()}"

    def chunk(self) -> str:
        """An id for a piece of a document: `chk_`."""
        return f"chk_{self.new()}"

    def new(self) -> str:
        """A bare id of 26 characters."""
        moment = int(self._milliseconds()) << 80
        value = moment | int.from_bytes(self._entropy(10), "big")
        with self._lock:
            if value <= self._last:
                # Why not by one: a forked process counts on from the same last id.
                value = self._last + 1 + int.from_bytes(self._entropy(8), "big")
            self._last = value
        return _encode(value)


def short(id: str) -> str:
    """The last eight characters: random, so enough to name a memory to a person."""
    return id[-8:]


def twin(id: str, project: str) -> str:
    """The id under which a project keeps its own copy of another project's memory: the same time, the rest hashed."""
    import hashlib

    digest = hashlib.sha256(f"{project}\0{id}".encode()).digest()
    return id[:-16] + _encode(int.from_bytes(digest[:10], "big"))[-16:]


def _encode(value: int) -> str:
    return "".join([_PAIRS[value >> shift & 1023] for shift in _SHIFTS])


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
