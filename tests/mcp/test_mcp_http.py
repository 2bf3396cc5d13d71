"""The server over HTTP: the SDK's client in both eras of the protocol, the token, and requests that are refused."""

from __future__ import annotations

import http.client
import json
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from holdfast import Workspace
from holdfast.core.errors import InvalidFile, InvalidInput
from holdfast.core.memory_types import TypeRegistry
from holdfast.interfaces.mcp import http_server
from holdfast.interfaces.mcp.access_token import read_or_create
from holdfast.interfaces.mcp.http_server import McpHttpServer, create
from holdfast.interfaces.mcp.mcp_protocol import Protocol
from holdfast.interfaces.mcp.tools import tools
from tests.mcp.http_servers import TOKEN, serving

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
BEARER = {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture
def server(ws: Workspace) -> Iterator[McpHttpServer]:
    with serving(ws) as running:
        yield running


def post(server: McpHttpServer, body: Any, headers: Mapping[str, str] = BEARER, path: str = "/mcp") -> tuple[int, Any]:
    """The status and the answer to a request."""
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=10)
    text = body if isinstance(body, str | bytes) else json.dumps(body)
    connection.request("POST", path, text, {"Content-Type": "application/json", **headers})
    response = connection.getresponse()
    data = response.read()
    connection.close()
    return response.status, json.loads(data) if data else None


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_sdks_client_remembers_searches_and_sees_progress(server, project: Path, mode: str) -> None:
    (project / "docs").mkdir()
    for number in range(4):
        (project / "docs" / f"{number}.md").write_text(f"# Chart {number}\n\nDepth {number}.\n", encoding="utf-8")
    seen: list[float | None] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        seen.append(total)

    async def use() -> tuple[str, Any, Any]:
        async with (
            httpx2.AsyncClient(headers=BEARER, timeout=30) as http_client,
            Client(streamable_http_client(server.address, http_client=http_client), mode=mode) as client,
        ):
            await client.call_tool("remember", {"text": "The mast is forty feet high."})
            found = await client.call_tool("search_memory", {"query": "how high is the mast?"})
            indexed = await client.call_tool("index_project", {}, progress_callback=note)
            return client.protocol_version, found, indexed

    version, found, indexed = anyio.run(use)
    assert (version < "2026") == (mode == "legacy")
    assert "> The mast is forty feet high." in found.structured_content["text"]
    assert indexed.structured_content["added"] == 4
    assert set(seen) == {4}


@pytest.mark.parametrize(
    "headers",
    [{}, {"Authorization": "Bearer wrong"}, {"Authorization": TOKEN}, {"Authorization": f"Basic {TOKEN}"}],
)
def test_a_request_without_the_token_is_refused(server, headers: dict[str, str]) -> None:
    assert post(server, PING, headers) == (401, None)
    assert post(server, PING) == (200, {"jsonrpc": "2.0", "id": 1, "result": {}})


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "evil.example:80"},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Host": "127.0.0.1.evil.example"},
    ],
)
def test_a_page_of_another_site_is_refused_even_with_the_token(server, headers: dict[str, str]) -> None:
    assert post(server, PING, {**BEARER, **headers}) == (403, None)


@pytest.mark.parametrize("headers", [{"Host": "["}, {"Origin": "http://["}, {"Content-Length": "9" * 5000}])
def test_malformed_addresses_and_lengths_are_answered(server, capsys, headers: dict[str, str]) -> None:
    assert post(server, PING, {**BEARER, **headers}) == (400, None)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("number", ["NaN", "-Infinity", "1e400"])
def test_a_number_that_json_does_not_have_is_never_repeated(server, number: str) -> None:
    status, answer = post(server, f'{{"jsonrpc": "2.0", "id": {number}, "method": "ping"}}')
    assert (status, answer["error"]["code"], answer["id"]) == (400, -32700, None)


def test_it_listens_on_ipv6(ws: Workspace) -> None:
    if not socket.has_ipv6:  # pragma: no cover
        pytest.skip("no IPv6")
    server = create(Protocol((), lambda: ws), "::1", 0, TOKEN)
    with server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        connection = http.client.HTTPConnection("::1", server.server_port, timeout=10)
        connection.request("POST", "/mcp", json.dumps(PING), BEARER)
        assert connection.getresponse().status == 200
        connection.close()
        server.shutdown()
        thread.join()
    assert server.address == f"http://[::1]:{server.server_port}/mcp"


HALVES = {
    "nothing": b"",
    "half a header": b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ",
    "half a body": (
        b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 90\r\nAuthorization: Bearer %s\r\n\r\n{"
        % TOKEN.encode()
    ),
}


@pytest.mark.parametrize("half", HALVES.values(), ids=HALVES)
def test_a_client_that_never_finishes_its_request_keeps_no_server_from_ending(ws: Workspace, half: bytes) -> None:
    ended = Event()

    def drip(connection: socket.socket) -> None:
        with suppress(OSError):
            connection.sendall(half)
            while not ended.wait(0.05):
                connection.sendall(b"y")

    with serving(ws) as server:
        connection = socket.create_connection(("127.0.0.1", server.server_port))
        dripping = Thread(target=drip, args=(connection,), daemon=True)
        dripping.start()
        assert post(server, PING)[0] == 200, "others are answered meanwhile"
    ended.set()  # Leaving the block waited for every thread of the server.
    dripping.join()
    connection.close()


def test_a_client_that_sends_too_slowly_is_cut_off(server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_server, "_SECONDS_TO_READ", 0)
    with socket.create_connection(("127.0.0.1", server.server_port), timeout=20) as connection:
        connection.sendall(HALVES["half a header"])
        with suppress(ConnectionError):
            assert connection.recv(1000) == b"", "the server ends the connection without an answer"


def test_a_call_in_progress_is_completed_when_the_server_ends(ws: Workspace) -> None:
    began, go_on = Event(), Event()

    def wait(*_: Any) -> Any:
        began.set()
        go_on.wait(20)
        return ws

    server = create(Protocol(tools(TypeRegistry()), wait), "127.0.0.1", 0, TOKEN)
    with ThreadPoolExecutor() as pool:
        pool.submit(server.serve_forever, 0.01)
        call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
        answer = pool.submit(post, server, {**call, "params": {"name": "memory_stats", "arguments": {}}})
        began.wait(20)
        server.shutdown()
        closed = pool.submit(server.server_close)
        go_on.set()
        assert answer.result()[0] == 200
        closed.result()


def test_a_local_page_is_allowed(server) -> None:
    assert post(server, PING, {**BEARER, "Origin": "http://localhost:3000", "Host": "localhost"})[0] == 200


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ("no JSON", 400, -32700),
        (b"\xff\xfe", 400, -32700),
        ("[" * 100_000, 400, -32700),
        ([PING], 400, -32600),
        ({"jsonrpc": "2.0", "id": 1, "method": "tasks/list"}, 200, -32601),
        ({"jsonrpc": "2.0", "id": {"a": 1}, "method": "ping"}, 200, -32600),
    ],
)
def test_what_is_no_request_is_refused(server, body: Any, status: int, code: int) -> None:
    answered, answer = post(server, body)
    assert (answered, answer["error"]["code"]) == (status, code)


def test_other_paths_methods_and_sizes_are_refused(server) -> None:
    assert post(server, PING, path="/") == (404, None)
    assert post(server, b"", {**BEARER, "Content-Length": "99999999"}) == (413, None)
    assert post(server, b"", {**BEARER, "Content-Length": "-5"}) == (411, None)
    assert post(server, PING, {**BEARER, "MCP-Protocol-Version": "1999-01-01"})[0] == 400
    for method in ("GET", "DELETE"):
        connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=10)
        connection.request(method, "/mcp", headers=BEARER)
        assert connection.getresponse().status == 405
        connection.close()


def test_a_notification_is_accepted_without_an_answer(server) -> None:
    assert post(server, {"jsonrpc": "2.0", "method": "notifications/initialized"}) == (202, None)


def test_an_address_in_use_is_explained(server) -> None:
    with pytest.raises(InvalidInput, match="cannot listen on"):
        create(server.protocol, "127.0.0.1", server.server_port, TOKEN)


def test_the_token_is_made_once_for_the_user_only(tmp_path: Path) -> None:
    file = tmp_path / "new" / "mcp-token"
    token = read_or_create(file)
    assert len(token) >= 40
    assert read_or_create(file) == token
    assert file.stat().st_mode & 0o777 == 0o600
    file.write_text("short\n", encoding="ascii")
    with pytest.raises(InvalidFile, match="no token"):
        read_or_create(file)


@pytest.mark.program
def test_the_command_listens_on_loopback_with_a_token_in_a_file_and_ends_on_a_signal(tmp_path: Path) -> None:
    arguments = ["mcp", "--http", "--port", "0", "--db", str(tmp_path / "m.db"), "--project", str(tmp_path)]
    with subprocess.Popen(
        [sys.executable, "-m", "holdfast", *arguments], stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stderr is not None
        said = process.stderr.readline()
        token_file = said.rpartition(" in ")[2].strip().rstrip(".")
        port = int(said.split("http://127.0.0.1:")[1].split("/")[0])
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        headers = {"Authorization": f"Bearer {Path(token_file).read_text(encoding='ascii').strip()}"}
        connection.request("POST", "/mcp", json.dumps(PING), headers)
        assert connection.getresponse().status == 200
        connection.close()
        process.terminate()
        assert process.wait(timeout=30) == 0
        assert process.stderr.read() == ""
