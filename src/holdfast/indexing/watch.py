"""Watches a folder for changed files: with `watchfiles` if it is installed, otherwise by polling."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.util import find_spec
from threading import Event

# How often the watcher looks, or returns when nothing changed.
_TICK_SECONDS = 0.1
_POLL_SECONDS = 0.5
# Polling a large project takes long; it may use this share of one processor.
_POLL_SHARE = 0.05
# An editor, a checkout or a formatter changes many files, each several times; wait until it has finished.
QUIET_SECONDS = 0.5

Snapshot = Callable[[], Mapping[str, object]]


def changes(root: str, snapshot: Snapshot, matters: Callable[[str], bool], stop: Event) -> Iterator[frozenset[str]]:
    """Yields the changed paths soon after each change, and an empty set now and then, until `stop` is set.

    Paths are relative to the root. `matters` says whether a path can matter; it is not asked when polling, where
    `snapshot` returns all files that matter with a value that reveals a change.
    """
    return _notified(root, matters, stop) if find_spec("watchfiles") else _polled(snapshot, stop)


def settled(
    batches: Iterable[frozenset[str]],
    is_busy: Callable[[], bool] = lambda: False,
    now: Callable[[], float] = time.monotonic,
) -> Iterator[frozenset[str]]:
    """Joins the changes of each burst: yields them when nothing changed for a moment and nothing `is_busy`."""
    pending: set[str] = set()
    latest = 0.0
    for batch in batches:
        if batch:
            pending |= batch
            latest = now()
        elif pending and now() - latest >= QUIET_SECONDS and not is_busy():
            yield frozenset(pending)
            pending = set()


def _notified(root: str, matters: Callable[[str], bool], stop: Event) -> Iterator[frozenset[str]]:
    from watchfiles import watch

    def inside(path: str) -> str:
        return os.path.relpath(path, root).replace(os.sep, "/")

    tick = round(_TICK_SECONDS * 1000)
    for batch in watch(
        root,
        watch_filter=lambda change, path: matters(inside(path)),
        debounce=tick,
        step=tick // 2,
        stop_event=stop,
        rust_timeout=tick,
        yield_on_timeout=True,
    ):
        yield frozenset(inside(path) for _, path in batch)


def _polled(snapshot: Snapshot, stop: Event) -> Iterator[frozenset[str]]:
    before, pause = snapshot(), _POLL_SECONDS
    while not stop.wait(pause):
        begun = time.monotonic()
        after = snapshot()
        pause = max(_POLL_SECONDS, (time.monotonic() - begun) / _POLL_SHARE)
        yield frozenset(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))
        before = after
