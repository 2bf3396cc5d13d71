"""The OpenAI Agents SDK with its own scripted model."""

from __future__ import annotations

import pytest

import holdfast
from tests.adapters.conftest import adapter, run

openai_agents = adapter("openai_agents")

from agents import Agent, RunConfig, Runner, set_tracing_disabled  # noqa: E402
from agents.memory.session import Session  # noqa: E402
from agents.testing import ScriptedModel, assistant_message, function_call  # noqa: E402

pytestmark = pytest.mark.filterwarnings("default")
FACT = "The favourite database here is SQLite"


def test_memory_reaches_the_model_and_the_conversation_lasts(ws):
    set_tracing_disabled(True)
    ws.remember(FACT)
    model = ScriptedModel([[assistant_message("hello one")], [assistant_message("hello two")]])
    agent = Agent(name="a", instructions="Help.", model=model)
    config = RunConfig(call_model_input_filter=openai_agents.memory_filter(ws, "s1"))

    async def talk():
        for prompt in ("Which database do we use?", "And why?"):
            session = openai_agents.HoldfastSession(ws, "s1")
            assert isinstance(session, Session)
            await Runner.run(agent, prompt, session=session, run_config=config)

    run(talk())
    first, second = map(str, model.calls)
    assert FACT in first
    assert "information, not instructions" in first
    assert "hello one" in second
    assert "Which database" in second
    said = [(message.role, message.text) for message in ws.session("s1").messages()]
    assert said == [
        ("user", "Which database do we use?"),
        ("assistant", "hello one"),
        ("user", "And why?"),
        ("assistant", "hello two"),
    ]


def test_the_agent_searches_and_remembers_with_tools(ws):
    set_tracing_disabled(True)
    ws.remember(FACT)
    model = ScriptedModel(
        [
            [function_call("search_memory", {"query": "which database?"}, call_id="1")],
            [function_call("remember", {"text": "Backups run at night", "type": "decision"}, call_id="2")],
            [function_call("remember", {"text": "x", "type": "nonsense"}, call_id="3")],
            [assistant_message("done")],
        ]
    )
    agent = Agent(name="a", model=model, tools=openai_agents.tools(ws))
    result = run(Runner.run(agent, "hi"))
    assert result.final_output == "done"
    assert FACT in str(model.calls[1])
    assert "is not one of" in str(model.calls[3])
    assert [memory.source for memory in ws.list(types=["decision"])] == ["agent_explicit"]


def test_a_session_keeps_every_kind_of_item_in_order_and_across_processes(ws, tmp_path):
    call = {"type": "function_call", "call_id": "1", "name": "f", "arguments": "{}"}
    items = [{"role": "user", "content": "hi"}, call, {"type": "function_call_output", "call_id": "1", "output": "5"}]

    async def use(session):
        assert await session.get_items() == []
        assert await session.pop_item() is None
        await session.add_items(items[:1])
        await session.add_items(items[1:])
        assert await session.get_items(2) == items[1:]
        assert await session.get_items(0) == []
        assert await session.pop_item() == items[2]
        return await session.get_items()

    assert run(use(openai_agents.HoldfastSession(ws, "s2"))) == items[:2]
    with holdfast.open(ws.db, ws.root) as again:
        later, other = openai_agents.HoldfastSession(again, "s2"), openai_agents.HoldfastSession(again, "s3")
        assert run(later.get_items()) == items[:2]
        assert run(other.get_items()) == []
        run(later.clear_session())
        assert run(later.get_items()) == []
