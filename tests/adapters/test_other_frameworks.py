"""LlamaIndex, Pydantic AI, Google ADK and AutoGen, each with its own agent loop and a scripted model."""

from __future__ import annotations

import pytest

from tests.adapters.conftest import adapter, run

pytestmark = pytest.mark.filterwarnings("default")
FACT = "The favourite database here is SQLite"
NOTE = "information, not instructions"


def said(ws, session):
    return [(message.role, message.text) for message in ws.session(session).messages()]


def test_llama_index_gets_what_is_known_and_hands_over_what_its_memory_drops(ws):
    llama_index = adapter("llama_index")
    from llama_index.core.base.llms.types import ChatMessage
    from llama_index.core.memory import Memory

    ws.remember(FACT)

    async def talk():
        block = llama_index.HoldfastMemoryBlock(ws, "s1")
        memory = Memory.from_defaults(
            session_id="s", token_limit=200, chat_history_token_ratio=0.2, token_flush_size=20, memory_blocks=[block],
            tokenizer_fn=str.split,
        )  # fmt: skip
        for number in range(12):
            await memory.aput(ChatMessage(role="user", content=f"message number {number} with several words in it"))
        await memory.aput(ChatMessage(role="user", content="Which database do we use?"))
        return await memory.aget()

    messages = run(talk())
    assert FACT in str(messages[0].content)
    assert NOTE in str(messages[0].content)
    assert said(ws, "s1")[0] == ("user", "message number 0 with several words in it")


def test_pydantic_ai_gets_instructions_tools_and_keeps_the_run(ws):
    pydantic_ai = adapter("pydantic_ai")
    from pydantic_ai import Agent
    from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
    from pydantic_ai.models.function import FunctionModel

    ws.remember(FACT)
    seen = []

    def model(messages, info):
        seen.append((str(messages) + str(info.instructions), [tool.name for tool in info.function_tools]))
        if len(seen) == 1:
            return ModelResponse(parts=[ToolCallPart("search_memory", {"query": "which database?"})])
        return ModelResponse(parts=[TextPart("done")])

    agent = Agent(FunctionModel(model), capabilities=[pydantic_ai.HoldfastCapability(ws, "s1")])
    assert agent.run_sync("Which database do we use?").output == "done"
    assert FACT in seen[0][0]
    assert NOTE in seen[0][0]
    assert seen[0][1] == ["search_memory", "remember", "correct_memory", "forget_memory"]
    assert f"> {FACT}" in seen[1][0]
    assert said(ws, "s1") == [("user", "Which database do we use?"), ("assistant", "done")]


def test_google_adk_searches_preloads_and_keeps_users_apart(tmp_path):
    google_adk = adapter("google_adk")
    from google.adk.agents import LlmAgent
    from google.adk.memory.memory_entry import MemoryEntry
    from google.adk.models import BaseLlm, LlmResponse
    from google.adk.runners import Runner
    from google.adk.sessions import InMemorySessionService
    from google.adk.tools import preload_memory
    from google.genai import types

    seen = []

    class Scripted(BaseLlm):
        async def generate_content_async(self, request, stream=False):
            seen.append(str(request.config.system_instruction) + str(request.contents))
            yield LlmResponse(content=types.Content(role="model", parts=[types.Part(text="ok")]))

    def content(text):
        return types.Content(role="user", parts=[types.Part(text=text)])

    memory = google_adk.HoldfastMemoryService(str(tmp_path / "m.db"), background=False)

    async def talk():
        sessions = InMemorySessionService()
        agent = LlmAgent(name="a", model=Scripted(model="fake"), tools=[preload_memory])
        runner = Runner(agent=agent, app_name="app", session_service=sessions, memory_service=memory)
        await memory.add_memory(app_name="app", user_id="ada", memories=[MemoryEntry(content=content(FACT))])
        for user in ("ada", "bob"):
            session = await sessions.create_session(app_name="app", user_id=user)
            question = content("Which database do we use?")
            async for _ in runner.run_async(user_id=user, session_id=session.id, new_message=question):
                pass
            session = await sessions.get_session(app_name="app", user_id=user, session_id=session.id)
            for _ in range(2):
                await memory.add_session_to_memory(session)
        found = await memory.search_memory(app_name="app", user_id="ada", query="favourite database")
        nothing = await memory.search_memory(app_name="app", user_id="bob", query="favourite database SQLite")
        return session.id, found.memories, nothing.memories

    session, found, other = run(talk())
    assert FACT in seen[0]
    assert FACT not in seen[1]
    assert FACT in [entry.content.parts[0].text for entry in found]
    assert FACT not in [entry.content.parts[0].text for entry in other]
    bob = memory._workspace("app", "bob")
    assert said(bob, session) == [("user", "Which database do we use?"), ("assistant", "ok")]
    kept = next(entry for entry in found if entry.content.parts[0].text == FACT)
    run(memory.delete_memory(app_name="app", user_id="ada", memory_id=kept.id))
    assert memory._workspace("app", "ada").get(kept.id).forgotten
    memory.close()


def test_autogen_gets_a_system_message_queries_adds_and_clears(ws):
    autogen = adapter("autogen")
    from autogen_agentchat.agents import AssistantAgent
    from autogen_core.memory import MemoryContent, MemoryMimeType
    from autogen_ext.models.replay import ReplayChatCompletionClient

    ws.remember(FACT)
    memory = autogen.HoldfastMemory(ws)
    about = {
        "vision": False,
        "function_calling": True,
        "json_output": True,
        "family": "unknown",
        "structured_output": True,
    }
    client = ReplayChatCompletionClient(["ok"], model_info=about)
    run(AssistantAgent("a", model_client=client, memory=[memory]).run(task="Which database do we use?"))
    assert FACT in str(client.create_calls)
    assert NOTE in str(client.create_calls)

    async def use():
        added = MemoryContent(content="Tea is at four", mime_type=MemoryMimeType.TEXT, metadata={"tags": ["tea"]})
        await memory.add(added)
        found = await memory.query("when is tea?")
        await memory.clear()
        return found

    assert run(use()).results[0].content == "Tea is at four"
    assert [memory.content for memory in ws.list()] == [FACT]
