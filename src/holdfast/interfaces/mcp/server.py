"""Starts the MCP server with one workspace, opened after the first answer and closed when the client disconnects."""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Any

from holdfast.core.errors import HoldfastError
from holdfast.core.memory_types import TypeRegistry
from holdfast.interfaces.language import choose as choose_language
from holdfast.interfaces.mcp import stdio
from holdfast.interfaces.mcp.mcp_protocol import Protocol
from holdfast.interfaces.mcp.schemas import for_models
from holdfast.interfaces.mcp.tools import tools
from holdfast.system.light_settings import read_setting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from holdfast.workspace import Workspace


def serve(db: str | None = None, project: str | None = None, *, types: TypeRegistry | None = None) -> None:
    """Serves the memory of a project over stdin and stdout until stdin closes or SIGINT or SIGTERM arrives.

    Call it in the main thread. Only the protocol is written to stdout. The store is opened and the embedding model
    loaded after the first answer, so a client never waits for them, and a store that cannot be opened becomes an error
    that the client can show.
    """
    with _prepared(db, project, types) as (protocol, prepare):
        stdio.run(protocol, prepare)


def serve_http(
    db: str | None = None,
    project: str | None = None,
    *,
    host: str,
    port: int,
    token: str,
    ready: Callable[[str], None],
    types: TypeRegistry | None = None,
) -> None:
    """Serves the memory of a project over HTTP until SIGINT or SIGTERM arrives. Call it in the main thread.

    Clients must send `token`. `ready` gets the address once it listens.
    """
    from concurrent.futures import ThreadPoolExecutor

    from holdfast.interfaces.mcp import http_server

    # A program that ends while a model loads is aborted, so the preparation is waited for.
    with _prepared(db, project, types) as (protocol, prepare), ThreadPoolExecutor(1) as background:

        def announce(address: str) -> None:
            ready(address)
            background.submit(prepare)

        http_server.run(protocol, host, port, token, announce)


def describe_tools(types: TypeRegistry | None = None) -> tuple[Mapping[str, Any], ...]:
    """Returns the tools as a client sees them; needs no store."""
    return tuple(
        {"name": tool.name, "title": tool.title, "description": tool.description, "inputSchema": for_models(tool.input),
         "outputSchema": tool.output}
        for tool in tools(types or TypeRegistry())
    )  # fmt: skip


@contextmanager
def _prepared(
    db: str | None, project: str | None, types: TypeRegistry | None
) -> Iterator[tuple[Protocol, Callable[[], None]]]:
    """The protocol on a workspace that is opened on first use, and a function that opens it in advance."""
    choose_language("en", {})  # Models read the answers, and the tools are described in English.
    types = types or TypeRegistry()
    workspace = _LazyWorkspace(partial(_open, db, project, types))
    try:
        yield Protocol(tools(types, all=_serves_all()), workspace), partial(_prepare, workspace)
    finally:
        workspace.close()


def _serves_all() -> bool:
    """Are all tools to be served, not only the few that every prompt should have?"""
    return read_setting(os.environ, "mcp_tools") == "all"


def _open(db: str | None, project: str | None, types: TypeRegistry) -> Workspace:
    from holdfast import workspace

    return workspace.open(db, project, types=types, create_project=False)


def _prepare(workspace: Callable[[], Workspace]) -> None:
    """Loads what the first call of a tool needs. Errors are left to that call."""
    with suppress(HoldfastError, OSError, ImportError):
        container = workspace().container
        container.recaller  # noqa: B018 - built when it is first read
        container.models.load()


class _LazyWorkspace:
    """Returns the workspace; opens it once, even if several threads ask at the same time."""

    def __init__(self, open: Callable[[], Workspace]) -> None:
        self._open = open
        self._lock = Lock()
        self._workspace: Workspace | None = None

    def __call__(self) -> Workspace:
        with self._lock:
            if self._workspace is None:
                self._workspace = self._open()
            return self._workspace

    def close(self) -> None:
        if self._workspace is not None:
            self._workspace.close()
