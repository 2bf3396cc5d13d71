"""Serves the MCP protocol over stdin and stdout, one JSON message per line; ends cleanly on signals."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from queue import SimpleQueue
from threading import Lock, Semaphore, Thread
from typing import IO, Any

from holdfast.interfaces.mcp.mcp_protocol import Protocol, ProtocolError
from holdfast.interfaces.mcp.wire import SLOW, Message, answered, dumped, notification, parsed, refusal

_END_SIGNALS = (signal.SIGINT, signal.SIGTERM)
# Calls that run at the same time; further messages are read when one of these ends.
_MOST_CALLS = 32


def run(protocol: Protocol, after_first: Callable[[], None] = lambda: None) -> None:
    """Serves until stdin or a signal ends it; calls in progress are completed first.

    Runs `after_first` in a thread once the first request is answered.
    """
    inbox = _Inbox()
    outbox = _Outbox(on_close=inbox.end)
    for number in _END_SIGNALS:
        signal.signal(number, inbox.end)
    inbox.open()
    outbox.open()
    _Connection(protocol, outbox, after_first).serve(inbox)
    if outbox.is_closed:
        sys.stderr.write("holdfast: the client disconnected\n")


class _Connection:
    """Answers the messages of one client: calls of tools in threads, everything else at once."""

    def __init__(self, protocol: Protocol, outbox: _Outbox, after_first: Callable[[], None]) -> None:
        self._protocol = protocol
        self._outbox = outbox
        self._after_first: Callable[[], None] | None = after_first
        self._calls = Semaphore(_MOST_CALLS)
        self._threads: set[Thread] = set()
        # The ids of calls that are running, each with whether the client has cancelled it.
        self._running: dict[str | int, bool] = {}

    def serve(self, inbox: _Inbox) -> None:
        while (text := inbox.readline()) and not self._outbox.is_closed:
            try:
                if text.strip():
                    self._take(parsed(text))
            except ProtocolError as refused:
                self._outbox.write(refusal(refused))
        for thread in list(self._threads):
            thread.join()

    def _take(self, message: Message) -> None:
        if "method" not in message:
            return  # The answer to a request, which this server never sends.
        if "id" not in message:
            self._notice(message)
        elif message["method"] in SLOW and isinstance(message["id"], str | int):
            self._calls.acquire()
            self._running[message["id"]] = False
            self._start(lambda: self._call(message))
        else:
            self._outbox.write(answered(self._protocol, message))
            if self._after_first is not None:
                self._start(self._after_first)
                self._after_first = None

    def _start(self, work: Callable[[], None]) -> None:
        def act() -> None:
            try:
                work()
            finally:
                self._threads.discard(thread)

        thread = Thread(target=act)
        self._threads.add(thread)
        thread.start()

    def _call(self, message: Message) -> None:
        try:
            answer = answered(self._protocol, message, lambda *sent: self._outbox.write(notification(*sent)))
            if not self._running.pop(message["id"], False):
                self._outbox.write(answer)
        finally:
            self._calls.release()

    def _notice(self, message: Message) -> None:
        """Takes a notification. A cancelled call is completed, but not answered."""
        params = message.get("params")
        id = params.get("requestId") if isinstance(params, dict) else None
        if message["method"] == "notifications/cancelled" and isinstance(id, str | int) and id in self._running:
            self._running[id] = True


class _Inbox:
    """The lines of stdin, except that a signal ends them too.

    A thread blocked in a read of stdin cannot be woken, and the process would wait for it. So a daemon thread reads,
    and the server takes lines from a queue, which can be ended at any time.
    """

    def __init__(self) -> None:
        self._lines: SimpleQueue[str] = SimpleQueue()

    def open(self) -> None:
        """Takes over stdin, so that no child process can read from it, and starts reading."""
        wire = os.dup(0)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        Thread(target=self._read, args=(wire,), name="stdin", daemon=True).start()

    def readline(self) -> str:
        return self._lines.get()

    def end(self, *_: object) -> None:
        self._lines.put("")

    def _read(self, wire: int) -> None:
        with open(wire, encoding="utf-8", errors="replace", newline="\n") as lines:
            for text in lines:
                self._lines.put(text)
        self.end()


class _Outbox:
    """Writes messages to stdout, one at a time."""

    def __init__(self, on_close: Callable[[], None]) -> None:
        self._on_close = on_close
        self._lock = Lock()
        self._wire: IO[bytes] | None = None
        self.is_closed = False

    def open(self) -> None:
        """Takes over stdout: whatever else the process prints goes to stderr, not into the protocol."""
        self._wire = os.fdopen(os.dup(1), "wb", buffering=0)
        with suppress(OSError):  # There may be no stderr.
            os.dup2(2, 1)

    def write(self, message: Mapping[str, Any]) -> None:
        """Writes a message; does nothing once the client has closed its end."""
        assert self._wire is not None
        data = dumped(message) + b"\n"
        with self._lock:
            try:
                left = memoryview(data)
                while left and not self.is_closed:
                    left = left[self._wire.write(left) :]
            except (BrokenPipeError, ConnectionResetError):
                self.is_closed = True
                self._on_close()
