"""HTTP connections to a server, without proxies, credentials or redirects of anyone but the caller."""

from __future__ import annotations

import selectors
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from urllib.parse import urlsplit

_CHUNK = 1 << 16


class ConnectionFailed(Exception):
    """The server could not be reached, or the connection ended too early."""


class TimedOut(ConnectionFailed):
    """The server took longer than the time-out for one step."""


class HttpConnections:
    """Keeps connections to the server of a URL open between requests. Thread-safe."""

    def __init__(self, url: str, headers: Mapping[str, str] | None = None) -> None:
        self._url = urlsplit(url)
        self._headers = dict(headers or {})
        self._idle: list[HTTPConnection] = []

    @contextmanager
    def request(
        self,
        method: str,
        target: str,
        timeout: float,
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Iterator[HTTPResponse]:
        """Sends a request and yields the response, whose body the caller reads. Raises ConnectionFailed."""
        connection = self._connection(timeout)
        try:
            with _failures():
                connection.request(method, target, body, {**self._headers, **(headers or {})})
                response = connection.getresponse()
            yield response
        except BaseException:  # Also when the person interrupts: a half-read connection is never used again.
            connection.close()
            raise
        is_read = response.isclosed() or response.length == 0
        response.close()
        if is_read and connection.sock is not None:
            self._idle.append(connection)
        else:
            connection.close()

    def close(self) -> None:
        """Closes the connections that no request uses."""
        with suppress(IndexError):
            while True:
                self._idle.pop().close()

    def _connection(self, timeout: float) -> HTTPConnection:
        with suppress(IndexError):
            while True:
                connection = self._idle.pop()
                if _is_open(connection):
                    connection.sock.settimeout(timeout)
                    return connection
                connection.close()
        with _failures():
            host, port = self._url.hostname or "", self._url.port
            if self._url.scheme == "https":
                return HTTPSConnection(host, port, timeout=timeout, context=_certificates())
            return HTTPConnection(host, port, timeout=timeout)


def chunks(response: HTTPResponse) -> Iterator[bytes]:
    """Yields the body as it arrives. Raises ConnectionFailed, also if the body ends before its announced length."""
    while True:
        with _failures():
            data = response.read1(_CHUNK)
        if not data:
            break
        yield data
    if response.length:
        raise ConnectionFailed(f"the connection ended {response.length} bytes before the end of the answer")


@contextmanager
def _failures() -> Iterator[None]:
    try:
        yield
    except TimeoutError as error:
        raise TimedOut(str(error)) from error
    except (OSError, HTTPException, UnicodeError) as error:
        raise ConnectionFailed(str(error) or type(error).__name__) from error


def _is_open(connection: HTTPConnection) -> bool:
    """Has the server left the connection open? One that it closed can be read, although nothing was asked."""
    with selectors.DefaultSelector() as selector:
        selector.register(connection.sock, selectors.EVENT_READ)
        return not selector.select(0)


@cache
def _certificates() -> ssl.SSLContext:
    # Loading the system's certificates takes 30 ms; plain http (Ollama) does not need them.
    return ssl.create_default_context()
