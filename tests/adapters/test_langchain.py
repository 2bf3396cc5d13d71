"""A LangChain agent with a scripted chat model."""

from __future__ import annotations

import pytest

from tests.adapters.conftest import adapter, run

langchain = adapter("langchain")

from langchain.agents import create_agent  # noqa: E402
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel  # noqa: E402
from langchain_core.messages import AIMessage  # noqa: E402

pytestmark = pytest.mark.filterwarnings("default")
FACT = "The favourite database here is SQLite"


class Scripted(GenericFakeChatModel):
    """Notes what it was asked; accepts tools."""

    seen: list

    def bind_tools(self, tools, **_):
        self.seen.append([tool.name for tool in tools])
        return self

    def _generate(self, messages, *more, **given):
        self.seen.append(messages)
        return super()._generate(messages, *more, **given)


def agent(ws, answers, **options):
    model = Scripted(messages=iter(answers), seen=[])
    return model, create_agent(
        model, middleware=[langchain.HoldfastMiddleware(ws, "s1", **options)], system_prompt="Help."
    )


@pytest.mark.parametrize("how", ["invoke", "ainvoke"])
def test_memory_reaches_the_model_and_what_was_said_is_kept_once(ws, how):
    ws.remember(FACT)
    model, built = agent(ws, [AIMessage("ok then"), AIMessage("because")], offer_tools=False)
    messages = [{"role": "user", "content": "Which database do we use?"}]
    for more in ([], [{"role": "user", "content": "And why?"}]):
        messages += more
        done = built.invoke({"messages": messages}) if how == "invoke" else run(built.ainvoke({"messages": messages}))
        messages = done["messages"]
    system = model.seen[0][0]
    assert (system.type, system.text.startswith("Help.\n\n"), FACT in system.text) == ("system", True, True)
    said = [(message.role, message.text) for message in ws.session("s1").messages()]
    assert said == [
        ("user", "Which database do we use?"), ("assistant", "ok then"), ("user", "And why?"), ("assistant", "because"),
    ]  # fmt: skip


def test_the_agent_remembers_with_a_tool(ws):
    call = {"name": "remember", "args": {"text": "Backups run at night", "type": "decision"}, "id": "1"}
    model, built = agent(ws, [AIMessage("", tool_calls=[call]), AIMessage("noted")])
    built.invoke({"messages": [{"role": "user", "content": "Remember the backups"}]})
    assert model.seen[0] == ["search_memory", "remember", "correct_memory", "forget_memory"]
    assert [memory.content for memory in ws.list(types=["decision"])] == ["Backups run at night"]
    assert "Stored: new." in str(model.seen[-1])
