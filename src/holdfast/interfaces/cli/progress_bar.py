"""Shows progress bars for long work, on a terminal only."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from holdfast.core.errors import StoreError
from holdfast.interfaces.cli.terminal import clean, fit, width
from holdfast.interfaces.language import number, translate

if TYPE_CHECKING:
    from holdfast.workspace import Workspace

_JOB_SECONDS = 0.5
_REDRAW_SECONDS = 0.1
_BAR_COLUMNS = 16
_MAX_NAME_COLUMNS = 40
# A count of millions, the remaining time, the bar's brackets and the blanks between them.
_OTHER_COLUMNS = 36
_ERASE = "\r\x1b[2K\x1b[?25h"


@contextmanager
def progress_bar(name: str) -> Iterator[Callable[[str, int, int], None]]:
    """Yields the callback for progress: (name, done, total). Until its first call the bar has no numbers."""
    if not sys.stderr.isatty():
        yield lambda *_: None
        return
    bar = _Bar()
    bar.draw(name)
    try:
        yield bar.draw
    finally:
        bar.erase()


@contextmanager
def working(ws: Workspace) -> Iterator[None]:
    """Shows the progress of background jobs in this process, read from the record in the database."""
    if not sys.stderr.isatty():
        yield
        return
    stats = ws.stats()
    stop = threading.Event()
    with progress_bar(translate("background jobs")) as draw:
        draw(translate("background jobs"), 0, stats.waiting + stats.improvable)
        watcher = threading.Thread(target=_watch, args=(ws, draw, stop), daemon=True)
        watcher.start()
        try:
            yield
        finally:
            stop.set()
            watcher.join()


def _watch(ws: Workspace, draw: Callable[[str, int, int], None], stop: threading.Event) -> None:
    while not stop.wait(_JOB_SECONDS):
        try:
            running = ws.stats().background or {}
        except StoreError:  # The jobs meet the same error and report it.
            return
        if "of" in running:
            draw(running["job"], running["done"], running["of"])


class _Bar:
    """One line of standard error: a name, and a bar with the remaining time once a total is known."""

    def __init__(self) -> None:
        columns = os.get_terminal_size(sys.stderr.fileno()).columns or 80
        self._columns = columns
        self._name_columns = min(_MAX_NAME_COLUMNS, max(10, columns - _BAR_COLUMNS - _OTHER_COLUMNS))
        self._bar: click._termui_impl.ProgressBar[str] | None = None
        self._drawn = 0.0

    def draw(self, name: str, done: int = 0, total: int = 0) -> None:
        if not total:
            click.echo(f"{_ERASE}{fit(clean(name), self._columns - 3)} …", file=sys.stderr, nl=False)
            return
        if self._bar is None or self._bar.length != total:
            self._bar = click.progressbar(
                length=total,
                show_percent=False,
                item_show_func=lambda count: count,
                width=_BAR_COLUMNS,
                file=sys.stderr,
            )
        if done < total and time.monotonic() - self._drawn < _REDRAW_SECONDS:
            return
        self._drawn = time.monotonic()
        label = fit(clean(name), self._name_columns)
        self._bar.label = label + " " * (self._name_columns - width(label))
        self._bar.update(done - self._bar.pos, f"{number(done)}/{number(total)}")

    def erase(self) -> None:
        click.echo(_ERASE, file=sys.stderr, nl=False)
