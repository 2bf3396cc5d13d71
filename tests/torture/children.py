"""Child processes that work on a store and report each acknowledged write through a pipe."""

from __future__ import annotations

import json
import os
import signal
import sys
import traceback
from collections.abc import Callable
from typing import Any, NoReturn

import pytest

Report = Callable[[Any], None]
# Forking is safe here: the children use nothing that the parent's threads could hold.
forks = pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")


class Child:
    """A forked process that runs `work` and reports as it goes."""

    def __init__(self, work: Callable[[Report], None]) -> None:
        reading, writing = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(reading)
            _run(work, writing)
        os.close(writing)
        self._pipe = os.fdopen(reading, encoding="utf-8")

    def first_report_into(self, value: list[Any]) -> None:
        """Waits for one report and adds it."""
        line = self._pipe.readline()
        assert line, "the process ended without a report"
        value.append(json.loads(line))

    def kill(self) -> None:
        os.kill(self.pid, signal.SIGKILL)

    def end(self) -> tuple[int, list[Any]]:
        """Waits for the end; returns the exit code (negative for the signal that ended it) and the reports."""
        with self._pipe:
            reports = [json.loads(line) for line in self._pipe]
        _, status = os.waitpid(self.pid, 0)
        return os.waitstatus_to_exitcode(status), reports


def _run(work: Callable[[Report], None], pipe: int) -> NoReturn:
    # In one write: a pipe transfers up to 4 kB whole or not at all, even if the process is killed.
    try:
        work(lambda value: _write(pipe, value))
    except BaseException:
        traceback.print_exc(file=sys.__stderr__)
        os._exit(1)
    os._exit(0)


def _write(pipe: int, value: Any) -> None:
    os.write(pipe, (json.dumps(value) + "\n").encode())
