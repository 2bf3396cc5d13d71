"""A tool of the MCP server: its description, its schemas and the function that runs it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any

from holdfast.core.frozen import frozen
from holdfast.interfaces.mcp import tool_arguments as arguments_
from holdfast.interfaces.mcp.schemas import Schema, reply_schema

if TYPE_CHECKING:
    from holdfast.interfaces.mcp.render import ToolReply
    from holdfast.workspace import Workspace

# Reports the progress of a long call: done, total, message.
ReportProgress = Callable[[int, int, str], None]


@frozen
class Tool:
    """One tool.

    `repeatable`: repeating the same call changes nothing. `first`: one of the few that are served by default and
    that clients should always load into the prompt.
    `long`: `call` also gets a function that reports progress. `fields` are the fields of its result beside the text.
    """

    name: str
    title: str
    description: str
    input: Schema = field(hash=False)
    call: Callable[..., ToolReply]
    fields: Schema = field(default_factory=dict, hash=False)
    read_only: bool = False
    repeatable: bool = True
    destructive: bool = False
    first: bool = False
    long: bool = False

    @property
    def output(self) -> Schema:
        """The schema of its structured content."""
        return reply_schema(**self.fields)

    def run(
        self,
        open_workspace: Callable[[], Workspace],
        arguments: Mapping[str, Any],
        progress: ReportProgress = lambda *_: None,
    ) -> ToolReply:
        """Validates the arguments and runs the tool. Raises HoldfastError with a message for the model."""
        valid = arguments_.validated(self.input, arguments)
        more = (progress,) if self.long else ()
        return self.call(open_workspace(), valid, *more)
