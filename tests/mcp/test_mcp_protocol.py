"""The protocol, message by message: versions, refusals, cancelled calls and what reaches stdout."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import holdfast
from holdfast.core.memory_types import TypeRegistry
from holdfast.interfaces.mcp.mcp_protocol import Protocol, ProtocolError
from holdfast.interfaces.mcp.tools import tools

from .test_mcp_server import SERVE, ask, bare_process

VERSION = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"


def no_workspace() -> Any:
    raise AssertionError("no request of this test needs the store")


PROTOCOL = Protocol(tools(TypeRegistry()), no_workspace)


def refusal(method: str, **params: Any) -> dict[str, Any]:
    with pytest.raises(ProtocolError) as refused:
        PROTOCOL.answer(method, params)
    return refused.value.error


@pytest.mark.parametrize(
    ("wanted", "offered"), [("2024-11-05", "2024-11-05"), ("2030-01-01", "2025-11-25"), (7, "2025-11-25")]
)
def test_a_version_that_both_speak_is_offered(wanted: object, offered: str) -> None:
    assert PROTOCOL.answer("initialize", {"protocolVersion": wanted})["protocolVersion"] == offered


def test_a_client_can_send_its_version_with_every_request() -> None:
    meta = {VERSION: "2026-07-28", CAPABILITIES: {}}
    for method in ("server/discover", "tools/list", "ping"):
        result = PROTOCOL.answer(method, {"_meta": meta})
        assert result["resultType"] == "complete"
        assert result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "holdfast"
    assert PROTOCOL.answer("server/discover", {"_meta": meta})["supportedVersions"] == ["2026-07-28"]


def test_a_version_with_every_request_must_be_known() -> None:
    unknown = refusal("tools/list", _meta={VERSION: "2031-01-01", CAPABILITIES: {}})
    assert (unknown["code"], unknown["data"]) == (-32022, {"supported": ["2026-07-28"], "requested": "2031-01-01"})
    assert refusal("tools/list", _meta={VERSION: 7, CAPABILITIES: {}})["code"] == -32602
    assert refusal("tools/list", _meta={VERSION: "2026-07-28"})["code"] == -32602


def test_an_unknown_method_is_named() -> None:
    assert refusal("tasks/list") == {"code": -32601, "message": "Method not found", "data": "tasks/list"}
    assert refusal("server/discover")["code"] == -32601


@pytest.mark.parametrize("params", [{}, {"name": 1}, {"name": "memory_stats", "arguments": [1]}, {"name": "erase"}])
def test_a_call_needs_a_tool_and_arguments(params: dict[str, Any]) -> None:
    assert refusal("tools/call", **params)["code"] == -32602


# -- in a process of its own ----------------------------------------------------------------------------------------


def answers(process: Any, *messages: Any) -> list[Any]:
    """Everything the server says to these messages."""
    lines = [message if isinstance(message, str) else json.dumps(message) for message in messages]
    said, complaints = process.communicate("".join(f"{line}\n" for line in lines), timeout=20)
    assert complaints == ""
    return [json.loads(line) for line in said.splitlines()]


def call(id: object, text: str) -> dict[str, Any]:
    return {"id": id, "method": "tools/call", "params": {"name": "remember", "arguments": {"text": text}}}


@pytest.mark.program
def test_what_is_no_request_is_refused_or_ignored(tmp_path: Path) -> None:
    ignored = ("  ", {"id": 9, "result": {}}, {"method": "notifications/unknown"})
    garbled = ("no JSON", "[]", "[" * 100_000, "null")
    refused = ({"id": 5, "method": "ping", "params": [1]}, {"id": [6], "method": "ping"}, {"id": 7, "method": 8})
    with bare_process(tmp_path) as process:
        said = answers(process, *ignored, *garbled, *refused, {"id": "x", "method": "ping"})
    assert [answer["id"] for answer in said] == [None] * 4 + [5, [6], 7, "x"]
    assert [answer["error"]["code"] for answer in said[:4]] == [-32700, -32600, -32700, -32600]
    assert [answer["error"]["code"] for answer in said[4:7]] == [-32600] * 3
    assert said[7] == {"jsonrpc": "2.0", "id": "x", "result": {}}


@pytest.mark.program
def test_a_cancelled_call_is_completed_but_not_answered(tmp_path: Path) -> None:
    cancelled = {"method": "notifications/cancelled", "params": {"requestId": 1}}
    unknown = {"method": "notifications/cancelled", "params": {"requestId": "unknown"}}
    with bare_process(tmp_path) as process:
        assert answers(process, unknown, call(1, "The sluice closes at dusk."), cancelled) == []
    with holdfast.open(str(tmp_path / "memory.db"), str(tmp_path / "project"), embedder="none") as ws:
        assert ws.count() == 1


@pytest.mark.program
def test_all_calls_are_answered_before_the_server_ends(tmp_path: Path) -> None:
    calls = [call(number, f"Buoy {number} was painted {'ab' * number}c in May.") for number in range(40)]
    with bare_process(tmp_path) as process:
        said = answers(process, *calls)
    assert sorted(answer["id"] for answer in said) == list(range(40))
    assert [answer for answer in said if answer["result"]["isError"]] == []


@pytest.mark.program
def test_an_unexpected_failure_is_answered_and_the_server_continues(tmp_path: Path) -> None:
    broken = "from holdfast.interfaces.mcp import calls\ndef stats(*given): raise RuntimeError('torn')\n"
    with bare_process(tmp_path, f"{broken}calls.stats = stats\n{SERVE}") as process:
        ask(process, 1, "tools/call", name="memory_stats", arguments={})
        assert json.loads(process.stdout.readline())["error"] == {"code": -32603, "message": "Internal error"}
        ask(process, 2, "ping")
        assert json.loads(process.stdout.readline())["result"] == {}
        process.stdin.close()
        assert process.stderr.read() == "holdfast: internal error (RuntimeError: torn)\n"


@pytest.mark.program
def test_what_the_process_prints_does_not_reach_the_client(tmp_path: Path) -> None:
    noisy = "from holdfast.interfaces.mcp import calls\nown = calls.stats\n"
    noisy += "def stats(*given):\n    print('noise')\n    return own(*given)\n"
    with bare_process(tmp_path, f"{noisy}calls.stats = stats\n{SERVE}") as process:
        ask(process, 1, "tools/call", name="memory_stats", arguments={})
        said, noise = process.communicate(timeout=20)
    assert [json.loads(line)["id"] for line in said.splitlines()] == [1]
    assert noise == "noise\n"
