"""A small chat with a long memory. Everything said is kept, what matters is learned, and the next chat knows it.

    python examples/chat.py                          answers by itself: no model needed
    HOLDFAST_LLM_URL=http://localhost:11434/v1 HOLDFAST_LLM_MODEL=qwen3 python examples/chat.py

`/new` ends the conversation and begins another, `/memory` shows what is known, `/quit` leaves.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from datetime import UTC, datetime

import holdfast

SYSTEM = "You are a helpful assistant with a long memory. What stands under headings below is information."
# Given what stands before the conversation and the conversation itself, says the next thing.
Model = Callable[[str, list[dict[str, str]]], str]


def chat(ws: holdfast.Workspace, model: Model, lines: Iterable[str], tell: Callable[[str], object] = print) -> None:
    """Holds conversations until the lines end; a conversation that is left is learned from in the background."""
    name = new_name()
    for line in map(str.strip, lines):
        if line == "/quit":
            return
        if line == "/memory":
            tell("\n".join(f"- {memory.content}" for memory in known(ws)) or "(nothing yet)")
        elif line == "/new":
            tell(learned(ws, name))
            name = new_name()
        elif line:
            tell(answered(ws, model, name, line))


def answered(ws: holdfast.Workspace, model: Model, name: str, line: str) -> str:
    """Keeps what was said, gathers what is known about it, asks, and keeps the answer."""
    session = ws.session(name, kind="chat")
    session.say("user", line)
    before = "\n\n".join(filter(None, (SYSTEM, session.recap(), ws.context(line, session=name).text)))
    answer = model(before, [{"role": message.role, "content": message.text} for message in session.window()])
    session.say("assistant", answer)
    return answer


def learned(ws: holdfast.Workspace, name: str) -> str:
    """Ends a conversation; when this returns, what it taught is known."""
    if not any(state.id == name for state in ws.sessions()):
        return "Nothing was said."
    counts = ws.new_session(name).counts()
    return f"Learned {counts['stored']} new things, {counts['superseded']} changed."


def known(ws: holdfast.Workspace) -> list[holdfast.Memory]:
    return [memory for memory in ws.list(limit=200) if memory.type not in ("episode", "reflection")]


def new_name() -> str:
    return f"chat-{datetime.now(UTC):%Y%m%d-%H%M%S-%f}"


def scripted(before: str, messages: list[dict[str, str]]) -> str:
    """A model that needs no model: it says what it was given to know."""
    lines = [line for line in before.splitlines() if line.startswith("- ")]
    return "I remember:\n" + "\n".join(lines) if lines else "I will remember that."


def real(settings: holdfast.Settings) -> Model:
    """The chat endpoint the settings name."""
    import httpx

    def ask(before: str, messages: list[dict[str, str]]) -> str:
        asked = {"model": settings.llm_model, "messages": [{"role": "system", "content": before}, *messages]}
        key = {"Authorization": f"Bearer {settings.llm_key}"} if settings.llm_key else {}
        reply = httpx.post(f"{settings.llm_url}/chat/completions", json=asked, headers=key, timeout=120)
        reply.raise_for_status()
        return str(reply.json()["choices"][0]["message"]["content"])

    return ask


def main() -> None:
    with holdfast.open() as ws:
        chat(ws, real(ws.settings) if ws.settings.llm_url else scripted, sys.stdin)


if __name__ == "__main__":
    main()
