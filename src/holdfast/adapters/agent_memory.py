"""What every adapter needs: the context for a prompt, the messages of a conversation, tools, and missing libraries."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from holdfast.core.errors import HoldfastError, NotInstalled
from holdfast.core.frozen import frozen
from holdfast.core.memory_types import TypeRegistry
from holdfast.intake.message_intake import IncomingMessage

if TYPE_CHECKING:
    from holdfast.interfaces.mcp.tool import Tool
    from holdfast.workspace import Workspace

# The tools that an agent gets; the others concern the store as a whole.
_OFFERED = ("search_memory", "remember", "correct_memory", "forget_memory")
_ROLES = {"human": "user", "ai": "assistant", "model": "assistant", "bot": "assistant"}


def not_installed(library: str, extra: str, error: ImportError) -> NotInstalled:
    """The error for a framework that cannot be imported, with its cause and the command that installs it."""
    return NotInstalled(f"{library} ({error})", hint=f"Install it: pip install 'holdfast[{extra}]'")


@frozen
class AgentMemory:
    """The memory of an agent in one conversation, or without `session` in any."""

    ws: Workspace
    session: str | None = None
    kind: str = "chat"
    budget: int | None = None

    def context(self, prompt: str) -> str:
        """The memories for a prompt, under a heading that marks them as information; empty if there are none.

        Also returns what earlier calls returned: frameworks rebuild their instructions for each call of a model.
        """
        if not prompt.strip():
            return ""
        return self.ws.context(prompt, session=self.session, budget=self.budget, repeat=True).text

    def keep(self, messages: Iterable[tuple[str, str]]) -> None:
        """Stores messages of the conversation, as role and text; what is worth keeping is learned from them later."""
        roles = ((_ROLES.get(role, role), text) for role, text in messages if text.strip())
        known = [IncomingMessage(role, text) for role, text in roles if role in ("user", "assistant")]
        if known and self.session:
            self.ws.session(self.session, self.kind).say_all(known)


@frozen
class MemoryTool:
    """A tool for an agent: its name, description, the JSON schema of its arguments, and what it returns as text."""

    name: str
    description: str
    schema: Mapping[str, Any]
    call: Callable[[Mapping[str, Any]], str]


def memory_tools(ws: Workspace) -> tuple[MemoryTool, ...]:
    """The tools of the MCP server that search and change memories, for use in the same process."""
    from holdfast.interfaces.mcp.tools import tools

    offered = [tool for tool in tools(TypeRegistry()) if tool.name in _OFFERED]
    return tuple(MemoryTool(tool.name, tool.description, tool.input, _caller(tool, ws)) for tool in offered)


def _caller(tool: Tool, ws: Workspace) -> Callable[[Mapping[str, Any]], str]:
    from holdfast.interfaces.mcp.problem import problem

    def call(arguments: Mapping[str, Any]) -> str:
        try:
            return tool.run(lambda: ws, arguments).text
        except HoldfastError as error:
            return problem(error)

    return call
