"""The server's side of the Model Context Protocol: which result answers which request. No input, no output.

Serves both kinds of clients: those that begin with `initialize`, and those of 2026-07-28, which send their version with
every request. Not by the SDK, whose import takes half a second (docs/decisions/0033-own-mcp-server.md).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from holdfast.core.errors import HoldfastError
from holdfast.interfaces.mcp.render import line
from holdfast.interfaces.mcp.tools import INSTRUCTIONS, Tool
from holdfast.version import __version__

if TYPE_CHECKING:
    from holdfast.workspace import Workspace

# Oldest first. A client that asks for another version is offered the last one.
HANDSHAKE_VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
VERSIONS_PER_REQUEST = ("2026-07-28",)

INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS, INTERNAL_ERROR = -32600, -32601, -32602, -32603
UNSUPPORTED_VERSION = -32022

_VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
_CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities"
_SERVER_KEY = "io.modelcontextprotocol/serverInfo"
_SERVER = {
    "name": "holdfast",
    "title": "Holdfast",
    "version": __version__,
    "description": "Long-term memory for AI agents.",
}
_CAPABILITIES = {"tools": {"listChanged": False}}
# How long a client may keep a list: not at all, because the memory types of a project may change.
_UNCACHED = {"ttlMs": 0, "cacheScope": "private"}

Result = dict[str, Any]


class ProtocolError(Exception):
    """A request that gets an error as its answer."""

    def __init__(self, code: int, message: str, data: object = None) -> None:
        super().__init__(message)
        self.error = {"code": code, "message": message} | ({} if data is None else {"data": data})


class Protocol:
    """Answers requests by calling tools. Thread-safe. `open_workspace` is called when a tool needs it."""

    def __init__(self, tools: Sequence[Tool], open_workspace: Callable[[], Workspace]) -> None:
        self._tools = {tool.name: tool for tool in tools}
        self._listed = [_listed(tool) for tool in tools]
        self._open_workspace = open_workspace

    def answer(self, method: str, params: Mapping[str, Any]) -> Result:
        """Returns the result of a request. Raises ProtocolError."""
        if _VERSION_KEY not in _meta(params) or method == "initialize":
            return self._result(method, params)
        _check_version(_meta(params))
        result = _discovered() if method == "server/discover" else self._result(method, params)
        if method in ("server/discover", "tools/list"):
            result = {**result, **_UNCACHED}
        return {**result, "resultType": "complete", "_meta": {_SERVER_KEY: _SERVER}}

    def _result(self, method: str, params: Mapping[str, Any]) -> Result:
        match method:
            case "initialize":
                return _initialized(params)
            case "ping":
                return {}
            case "tools/list":
                return {"tools": self._listed}
            case "tools/call":
                return self._called(params)
        raise ProtocolError(METHOD_NOT_FOUND, "Method not found", method)

    def _called(self, params: Mapping[str, Any]) -> Result:
        name, arguments = params.get("name"), params.get("arguments")
        if not isinstance(name, str) or not isinstance(arguments, dict | None):
            raise ProtocolError(INVALID_PARAMS, "A call needs the name of a tool and an object of arguments.")
        if name not in self._tools:
            raise ProtocolError(INVALID_PARAMS, f"There is no tool {line(name)!r}.")
        try:
            reply = self._tools[name].run(self._open_workspace, arguments or {})
        except HoldfastError as error:
            return {"content": _text(line(str(error))), "isError": True}
        return {"content": _text(reply.text), "structuredContent": dict(reply.data), "isError": False}


def _initialized(params: Mapping[str, Any]) -> Result:
    wanted = params.get("protocolVersion")
    return {
        "protocolVersion": wanted if wanted in HANDSHAKE_VERSIONS else HANDSHAKE_VERSIONS[-1],
        "capabilities": _CAPABILITIES,
        "serverInfo": _SERVER,
        "instructions": INSTRUCTIONS,
    }


def _discovered() -> Result:
    versions = list(VERSIONS_PER_REQUEST)
    return {"supportedVersions": versions, "capabilities": _CAPABILITIES, "instructions": INSTRUCTIONS}


def _meta(params: Mapping[str, Any]) -> Mapping[str, Any]:
    meta = params.get("_meta")
    return meta if isinstance(meta, dict) else {}


def _check_version(meta: Mapping[str, Any]) -> None:
    version = meta[_VERSION_KEY]
    if not isinstance(version, str) or _CAPABILITIES_KEY not in meta:
        raise ProtocolError(INVALID_PARAMS, f"_meta needs {_VERSION_KEY}, a text, and {_CAPABILITIES_KEY}.")
    if version not in VERSIONS_PER_REQUEST:
        data = {"supported": list(VERSIONS_PER_REQUEST), "requested": version}
        raise ProtocolError(UNSUPPORTED_VERSION, "Unsupported protocol version", data)


def _listed(tool: Tool) -> Result:
    hints = {
        "title": tool.title,
        "readOnlyHint": tool.read_only,
        "destructiveHint": False,
        "idempotentHint": tool.repeatable,
        "openWorldHint": False,
    }
    listed = {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": tool.input,
        "outputSchema": tool.output,
        "annotations": hints,
    }
    # Claude Code shows a model only the names of tools unless they are marked like this.
    return {**listed, "_meta": {"anthropic/alwaysLoad": True}} if tool.first else listed


def _text(text: str) -> list[Result]:
    return [{"type": "text", "text": text}]
