"""The protocol itself: Holdfast's tools handed to the SDK, over stdin and stdout."""

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


_ENDING = (signal.SIGINT, signal.SIGTERM)


def run(tools: Sequence[Tool], opened: Callable[[], Workspace]) -> None:
    """Serves until stdin ends or a signal asks for the end; what is being written then is written to its end."""
    inbox = _Inbox()
    _heed(inbox)
    inbox.open()
    try:
        anyio.run(_serve, server(tools, opened), inbox)
    except* BrokenPipeError:
        # Why: the client went away without waiting for its answer; there is nobody left to tell.
        sys.stderr.write("holdfast: the client is gone\n")
    finally:
        # Why again: the loop took its handlers back, and a second signal must not cut short what is being written.
        _heed(inbox)


def server(tools: Sequence[Tool], opened: Callable[[], Workspace]) -> Server[Any]:
    """The SDK's server with these tools. `opened` gives the workspace, and is called from worker threads."""
    shelf = {tool.name: tool for tool in tools}
    listed = protocol.ListToolsResult(tools=[_listed(tool) for tool in tools])

    async def list_tools(
        context: ServerRequestContext[Any], page: protocol.PaginatedRequestParams | None
    ) -> protocol.ListToolsResult:
        return listed

    async def call_tool(
        context: ServerRequestContext[Any], asked: protocol.CallToolRequestParams
    ) -> protocol.CallToolResult:
        if asked.name not in shelf:
            raise MCPError(protocol.INVALID_PARAMS, f"There is no tool {line(asked.name)!r}.")
        work = partial(shelf[asked.name].answer, opened, asked.arguments or {})
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


def _heed(inbox: _Inbox) -> None:
    for number in _ENDING:
        signal.signal(number, inbox.end)


async def _serve(server: Server[Any], inbox: _Inbox) -> None:
    for number in _ENDING:
        # Why the loop too: a signal that comes just before it begins to wait would be heard only when something else
        # wakes it. Windows' loop takes none.
        with contextlib.suppress(NotImplementedError):
            asyncio.get_running_loop().add_signal_handler(number, inbox.end)
    lines = anyio.wrap_file(cast("IO[str]", inbox))  # Why a cast: of a file, the transport uses readline alone.
    async with stdio_server(stdin=lines) as (incoming, outgoing):
        try:
            await server.run(incoming, outgoing, server.create_initialization_options())
        finally:
            inbox.end()  # Why: when the client no longer listens, stdin may still be open, and is waited for.


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
        input_schema=tool.takes,
        output_schema=tool.gives,
        annotations=hints,
        # Why: Claude Code shows a model only the names of tools, unless they are marked so.
        _meta={"anthropic/alwaysLoad": True} if tool.first else None,
    )


def _text(text: str) -> list[protocol.ContentBlock]:
    return [protocol.TextContent(text=text)]


class _Inbox:
    """Stdin as the transport reads it, except that a signal ends it too.

    Why: a thread that waits in a read of stdin cannot be woken, and the process would wait for it. So a thread that
    nobody waits for reads, and the transport takes lines from a queue, which can always be told that it is over.
    """

    def __init__(self) -> None:
        self._lines: SimpleQueue[str] = SimpleQueue()

    def open(self) -> None:
        """Takes stdin over, so that no child process can read from it, and begins to read."""
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
