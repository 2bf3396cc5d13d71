"""Claude Agent SDK: hooks that give the agent memories and keep the conversation, and a server with tools."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from holdfast.adapters.agent_memory import AgentMemory, MemoryTool, memory_tools, not_installed

try:
    from claude_agent_sdk import HookMatcher, SdkMcpTool, create_sdk_mcp_server
except ImportError as error:
    raise not_installed("the Claude Agent SDK", "claude-agent", error) from None

if TYPE_CHECKING:
    from holdfast.workspace import Workspace

# The client replaces longer texts by a preview.
_LONGEST_CONTEXT = 9_500


def hooks(ws: Workspace, budget: int | None = None) -> dict[Any, list[HookMatcher]]:
    """Hooks for `ClaudeAgentOptions`: context for each prompt, and the prompt and the last answer of a turn kept."""

    async def on_prompt(input: Any, tool_use_id: str | None, context: Any) -> Any:
        memory = AgentMemory(ws, input["session_id"], "build", budget)
        known = await asyncio.to_thread(memory.context, input["prompt"])
        await asyncio.to_thread(memory.keep, [("user", input["prompt"])])
        added = {"hookEventName": "UserPromptSubmit", "additionalContext": known[:_LONGEST_CONTEXT]}
        return {"hookSpecificOutput": added} if known else {}

    async def on_stop(input: Any, tool_use_id: str | None, context: Any) -> Any:
        said = [("assistant", str(input.get("last_assistant_message") or ""))]
        await asyncio.to_thread(AgentMemory(ws, input["session_id"], "build").keep, said)
        return {}

    return {"UserPromptSubmit": [HookMatcher(hooks=[on_prompt])], "Stop": [HookMatcher(hooks=[on_stop])]}


def server(ws: Workspace) -> Any:
    """An MCP server in this process with tools that search and change memories, for `mcp_servers`."""
    return create_sdk_mcp_server("holdfast", tools=[_tool(tool) for tool in memory_tools(ws)])


def _tool(tool: MemoryTool) -> SdkMcpTool[Any]:
    async def handle(arguments: Any) -> dict[str, Any]:
        text = await asyncio.to_thread(tool.call, arguments)
        return {"content": [{"type": "text", "text": text}]}

    return SdkMcpTool(name=tool.name, description=tool.description, input_schema=dict(tool.schema), handler=handle)
