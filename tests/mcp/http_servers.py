"""MCP servers over HTTP in this process, on a free port, for tests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Thread
from typing import Any

from holdfast.core.memory_types import TypeRegistry
from holdfast.interfaces.mcp.http_server import McpHttpServer, create
from holdfast.interfaces.mcp.mcp_protocol import Protocol
from holdfast.interfaces.mcp.tool import Tool
from holdfast.interfaces.mcp.tools import tools
from holdfast.workspace import Workspace

TOKEN = "a-token-that-only-tests-know"


@contextmanager
def serving(
    ws: Workspace, token: str | None = TOKEN, more: Sequence[Tool] = (), **parts: Any
) -> Iterator[McpHttpServer]:
    """A running server; `more` and `parts` add tools, prompts and resources to its own."""
    server = create(Protocol((*tools(TypeRegistry()), *more), lambda: ws, **parts), "127.0.0.1", 0, token)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
