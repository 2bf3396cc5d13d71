"""Searches memory with the whole workspace: at the start of a session, at its first prompt, and when it stops."""

from __future__ import annotations

import os

from holdfast import workspace
from holdfast.agents import hook_input as points
from holdfast.agents.hook_input import HookAnswer, HookInput
from holdfast.agents.instruction_files import read_instructions
from holdfast.core.citation import wrapped
from holdfast.core.memory_use import USED
from holdfast.system.project import head_branch


def look(input: HookInput) -> tuple[str, list[str]]:
    """The context for the prompt and the ids of its memories; empty if memory has nothing for it.

    The caller records what was given, once it is sure to be: a hook that gives up has given nothing.
    """
    with workspace.open(project=input.cwd) as ws:
        branch, home = head_branch(input.cwd), os.path.expanduser("~")
        read = read_instructions(input.client, ws.root, input.cwd, home)
        if input.point == points.PROMPT:
            pack = ws.first_prompt(input.text, input.session, branch, supply=False, instructions=read)
        else:
            # Another agent of the session has its own context, so that it needs what the session has already.
            again = input.point == points.AGENT_START
            pack = ws.opening(input.session, branch, supply=False, repeat=again, instructions=read)
    return (wrapped(pack.text) if pack.text else ""), [citation.id for citation in pack.citations]


def taint_stored(input: HookInput) -> None:
    """Taints what the agent has just stored, if the session had read what strangers can write."""
    with workspace.open(project=input.cwd) as ws:
        ws.taint_stored(input.session)


def with_summary(input: HookInput, answer: HookAnswer) -> HookAnswer:
    """Adds what the session used of the memories that it was given."""
    with workspace.open(project=input.cwd) as ws:
        summary = ws.session_summary(input.session)
    used = sum(use.outcome == USED for _, use in summary.given)
    return HookAnswer(answer.context, answer.given, answer.stored, used, summary.tokens_saved)
