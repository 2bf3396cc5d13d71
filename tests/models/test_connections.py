"""HttpConnections to a server are reused while it leaves them open."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import closing

import pytest

from holdfast.models.http_connections import ConnectionFailed, HttpConnections, TimedOut, chunks

ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


class RawServer:
    """Answers every request of each connection with the same bytes; closes a connection after `per_connection`."""

    def __init__(self, answer: bytes, per_connection: int = 100) -> None:
        self.answer, self.per_connection, self.accepted = answer, per_connection, 0
        self.closed = threading.Event()
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        self._socket.close()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            self.accepted += 1
            with connection:
                for _ in range(self.per_connection):
                    if not connection.recv(65536):
                        break
                    connection.sendall(self.answer)
            self.closed.set()


@pytest.fixture
def server(request: pytest.FixtureRequest) -> Iterator[RawServer]:
    with closing(RawServer(*getattr(request, "param", (ANSWER,)))) as made:
        yield made


def get(client: HttpConnections, timeout: float = 5) -> bytes:
    with client.request("GET", "/", timeout) as response:
        return b"".join(chunks(response))


def test_a_connection_is_used_again(server: RawServer) -> None:
    with closing(HttpConnections(server.url)) as client:
        assert [get(client), get(client), get(client)] == [b"ok"] * 3
    assert server.accepted == 1


@pytest.mark.parametrize("server", [(ANSWER, 1)], indirect=True)
def test_a_connection_that_the_server_closed_is_not(server: RawServer) -> None:
    with closing(HttpConnections(server.url)) as client:
        assert get(client) == b"ok"
        assert server.closed.wait(5)
        assert get(client) == b"ok"
    assert server.accepted == 2


@pytest.mark.parametrize(
    ("server", "message"),
    [
        ((b"", 1), "without response"),
        ((b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok", 1), "7 bytes before the end"),
        ((b"nonsense\r\n\r\n", 1), "nonsense"),
    ],
    indirect=["server"],
)
def test_an_answer_that_breaks_off_is_an_error(server: RawServer, message: str) -> None:
    with closing(HttpConnections(server.url)) as client, pytest.raises(ConnectionFailed, match=message):
        get(client)


@pytest.mark.parametrize("server", [(b"",)], indirect=True)
def test_a_server_that_says_nothing_takes_too_long(server: RawServer) -> None:
    with closing(HttpConnections(server.url)) as client, pytest.raises(TimedOut):
        get(client, timeout=0.05)


def test_what_the_caller_does_with_an_answer_is_not_an_error_of_the_server(server: RawServer) -> None:
    with closing(HttpConnections(server.url)) as client:
        with pytest.raises(OSError, match="disk"), client.request("GET", "/", 5):
            raise OSError("disk")
        assert get(client) == b"ok"


@pytest.mark.parametrize("url", ["http://127.0.0.1:1", "http://nobody.invalid", "http://" + "a" * 70 + ".invalid"])
def test_a_server_that_is_not_there_is_an_error(url: str) -> None:
    with closing(HttpConnections(url)) as client, pytest.raises(ConnectionFailed):
        get(client)
