"""How far long work is: a bar on a terminal, nothing when nobody looks."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from holdfast.core.errors import StoreError
from holdfast.interfaces.cli.terminal import clean
from holdfast.interfaces.language import translate

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from holdfast.workspace import Workspace

_LOOK_SECONDS = 0.5


@contextmanager
def fetching(name: str) -> Iterator[Callable[[str, int, int], None]]:
    """Gives what a download reports to: (file, bytes so far, bytes in all)."""
    if not sys.stderr.isatty():
        yield lambda *_: None
        return
    with _bar() as bar:
        task = bar.add_task(_safe(name), total=None)
        yield lambda file, done, total: bar.update(task, description=_safe(file), completed=done, total=total or None)


@contextmanager
def working(ws: Workspace) -> Iterator[None]:
    """Shows how far background work is that runs in this process, by the same record others can read."""
    if not sys.stderr.isatty():
        yield
        return
    waiting = ws.stats().waiting
    stop = threading.Event()
    with _bar() as bar:
        task = bar.add_task(translate("background jobs"), total=waiting or None)
        watcher = threading.Thread(target=_watch, args=(ws, bar, task, stop), daemon=True)
        watcher.start()
        try:
            yield
        finally:
            stop.set()
            watcher.join()


def _watch(ws: Workspace, bar: Progress, task: TaskID, stop: threading.Event) -> None:
    while not stop.wait(_LOOK_SECONDS):
        try:
            running = ws.stats().background or {}
        except StoreError:  # Why let go: the work itself meets the same trouble, and tells it.
            return
        if "of" in running:
            bar.update(task, description=_safe(running["job"]), completed=running["done"], total=running["of"])


def _bar() -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=Console(stderr=True), transient=True)


def _safe(text: str) -> str:
    from rich.markup import escape

    return escape(clean(text))
