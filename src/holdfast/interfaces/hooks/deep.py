"""Looks into memory with the whole workspace: at the start of a session and at its first prompt."""

from __future__ import annotations

from holdfast import workspace
from holdfast.core.citation import wrapped
from holdfast.core.project import head_branch
from holdfast.inject import hook_input as points
from holdfast.inject.hook_input import HookInput


def look(input: HookInput) -> tuple[str, list[str]]:
    """The context for the prompt and the ids of its memories; empty if memory has nothing for it."""
    with workspace.open(project=input.cwd, wait_for_model=False) as ws:
        if input.point == points.PROMPT:
            pack = ws.first_prompt(input.text, input.session, head_branch(input.cwd))
        else:
            pack = ws.opening(input.session)
    return (wrapped(pack.text) if pack.text else ""), [citation.id for citation in pack.citations]
