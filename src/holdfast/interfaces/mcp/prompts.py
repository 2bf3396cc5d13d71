"""The prompts of the MCP server, which clients offer to people as commands: remember, recall, review."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any

from holdfast.core.frozen import frozen
from holdfast.interfaces.mcp import render
from holdfast.interfaces.mcp.resources import to_review

if TYPE_CHECKING:
    from holdfast.workspace import Workspace


@frozen
class Prompt:
    """One prompt: its arguments with their descriptions, all required, and the function that writes its message."""

    name: str
    title: str
    description: str
    write: Callable[[Callable[[], Workspace], Mapping[str, str]], str]
    arguments: Mapping[str, str] = field(default_factory=dict, hash=False)

    def listed(self) -> dict[str, Any]:
        """Returns its description for clients."""
        arguments = [{"name": n, "description": d, "required": True} for n, d in self.arguments.items()]
        return {"name": self.name, "title": self.title, "description": self.description, "arguments": arguments}


def _remember(open_workspace: Callable[[], Workspace], given: Mapping[str, str]) -> str:
    return (
        "Store the following in long-term memory with the tool remember. Choose the type that fits, name the files it "
        f"is about, keep my meaning and my reasons, and tell me what was stored.\n\n{given['text']}"
    )


def _recall(open_workspace: Callable[[], Workspace], given: Mapping[str, str]) -> str:
    found = render.found(open_workspace().recall(given["question"])).text
    return (
        f"{given['question']}\n\nAnswer from these notes, and cite each one that you use as [Memory #…]. "
        f"If they do not answer the question, say so.\n\n{found}"
    )


def _review(open_workspace: Callable[[], Workspace], given: Mapping[str, str]) -> str:
    return (
        "Go through these memories with me, one at a time: show the text, say where it comes from, and ask me whether "
        "it is right. Use correct_memory for what I correct and forget_memory for what I reject. What only I can "
        f"confirm, list for me at the end with its id.\n\n{to_review(open_workspace())}"
    )


PROMPTS = (
    Prompt("remember", "Remember this", "Store something in memory.", _remember, {"text": "What to remember."}),
    Prompt("recall", "Ask memory", "Answer a question from memory.", _recall, {"question": "What you want to know."}),
    Prompt("review", "Review memories", "Go through the memories that wait for your review.", _review),
)
