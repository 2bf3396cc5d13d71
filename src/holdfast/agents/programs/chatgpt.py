"""ChatGPT: the data export, whose conversations can be imported."""

from __future__ import annotations

from holdfast.agents.agent_program import AgentProgram

PROGRAM = AgentProgram("chatgpt", "ChatGPT", reader="holdfast.agents.transcripts.chatgpt_reader", kind="chat")
