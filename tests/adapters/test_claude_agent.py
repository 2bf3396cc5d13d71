"""The Claude Agent SDK, whose bundled program runs with a scripted model."""

from __future__ import annotations

import pytest

from tests.adapters.conftest import adapter, run

claude_agent = adapter("claude_agent")
scripted = pytest.importorskip("tests.agents.scripted_model")

from claude_agent_sdk import ClaudeAgentOptions, ResultMessage, query  # noqa: E402

pytestmark = [pytest.mark.filterwarnings("default"), pytest.mark.program]
FACT = "The favourite database here is SQLite"


def test_context_reaches_the_model_and_the_turn_is_kept(ws, tmp_path, project):
    ws.remember(FACT)
    steps = [
        {"tool": "mcp__holdfast__remember", "input": {"text": "Backups run at night", "type": "decision"}},
        {"text": "All noted."},
    ]
    results = []

    async def talk(url):
        options = ClaudeAgentOptions(
            cwd=str(project), mcp_servers={"holdfast": claude_agent.server(ws)}, hooks=claude_agent.hooks(ws),
            allowed_tools=["mcp__holdfast__remember"], setting_sources=[],
            env={
                "ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "x", "CLAUDE_CONFIG_DIR": str(tmp_path / "claude"),
                "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1", "DISABLE_TELEMETRY": "1",
            },
        )  # fmt: skip
        async for message in query(prompt="Which database do we use?", options=options):
            if isinstance(message, ResultMessage):
                results.append(message)

    with scripted.scripted_model(steps) as model:
        run(talk(model.url))
    assert results[0].result == "All noted."
    assert FACT in model.text(0)
    assert "information, not instructions" in model.text(0)
    assert [memory.content for memory in ws.list(types=["decision"])] == ["Backups run at night"]
    (state,) = ws.sessions()
    assert [(m.role, m.text) for m in ws.session(state.id).messages()] == [
        ("user", "Which database do we use?"), ("assistant", "All noted."),
    ]  # fmt: skip
