"""Serves the MCP protocol over streamable HTTP: one path, one token, loopback unless another host is given.

Each request is answered on its own; there are no sessions to keep. Progress turns the answer into an event stream.
"""

from __future__ import annotations

import hmac
import signal
import socket
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

from holdfast.core.errors import InvalidInput
from holdfast.interfaces.mcp.http_headers import check_headers
from holdfast.interfaces.mcp.mcp_protocol import INTERNAL_ERROR, METHOD_NOT_FOUND, VERSION_KEY, Protocol, ProtocolError
from holdfast.interfaces.mcp.wire import Message, answered, dumped, notification, parsed, refusal

PATH = "/mcp"
_LOOPBACK = ("127.0.0.1", "::1", "localhost")
_LARGEST_REQUEST = 4_000_000
_LONGEST_NUMBER = 20
_SECONDS_TO_READ = 30


def run(protocol: Protocol, host: str, port: int, token: str | None, ready: Callable[[str], None]) -> None:
    """Serves until SIGINT or SIGTERM; calls in progress are completed first. `ready` gets the address."""
    server = create(protocol, host, port, token)
    for number in (signal.SIGINT, signal.SIGTERM):
        # In a thread: `shutdown` waits for the loop that this handler interrupts.
        signal.signal(number, lambda *_: Thread(target=server.shutdown).start())
    ready(server.address)
    with server:
        server.serve_forever(poll_interval=0.1)


def create(protocol: Protocol, host: str, port: int, token: str | None) -> McpHttpServer:
    """Returns a server that listens. Without a token, everyone who reaches it may use it: for tests only."""
    try:
        return McpHttpServer(protocol, host, port, token)
    except (OSError, OverflowError) as error:
        raise InvalidInput(
            f"cannot listen on {host}:{port}: {error}", hint="Choose another --host or --port."
        ) from None


class McpHttpServer(ThreadingHTTPServer):
    """Answers each connection in a thread. `port` 0 chooses a free one."""

    daemon_threads = False

    def __init__(self, protocol: Protocol, host: str, port: int, token: str | None) -> None:
        self.protocol = protocol
        self.token = token
        self.is_local = host in _LOOPBACK
        self.host = host
        # Connections whose next request has not arrived completely, and since when.
        self._awaited: dict[socket.socket, float] = {}
        self._is_closing = False
        self.address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
        super().__init__((host, port), _Handler)

    @property
    def address(self) -> str:
        """The address that a client needs."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.server_port}{PATH}"

    def awaits(self, connection: socket.socket) -> None:
        """Notes that the next request of a connection is awaited, for a limited time and while the server runs."""
        self._awaited[connection] = time.monotonic()
        if self._is_closing:
            _cut(connection)

    def has_all(self, connection: socket.socket) -> None:
        """Notes that a request has arrived: its call is completed even if the server ends."""
        self._awaited.pop(connection, None)

    def service_actions(self) -> None:
        """Cuts off clients that send too slowly; each byte would prolong a timeout of the connection."""
        for connection, since in list(self._awaited.items()):
            if time.monotonic() - since > _SECONDS_TO_READ:
                _cut(connection)

    def server_close(self) -> None:
        """Cuts off connections without a complete request; waits for the calls of the others."""
        self._is_closing = True
        for connection in list(self._awaited):
            _cut(connection)
        super().server_close()

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignores a client that disconnects; reports other failures in one line."""
        error = sys.exc_info()[1]
        if not isinstance(error, ConnectionError | TimeoutError):
            sys.stderr.write(f"holdfast: internal error ({type(error).__name__}: {error})\n")


class _Handler(BaseHTTPRequestHandler):
    """Answers the requests of one connection."""

    server: McpHttpServer
    protocol_version = "HTTP/1.1"
    server_version = "holdfast"
    sys_version = ""
    timeout = _SECONDS_TO_READ
    _events = False

    def handle_one_request(self) -> None:
        self.server.awaits(self.connection)
        try:
            super().handle_one_request()
        finally:
            self.server.has_all(self.connection)

    def do_POST(self) -> None:
        body = self._checked_body()
        if body is None:
            return
        self.server.has_all(self.connection)
        try:
            message = parsed(body.decode("utf-8", "replace"))
            check_headers(self.headers, message)
        except ProtocolError as refused:
            self._reply(HTTPStatus.BAD_REQUEST, refusal(refused, _id(body)))
            return
        if "method" not in message or "id" not in message:
            self._empty(HTTPStatus.ACCEPTED)
            return
        answer = answered(self.server.protocol, message, self._notify)
        if self._events:
            self._event(answer)
        else:
            self._reply(_status(message, answer), answer)

    def do_GET(self) -> None:
        # There is no stream of messages that nobody asked for.
        if self._is_permitted():
            self._empty(HTTPStatus.METHOD_NOT_ALLOWED, Allow="POST")

    def do_DELETE(self) -> None:
        self.do_GET()  # There are no sessions to end.

    def log_message(self, *_: object) -> None:
        """Writes no log: it would name what was asked."""

    def _checked_body(self) -> bytes | None:
        """Returns the body of a request that may be answered; else answers why not."""
        if not self._is_permitted():
            return None
        length = self.headers.get("Content-Length", "")
        if not length.isascii() or not length.isdigit():
            self._empty(HTTPStatus.LENGTH_REQUIRED)
        elif len(length) > _LONGEST_NUMBER:  # Python reads numbers of a few thousand digits only.
            self._empty(HTTPStatus.BAD_REQUEST)
        elif int(length) > _LARGEST_REQUEST:
            self._empty(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        else:
            body = self.rfile.read(int(length))
            if len(body) == int(length):
                return body
            self.close_connection = True  # The client has gone, or was cut off.
        return None

    def _is_permitted(self) -> bool:
        refused = self._why_refused()
        if refused is not None:
            self._empty(refused, **({"WWW-Authenticate": "Bearer"} if refused == HTTPStatus.UNAUTHORIZED else {}))
        return refused is None

    def _why_refused(self) -> HTTPStatus | None:
        try:
            is_own = _is_own(self.headers.get("Host"), self.headers.get("Origin"), local=self.server.is_local)
            is_path = urlsplit(self.path).path == PATH
        except ValueError:  # An address such as http://[
            return HTTPStatus.BAD_REQUEST
        if not is_own:
            return HTTPStatus.FORBIDDEN
        if not self._has_token():
            return HTTPStatus.UNAUTHORIZED
        return None if is_path else HTTPStatus.NOT_FOUND

    def _has_token(self) -> bool:
        if self.server.token is None:
            return True
        kind, _, given = self.headers.get("Authorization", "").partition(" ")
        return kind.lower() == "bearer" and hmac.compare_digest(given.strip().encode(), self.server.token.encode())

    def _notify(self, method: str, params: Mapping[str, Any]) -> None:
        """Sends a notification, if the client reads event streams: the first one opens the stream."""
        if "text/event-stream" in self.headers.get("Accept", ""):
            if not self._events:
                self._events = self.close_connection = True
                self._begin(HTTPStatus.OK, {"Content-Type": "text/event-stream", "Connection": "close"})
            self._event(notification(method, params))

    def _event(self, message: Message) -> None:
        with suppress(ConnectionError):  # The call is completed even if nobody waits for it.
            self.wfile.write(b"event: message\ndata: " + dumped(message) + b"\n\n")

    def _reply(self, status: HTTPStatus, answer: Message) -> None:
        data = dumped(answer)
        self._begin(status, {"Content-Type": "application/json", "Content-Length": str(len(data))})
        self.wfile.write(data)

    def _empty(self, status: HTTPStatus, **headers: str) -> None:
        # The body of a refused request is not read, so that the connection cannot be used again.
        self.close_connection = True
        self._begin(status, {"Content-Length": "0", "Connection": "close", **headers})

    def _begin(self, status: HTTPStatus, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in {**headers, "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}.items():
            self.send_header(name, value)
        self.end_headers()


def _cut(connection: socket.socket) -> None:
    """Ends a connection for its thread, which then reads the end of what was sent."""
    with suppress(OSError):  # It has ended.
        connection.shutdown(socket.SHUT_RDWR)


def _is_own(host: str | None, origin: str | None, *, local: bool) -> bool:
    """Does a request come from a program, or from a page of this server? Pages of other sites may not use it.

    A local server accepts only local names, so that a foreign name that resolves to this machine is refused.
    """
    name = urlsplit(f"//{host or ''}").hostname
    if local and name not in _LOOPBACK:
        return False
    return origin is None or urlsplit(origin).hostname in ((name, *_LOOPBACK) if local else (name,))


def _status(message: Message, answer: Message) -> HTTPStatus:
    """The status of an answer: older clients expect 200 with every error."""
    params = message.get("params")
    meta = params.get("_meta") if isinstance(params, dict) else None
    code = answer.get("error", {}).get("code")
    if code is None or not isinstance(meta, dict) or VERSION_KEY not in meta or code == INTERNAL_ERROR:
        return HTTPStatus.OK
    return HTTPStatus.NOT_FOUND if code == METHOD_NOT_FOUND else HTTPStatus.BAD_REQUEST


def _id(body: bytes) -> object:
    """The id of a refused request, if it can be read."""
    with suppress(ProtocolError):
        return parsed(body.decode("utf-8", "replace")).get("id")
    return None
