"""Keeps a lease while the work under it takes longer than the lease lasts, such as a call of a language model."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from holdfast.core.errors import StoreError

Keep = Callable[[Mapping[str, Any]], bool]
# Work that reports nothing for longer hangs, and loses its lease. A page may take eight calls of a slow program.
_MOST_SECONDS = 1_800.0


@contextmanager
def kept(keep: Keep, seconds: float) -> Iterator[Keep]:
    """Extends a lease of `seconds` again and again until the block ends.

    `keep` extends it and stores the progress. The block gets the same function, and reports progress with it.
    """
    ended = threading.Event()
    latest: tuple[float, Mapping[str, Any]] = (time.monotonic(), {})

    def report(progress: Mapping[str, Any]) -> bool:
        nonlocal latest
        latest = (time.monotonic(), progress)
        return keep(progress)

    def extend() -> None:
        while not ended.wait(seconds / 3):
            since, progress = latest
            if time.monotonic() - since < _MOST_SECONDS:
                with suppress(StoreError):  # A store that is busy now may be free at the next turn.
                    keep(progress)

    thread = threading.Thread(target=extend, daemon=True)
    thread.start()
    try:
        yield report
    finally:
        ended.set()
        thread.join()
