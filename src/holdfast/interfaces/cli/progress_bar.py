"""Shows progress bars for long work, on a terminal only."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from holdfast.core.errors import StoreError
from holdfast.interfaces.cli.terminal import clean
from holdfast.interfaces.language import number, translate

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from holdfast.workspace import Workspace

_INTERVAL_SECONDS = 0.5


@contextmanager
def progress_bar(name: str) -> Iterator[Callable[[str, int, int], None]]:
    """Yields the callback for progress: (name, done, total). Until its first call the bar has no numbers."""
    if not sys.stderr.isatty():
        yield lambda *_: None
        return
    with _bar() as bar:
        task = bar.add_task(_safe(name), total=None, count="")
        yield lambda file, done, total: _update(bar, task, file, done, total)


@contextmanager
def working(ws: Workspace) -> Iterator[None]:
    """Shows the progress of background jobs in this process, read from the record in the database."""
    if not sys.stderr.isatty():
        yield
        return
    stats = ws.stats()
    waiting = stats.waiting + stats.improvable
    stop = threading.Event()
    with _bar() as bar:
        task = bar.add_task(translate("background jobs"), total=waiting or None, count="")
        watcher = threading.Thread(target=_watch, args=(ws, bar, task, stop), daemon=True)
        watcher.start()
        try:
            yield
        finally:
            stop.set()
            watcher.join()


def _watch(ws: Workspace, bar: Progress, task: TaskID, stop: threading.Event) -> None:
    while not stop.wait(_INTERVAL_SECONDS):
        try:
            running = ws.stats().background or {}
        except StoreError:  # The jobs meet the same error and report it.
            return
        if "of" in running:
            _update(bar, task, running["job"], running["done"], running["of"])


def _update(bar: Progress, task: TaskID, name: str, done: int, total: int) -> None:
    count = f"{number(done)}/{number(total)}" if total else ""
    bar.update(task, description=_safe(name), completed=done, total=total or None, count=count)


def _bar() -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[count]}"), TimeRemainingColumn())
    return Progress(*columns, console=Console(stderr=True), transient=True)


def _safe(text: str) -> str:
    from rich.markup import escape

    return escape(clean(text))
