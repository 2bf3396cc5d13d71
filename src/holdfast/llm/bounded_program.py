"""Runs a program with a text as its input, bounded in time and in what it prints. No shell reads any of it."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import IO

from holdfast.core.frozen import frozen

LARGEST_OUTPUT = 16 * 1024 * 1024
# What a program printed is complete when it ends, but a process that it left behind may keep the pipe open.
_GRACE = 1.0
_CHUNK = 1 << 16


@frozen
class FinishedProgram:
    """The exit status of a program, and what it printed on standard output and on standard error."""

    status: int
    output: str
    errors: str


def run_program(
    argv: Sequence[str], text: str, seconds: float, folder: str, environment: Mapping[str, str]
) -> FinishedProgram:
    """Runs a program in a folder until it ends.

    Raises OSError if it cannot be started, TimeoutError if it takes longer, and OverflowError if it prints more than
    LARGEST_OUTPUT. What it started ends with it, also what it left behind in its process group.
    """
    process = subprocess.Popen(
        [*argv], cwd=folder, env=dict(environment), start_new_session=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    threading.Thread(target=_write, args=(process.stdin, text.encode()), daemon=True).start()
    output, errors = _PipeReader(process.stdout), _PipeReader(process.stderr)
    try:
        status = process.wait(seconds)
        printed = output.text(), errors.text()
    except subprocess.TimeoutExpired:
        raise TimeoutError from None
    finally:
        _stop(process)
    if output.is_full:
        raise OverflowError
    return FinishedProgram(status, *printed)


class _PipeReader(threading.Thread):
    """Reads a pipe until its end, or until there is too much."""

    def __init__(self, pipe: IO[bytes]) -> None:
        super().__init__(daemon=True)
        self._pipe, self._read = pipe, bytearray()
        self.start()

    @property
    def is_full(self) -> bool:
        return len(self._read) > LARGEST_OUTPUT

    def run(self) -> None:
        # Closing the pipe ends a program that goes on printing.
        with self._pipe:
            while not self.is_full and (chunk := os.read(self._pipe.fileno(), _CHUNK)):
                self._read += chunk

    def text(self) -> str:
        """What was read when the program ended."""
        self.join(_GRACE)
        return bytes(self._read).decode(errors="replace")


def _write(pipe: IO[bytes], text: bytes) -> None:
    with suppress(OSError), pipe:  # A program may end, or answer, without reading everything.
        pipe.write(text)


def _stop(process: subprocess.Popen[bytes]) -> None:
    """Ends a program, if it still runs, and the processes of its group."""
    if os.name == "posix":
        # Nothing is left as a rule. No other group can get the number while a process of this one lives.
        with suppress(ProcessLookupError, PermissionError):  # macOS refuses to end what has ended.
            os.killpg(process.pid, signal.SIGKILL)
    elif process.poll() is None:  # pragma: no cover # the tests run on the other branch
        tree = ["taskkill", "/T", "/F", "/PID", str(process.pid)]
        subprocess.run(tree, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    process.wait()
