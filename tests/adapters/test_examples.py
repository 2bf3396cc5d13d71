"""Executes the examples of docs/integrations/frameworks.md with scripted models."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import holdfast
from tests.adapters.conftest import run
from tests.clients import without_framework

pytestmark = pytest.mark.filterwarnings("default")
PAGE = Path(__file__).parents[2] / "docs" / "integrations" / "frameworks.md"
FACT = "Refunds take three working days"


def sections() -> dict[str, str]:
    """The example under each heading of the page; the first one has none."""
    parts = re.split(r"^## (.*)$", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    titled = dict(zip(["", *parts[1::2]], parts[::2], strict=True))
    return {
        title: "\n".join(re.findall(r"^```py\n(.*?)^```", text, re.DOTALL | re.MULTILINE))
        for title, text in titled.items()
    }


def openai_agents() -> Any:
    from agents.testing import ScriptedModel, assistant_message

    return ScriptedModel([[assistant_message("Three days.")]])


def langchain() -> Any:
    from langchain_core.messages import AIMessage

    from tests.adapters.test_langchain import Scripted

    return Scripted(messages=iter([AIMessage("Three days.")]), seen=[])


def pydantic_ai() -> Any:
    from pydantic_ai.messages import ModelResponse, TextPart
    from pydantic_ai.models.function import FunctionModel

    def answer(messages: Any, info: Any) -> ModelResponse:
        model.seen.append(str(messages) + str(info.instructions))
        return ModelResponse(parts=[TextPart("Three days.")])

    model = FunctionModel(answer)
    model.seen = []
    return model


def autogen() -> Any:
    from autogen_ext.models.replay import ReplayChatCompletionClient

    able = dict.fromkeys(("function_calling", "json_output", "structured_output"), True)
    return ReplayChatCompletionClient(["Three days."], model_info={"vision": False, "family": "unknown", **able})


# The scripted model of each example, and what it must have been told.
MODELS: dict[str, tuple[Callable[[], Any], Callable[[dict[str, Any]], str]]] = {
    "OpenAI Agents SDK": (openai_agents, lambda names: str(names["model"].calls)),
    "LangGraph": (lambda: None, lambda names: FACT),
    "LangChain": (langchain, lambda names: str(names["model"].seen)),
    "LlamaIndex": (lambda: None, lambda names: run(asked_block(names))),
    "Pydantic AI": (pydantic_ai, lambda names: str(names["model"].seen)),
    "Google ADK": (lambda: None, lambda names: FACT),
    "AutoGen": (autogen, lambda names: run(asked_agent(names))),
    "Anthropic SDK": (lambda: None, lambda names: FACT),
    "Claude Agent SDK": (lambda: None, lambda names: FACT),
    "Any other framework": (lambda: None, lambda names: names["instructions"]),
}


async def asked_block(names: dict[str, Any]) -> str:
    from llama_index.core.base.llms.types import ChatMessage

    await names["memory"].aput(ChatMessage(role="user", content="How long do refunds take?"))
    return str(await names["memory"].aget())


async def asked_agent(names: dict[str, Any]) -> str:
    await names["agent"].run(task="How long do refunds take?")
    return str(names["model"].create_calls)


@pytest.mark.parametrize("title", MODELS)
def test_the_example_runs_and_memory_reaches_the_model(title: str, tmp_path: Path) -> None:
    make, told = MODELS[title]
    with holdfast.open(str(tmp_path / "m.db"), "support-bot", "ada", background=False) as ws:
        names: dict[str, Any] = {"ws": ws, "db": str(tmp_path / "adk.db"), "holdfast": holdfast}
        try:
            names["model"] = make()
            exec(compile(sections()[""] + sections()[title], f"{PAGE}: {title}", "exec"), names)
        except (ImportError, holdfast.NotInstalled) as error:
            without_framework(error)
        assert FACT in told(names)


def test_every_example_has_its_model() -> None:
    assert {title for title, code in sections().items() if code and title} == set(MODELS)
