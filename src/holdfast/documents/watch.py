"""Watches a project for changed files: with `watchfiles` if it is installed, otherwise by polling."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from threading import Event

from holdfast.documents.rules import kind_of

_POLL_SECONDS = 1.0
# An editor, a checkout or a formatter changes many files, each several times; wait until it has finished.
_SETTLE_SECONDS = 0.6


def changes(root: str, snapshot: Callable[[], object], stop: Event) -> Iterator[None]:
    """Yields once after every burst of changes, until `stop` is set. It may yield without a change.

    When polling, two equal results of `snapshot` mean that nothing changed.
    """
    return _notified(root, stop) if find_spec("watchfiles") else _polled(snapshot, stop)


def _notified(root: str, stop: Event) -> Iterator[None]:
    from watchfiles import watch

    def matters(change: object, path: str) -> bool:
        *folders, name = os.path.relpath(path, root).split(os.sep)
        relevant = name == ".gitignore" or kind_of(name) is not None or "." not in name
        return relevant and not any(folder.startswith(".") for folder in folders)

    settle = round(_SETTLE_SECONDS * 1000)
    for _ in watch(root, watch_filter=matters, debounce=2 * settle, step=settle, stop_event=stop, rust_timeout=500):
        yield


def _polled(snapshot: Callable[[], object], stop: Event) -> Iterator[None]:
    before = snapshot()
    while not stop.wait(_POLL_SECONDS):
        after = snapshot()
        if after == before:
            continue
        while not stop.wait(_SETTLE_SECONDS) and (again := snapshot()) != after:
            after = again
        before = after
        yield
