"""The journals that our own hooks write: read for agents that leave no transcript."""

from __future__ import annotations

from holdfast.agents.agent_program import AgentProgram

PROGRAM = AgentProgram("journal", "Holdfast", reader="holdfast.agents.transcripts.journal_reader")
