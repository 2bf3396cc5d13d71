"""What adapters share, without any framework."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import holdfast
from holdfast.adapters.agent_memory import AgentMemory, memory_tools

NAMES = sorted(
    path.stem
    for path in (Path(holdfast.__file__).parent / "adapters").glob("*.py")
    if path.stem not in ("__init__", "agent_memory", "virtual_files")
)
LIBRARIES = {
    "anthropic_memory": "anthropic",
    "autogen": "autogen_core",
    "claude_agent": "claude_agent_sdk",
    "google_adk": "google",
    "langchain": "langchain",
    "langgraph": "langgraph",
    "llama_index": "llama_index",
    "openai_agents": "agents",
    "pydantic_ai": "pydantic_ai",
}


@pytest.mark.integration
@pytest.mark.parametrize("name", NAMES)
def test_a_missing_framework_is_named_with_what_installs_it(name):
    code = f"import sys; sys.modules[{LIBRARIES[name]!r}] = None\nimport holdfast.adapters.{name}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    extra = name.removesuffix("_memory").replace("_", "-")
    assert f"Install it: pip install 'holdfast[{extra}]'" in done.stderr


def test_context_leaves_out_the_session_itself_and_repeats_what_is_known(ws):
    ws.remember("Tea is at four")
    memory = AgentMemory(ws, "s1")
    memory.keep([("human", "Where is the tea kept?"), ("ai", "In the tin"), ("system", "x"), ("user", "  ")])
    assert [message.role for message in ws.session("s1").messages()] == ["user", "assistant"]
    first, second = memory.context("when is tea?"), memory.context("when is tea?")
    assert "Tea is at four" in first
    assert first == second
    assert "In the tin" not in first
    assert memory.context("  ") == ""
    AgentMemory(ws).keep([("user", "no session, nothing kept")])
    assert len(ws.sessions()) == 1


def test_tools_answer_with_text_even_if_they_fail(ws):
    search, remember, correct, _ = memory_tools(ws)
    assert remember.call({"text": "Tea is at four"}).startswith("Stored: new; inferred type: fact.")
    assert "> Tea is at four" in search.call({"query": "when is tea?"})
    assert "Not found" in correct.call({"id": "zzzzzzzz", "text": "x y z"})
    assert "is a required property" in search.call({})
