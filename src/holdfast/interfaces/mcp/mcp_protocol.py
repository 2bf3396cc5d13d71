"""The server's side of the Model Context Protocol: which result answers which request. No input, no output.

Serves both kinds of clients: those that begin with `initialize`, and those of 2026-07-28, which send their version with
every request. Not by the SDK, whose import takes half a second (docs/decisions/0033-own-mcp-server.md).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from holdfast.core.errors import HoldfastError, NotFound
from holdfast.interfaces.mcp.plain import line
from holdfast.interfaces.mcp.problem import problem
from holdfast.interfaces.mcp.prompts import PROMPTS, Prompt
from holdfast.interfaces.mcp.resources import RESOURCES, Resources
from holdfast.interfaces.mcp.schemas import for_models
from holdfast.interfaces.mcp.tools import INSTRUCTIONS
from holdfast.version import __version__

if TYPE_CHECKING:
    from holdfast.interfaces.mcp.tool import ReportProgress, Tool
    from holdfast.workspace import Workspace

# Oldest first. A client that asks for another version is offered the last one.
HANDSHAKE_VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
VERSIONS_PER_REQUEST = ("2026-07-28",)
VERSION_KEY = "io.modelcontextprotocol/protocolVersion"

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS = -32700, -32600, -32601, -32602
INTERNAL_ERROR, RESOURCE_NOT_FOUND, HEADER_MISMATCH, UNSUPPORTED_VERSION = -32603, -32002, -32020, -32022

_CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities"
_SERVER_KEY = "io.modelcontextprotocol/serverInfo"
_SERVER = {
    "name": "holdfast",
    "title": "Holdfast",
    "version": __version__,
    "description": "Long-term memory for AI agents.",
}
_CAPABILITIES: dict[str, Any] = {
    "tools": {"listChanged": False},
    "resources": {"listChanged": False, "subscribe": False},
    "prompts": {"listChanged": False},
    "completions": {},
}
# How long a client may keep a result: not at all, because memories and their types may change at any time.
_UNCACHED = {"ttlMs": 0, "cacheScope": "private"}
_CACHEABLE = (
    *("server/discover", "tools/list", "prompts/list", "resources/list", "resources/templates/list"),
    "resources/read",
)
_MOST_COMPLETIONS = 20

Result = dict[str, Any]
# Sends a notification to the client: its method and its parameters.
Notify = Callable[[str, Mapping[str, Any]], None]


class ProtocolError(Exception):
    """A request that gets an error as its answer."""

    def __init__(self, code: int, message: str, data: object = None) -> None:
        super().__init__(message)
        self.error = {"code": code, "message": message} | ({} if data is None else {"data": data})


class Protocol:
    """Answers requests. Thread-safe. `open_workspace` is called when a request needs the store."""

    def __init__(
        self,
        tools: Sequence[Tool],
        open_workspace: Callable[[], Workspace],
        prompts: Sequence[Prompt] = PROMPTS,
        resources: Resources = RESOURCES,
    ) -> None:
        self._tools = {tool.name: tool for tool in tools}
        self._listed = [_listed(tool) for tool in tools]
        self._prompts = {prompt.name: prompt for prompt in prompts}
        self._resources = resources
        self._open_workspace = open_workspace
        self._methods: Mapping[str, Callable[[Mapping[str, Any]], Result]] = {
            "initialize": _initialized,
            "ping": lambda params: {},
            "tools/list": lambda params: {"tools": self._listed},
            "resources/list": lambda params: {"resources": list(resources.listed)},
            "resources/templates/list": lambda params: {"resourceTemplates": list(resources.templates)},
            "resources/read": self._read,
            "prompts/list": lambda params: {"prompts": [prompt.listed() for prompt in prompts]},
            "prompts/get": self._prompted,
            "completion/complete": self._completed,
        }

    def answer(self, method: str, params: Mapping[str, Any], notify: Notify = lambda *_: None) -> Result:
        """Returns the result of a request. Raises ProtocolError. Progress is sent through `notify`."""
        if VERSION_KEY not in _meta(params) or method == "initialize":
            return self._result(method, params, notify)
        _check_version(_meta(params))
        result = _discovered() if method == "server/discover" else self._result(method, params, notify)
        if method in _CACHEABLE:
            result = {**result, **_UNCACHED}
        return {**result, "resultType": "complete", "_meta": {_SERVER_KEY: _SERVER}}

    def _result(self, method: str, params: Mapping[str, Any], notify: Notify) -> Result:
        if method == "tools/call":
            return self._called(params, notify)
        if method not in self._methods:
            raise ProtocolError(METHOD_NOT_FOUND, "Method not found", method)
        return self._methods[method](params)

    def _called(self, params: Mapping[str, Any], notify: Notify) -> Result:
        name, arguments = params.get("name"), params.get("arguments")
        if not isinstance(name, str) or not isinstance(arguments, dict | None):
            raise ProtocolError(INVALID_PARAMS, "A call needs the name of a tool and an object of arguments.")
        if name not in self._tools:
            raise ProtocolError(INVALID_PARAMS, f"There is no tool {line(name)!r}. Tools: {', '.join(self._tools)}.")
        try:
            reply = self._tools[name].run(self._open_workspace, arguments or {}, _progress(params, notify))
        except HoldfastError as error:
            return {"content": _text(problem(error)), "isError": True}
        return {"content": _text(reply.text), "structuredContent": reply.data, "isError": False}

    def _read(self, params: Mapping[str, Any]) -> Result:
        uri = params.get("uri")
        if not isinstance(uri, str):
            raise ProtocolError(INVALID_PARAMS, "A resource is read by its uri.")
        try:
            found = self._resources.read(uri, self._open_workspace)
        except NotFound:
            found = None
        except HoldfastError as error:
            raise ProtocolError(INTERNAL_ERROR, problem(error)) from None
        if found is None:
            code = INVALID_PARAMS if VERSION_KEY in _meta(params) else RESOURCE_NOT_FOUND
            raise ProtocolError(code, "Resource not found", {"uri": line(uri)})
        return {"contents": [found]}

    def _prompted(self, params: Mapping[str, Any]) -> Result:
        name, given = params.get("name"), params.get("arguments") or {}
        if not isinstance(name, str) or name not in self._prompts:
            raise ProtocolError(INVALID_PARAMS, f"There is no such prompt. Prompts: {', '.join(self._prompts)}.")
        prompt = self._prompts[name]
        if not isinstance(given, dict) or not all(isinstance(given.get(name), str) for name in prompt.arguments):
            raise ProtocolError(INVALID_PARAMS, f"The prompt needs these texts: {', '.join(prompt.arguments)}.")
        try:
            text = prompt.write(self._open_workspace, given)
        except HoldfastError as error:
            raise ProtocolError(INVALID_PARAMS, problem(error)) from None
        message = {"role": "user", "content": {"type": "text", "text": text}}
        return {"description": prompt.description, "messages": [message]}

    def _completed(self, params: Mapping[str, Any]) -> Result:
        """Completes the id of a memory. Other arguments are free text."""
        reference, argument = params.get("ref"), params.get("argument")
        if not isinstance(reference, dict) or not isinstance(argument, dict):
            raise ProtocolError(INVALID_PARAMS, "A completion needs a ref and an argument.")
        values: list[str] = []
        if reference.get("type") == "ref/resource" and argument.get("name") == "id":
            values = self._ids(str(argument.get("value", "")))
        return {"completion": {"values": values, "hasMore": False}}

    def _ids(self, beginning: str) -> list[str]:
        try:
            memories = self._open_workspace().list(limit=500)
        except HoldfastError:
            return []
        return [memory.id for memory in memories if memory.id.startswith(beginning)][:_MOST_COMPLETIONS]


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
    version = meta[VERSION_KEY]
    if not isinstance(version, str) or _CAPABILITIES_KEY not in meta:
        raise ProtocolError(INVALID_PARAMS, f"_meta needs {VERSION_KEY}, a text, and {_CAPABILITIES_KEY}.")
    if version not in VERSIONS_PER_REQUEST:
        data = {"supported": list(VERSIONS_PER_REQUEST), "requested": version}
        raise ProtocolError(UNSUPPORTED_VERSION, "Unsupported protocol version", data)


def _progress(params: Mapping[str, Any], notify: Notify) -> ReportProgress:
    """Returns a function that reports progress to a client that asked for it."""
    token = _meta(params).get("progressToken")
    if not isinstance(token, str | int):
        return lambda done, total, message: None

    def report(done: int, total: int, message: str) -> None:
        values = {"progressToken": token, "progress": done, "total": total, "message": line(message)}
        notify("notifications/progress", values)

    return report


def _listed(tool: Tool) -> Result:
    """A tool as clients list it. Without the schema of its result: clients put this into every prompt."""
    changes = {"destructiveHint": tool.destructive, "idempotentHint": tool.repeatable}
    hints = {"readOnlyHint": True} if tool.read_only else changes
    listed = {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": for_models(tool.input),
        "annotations": {**hints, "openWorldHint": False},
    }
    # A client that can defer tools, such as Claude Code, shows a model only their names unless they are marked so.
    return {**listed, "_meta": {"anthropic/alwaysLoad": True}} if tool.first else listed


def _text(text: str) -> list[Result]:
    return [{"type": "text", "text": text}]
