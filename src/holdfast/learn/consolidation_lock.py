"""A lock for consolidation: one thread of one process consolidates at a time, the others wait."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from holdfast.core.errors import StoreBusy
from holdfast.core.frozen import frozen
from holdfast.system.kept_lease import kept
from holdfast.system.lease_holder import is_gone, this_process

if TYPE_CHECKING:
    from datetime import datetime

    from holdfast.store.reading import Lease

NAME = "consolidate"
SECONDS = 120.0
_POLL_SECONDS = 0.05


class LeaseStore(Protocol):
    """The part of the store that the lock needs."""

    def take(self, name: str, holder: str, seconds: float) -> bool: ...
    def keep(self, name: str, holder: str, seconds: float, progress: Mapping[str, Any]) -> bool: ...
    def free(self, name: str, holder: str) -> None: ...


@frozen
class ConsolidationLock:
    """The lock. `lease` reads the current holder; `patience` is the longest wait in seconds."""

    leases: LeaseStore
    lease: Callable[[str], Lease | None]
    now: Callable[[], datetime]
    patience: float = 600.0
    sleep: Callable[[float], None] = time.sleep

    @contextlib.contextmanager
    def acquire(self) -> Iterator[Callable[[Mapping[str, Any]], bool]]:
        """Waits for the lock and holds it; yields a function that extends the lease and returns whether it is held.

        Raises StoreBusy after `patience` seconds. The lock of a killed process is taken over at once.
        """
        holder = f"{this_process()}:{threading.get_ident()}"
        self._wait(holder)
        try:
            with kept(lambda progress: self.leases.keep(NAME, holder, SECONDS, progress), SECONDS) as keep:
                yield keep
        finally:
            self.leases.free(NAME, holder)

    def _wait(self, holder: str) -> None:
        deadline = time.monotonic() + self.patience
        while not self._is_free(holder) or not self.leases.take(NAME, holder, SECONDS):
            if time.monotonic() > deadline:
                raise StoreBusy(f"another process has been consolidating for more than {self.patience:g} s")
            self.sleep(_POLL_SECONDS)

    def _is_free(self, holder: str) -> bool:
        held = self.lease(NAME)
        if held is not None and is_gone(held.holder):
            self.leases.free(NAME, held.holder)
            return True
        # The lease may still be this holder's own: freeing it may have failed, for instance with a full disk.
        return held is None or held.holder == holder or held.expires_at <= self.now()
