"""Runs the MCP protocol over stdin and stdout: registers the tools with the SDK and ends cleanly on signals."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Callable, Sequence
from functools import partial
from queue import SimpleQueue
from threading import Thread
from typing import IO, TYPE_CHECKING, Any, cast

import anyio
import anyio.to_thread
import mcp_types as protocol
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError

from holdfast.core.errors import HoldfastError
from holdfast.interfaces.mcp.render import line
from holdfast.interfaces.mcp.tools import INSTRUCTIONS, Tool
from holdfast.version import __version__

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

    from holdfast.workspace import Workspace


_END_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def run(tools: Sequence[Tool], open_workspace: Callable[[], Workspace]) -> None:
    """Serves until stdin or a signal ends it; a write in progress is completed first."""
    inbox = _Inbox()
    _handle_signals(inbox)
    inbox.open()
    try:
        anyio.run(_serve, server(tools, open_workspace), inbox)
    except* BrokenPipeError:
        # The client disconnected without waiting for its answer.
        sys.stderr.write("holdfast: the client disconnected\n")
    finally:
        # Install them again: the loop removed its handlers, and a second signal must not interrupt a write.
        _handle_signals(inbox)


def server(tools: Sequence[Tool], open_workspace: Callable[[], Workspace]) -> Server[Any]:
    """Returns the SDK's server with these tools. `open_workspace` is called from worker threads."""
    by_name = {tool.name: tool for tool in tools}
    listed = protocol.ListToolsResult(tools=[_listed(tool) for tool in tools])

    async def list_tools(
        context: ServerRequestContext[Any], page: protocol.PaginatedRequestParams | None
    ) -> protocol.ListToolsResult:
        return listed

    async def call_tool(
        context: ServerRequestContext[Any], request: protocol.CallToolRequestParams
    ) -> protocol.CallToolResult:
        if request.name not in by_name:
            raise MCPError(protocol.INVALID_PARAMS, f"There is no tool {line(request.name)!r}.")
        work = partial(by_name[request.name].run, open_workspace, request.arguments or {})
        try:
            reply = await anyio.to_thread.run_sync(work)
        except HoldfastError as error:
            return protocol.CallToolResult(content=_text(line(str(error))), is_error=True)
        return protocol.CallToolResult(content=_text(reply.text), structured_content=dict(reply.data))

    return Server(
        "holdfast",
        version=__version__,
        title="Holdfast",
        description="Long-term memory for AI agents.",
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def _handle_signals(inbox: _Inbox) -> None:
    for number in _END_SIGNALS:
        signal.signal(number, inbox.end)


async def _serve(server: Server[Any], inbox: _Inbox) -> None:
    for number in _END_SIGNALS:
        # Register with the loop too: a signal that arrives just before the loop waits would otherwise be handled only
        # when something else wakes it. The loop on Windows does not support this.
        with contextlib.suppress(NotImplementedError):
            asyncio.get_running_loop().add_signal_handler(number, inbox.end)
    lines = anyio.wrap_file(cast("IO[str]", inbox))  # The transport only calls readline.
    async with stdio_server(stdin=lines) as (incoming, outgoing):
        try:
            await server.run(incoming, outgoing, server.create_initialization_options())
        finally:
            inbox.end()  # The client may be gone while stdin is still open and waited for.


def _listed(tool: Tool) -> protocol.Tool:
    hints = protocol.ToolAnnotations(
        title=tool.title,
        read_only_hint=tool.read_only,
        destructive_hint=False,
        idempotent_hint=tool.repeatable,
        open_world_hint=False,
    )
    return protocol.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.input,
        output_schema=tool.output,
        annotations=hints,
        # Claude Code shows a model only the names of tools unless they are marked like this.
        _meta={"anthropic/alwaysLoad": True} if tool.first else None,
    )


def _text(text: str) -> list[protocol.ContentBlock]:
    return [protocol.TextContent(text=text)]


class _Inbox:
    """Stdin for the transport, except that a signal ends it too.

    A thread blocked in a read of stdin cannot be woken, and the process would wait for it. So a daemon thread reads,
    and the transport takes lines from a queue, which can be ended at any time.
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
