"""One at a time: whoever consolidates takes a turn, and the others wait, in this process and in all others (R-E3)."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from holdfast.core.errors import StoreBusy
from holdfast.core.lease_holder import is_gone, this_process

if TYPE_CHECKING:
    from datetime import datetime

    from holdfast.store.reading import Lease

NAME = "consolidate"
# Longer than a page may take: two calls of a model and a transaction.
SECONDS = 120.0
_LOOK_AGAIN = 0.05


class LeaseStore(Protocol):
    """What taking turns needs of the store."""

    def take(self, name: str, holder: str, seconds: float) -> bool: ...
    def keep(self, name: str, holder: str, seconds: float, progress: Mapping[str, Any]) -> bool: ...
    def free(self, name: str, holder: str) -> None: ...


@dataclass(frozen=True, slots=True)
class ConsolidationLock:
    """Turns at consolidating. `lease` tells who has one; `patience` is how long one is waited for, in seconds."""

    leases: LeaseStore
    lease: Callable[[str], Lease | None]
    now: Callable[[], datetime]
    patience: float = 600.0
    sleep: Callable[[float], None] = time.sleep

    @contextlib.contextmanager
    def turn(self) -> Iterator[Callable[[Mapping[str, Any]], bool]]:
        """Waits for a turn and holds it. What it gives prolongs the turn and says whether it is still held.

        Raises StoreBusy when none comes. A holder that was killed is not waited for.
        """
        holder = f"{this_process()}:{threading.get_ident()}"
        self._wait(holder)
        try:
            yield lambda progress: self.leases.keep(NAME, holder, SECONDS, progress)
        finally:
            self.leases.free(NAME, holder)

    def _wait(self, holder: str) -> None:
        until = time.monotonic() + self.patience
        while not self._is_free(holder) or not self.leases.take(NAME, holder, SECONDS):
            if time.monotonic() > until:
                raise StoreBusy(f"another process consolidates since more than {self.patience:g} s")
            self.sleep(_LOOK_AGAIN)

    def _is_free(self, holder: str) -> bool:
        held = self.lease(NAME)
        if held is not None and is_gone(held.holder):
            self.leases.free(NAME, held.holder)
            return True
        # Why one's own: freeing it may have failed, with a full disk for instance.
        return held is None or held.holder == holder or held.expires_at <= self.now()
