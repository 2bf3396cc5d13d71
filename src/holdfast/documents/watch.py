"""Tells when files of a project may have changed: by the system's word where `watchfiles` is there, else by looking."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from threading import Event

from holdfast.documents.rules import kind_of

_LOOK_SECONDS = 1.0
# Why wait: an editor, a checkout and a formatter touch many files, each several times.
_SETTLE_SECONDS = 0.6


def changes(root: str, look: Callable[[], object], stop: Event) -> Iterator[None]:
    """Yields once for every burst of changes, when it is over, until `stop` is set.

    `look` is asked, now and then, for what equals itself while nothing changed. It may yield once too often.
    """
    return _told(root, stop) if find_spec("watchfiles") else _looked(look, stop)


def _told(root: str, stop: Event) -> Iterator[None]:
    from watchfiles import watch

    def matters(change: object, path: str) -> bool:
        *folders, name = os.path.relpath(path, root).split(os.sep)
        told_of = name == ".gitignore" or kind_of(name) is not None or "." not in name
        return told_of and not any(folder.startswith(".") for folder in folders)

    settle = round(_SETTLE_SECONDS * 1000)
    for _ in watch(root, watch_filter=matters, debounce=2 * settle, step=settle, stop_event=stop, rust_timeout=500):
        yield


def _looked(look: Callable[[], object], stop: Event) -> Iterator[None]:
    before = look()
    while not stop.wait(_LOOK_SECONDS):
        after = look()
        if after == before:
            continue
        while not stop.wait(_SETTLE_SECONDS) and (again := look()) != after:
            after = again
        before = after
        yield
