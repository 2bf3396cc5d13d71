"""The operations of an agent's loop: what it is given during its work."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from holdfast.workspace.operations import Operations

if TYPE_CHECKING:
    from holdfast.core.answer import Pack
    from holdfast.core.memory_use import SessionSummary


class LoopOperations(Operations):
    """Supplies memories to an agent while it works."""

    def opening(self, session: str | None = None, budget: int | None = None, supply: bool = True) -> Pack:
        """What a session starts with: where the work stands, and the rules and preferences that always hold.

        With `supply`, the memories count as given to the session, which does not get them again.
        """
        return self.container.inject.opening.build(session, budget, supply=supply)

    def first_prompt(
        self,
        prompt: str,
        session: str | None = None,
        branch: str = "",
        budget: int | None = None,
        supply: bool = True,
    ) -> Pack:
        """What the first prompt of a session gets: the memories for it, gotchas of the files it names, likely files.

        With `supply`, the memories count as given to the session, which does not get them again.
        """
        return self.container.inject.first_prompt.build(prompt, session, branch, budget, supply=supply)

    def prefetch(self, task: str, branch: str = "", budget: int | None = None) -> Pack:
        """The contents of the files that a task will probably need first: at most 12 files and 32,000 tokens.

        Learned from the sessions observed so far. Never reads outside the project.
        """
        return self.container.inject.prefetch.build(task, branch, budget)

    def brief(
        self,
        role: str,
        task: str,
        modules: Iterable[str] = (),
        files: Iterable[str] = (),
        work_unit: str = "",
        estimate: int | None = None,
        budget: int | None = None,
    ) -> Pack:
        """What an agent should know before it begins, as `planner`, `coder`, `qa` or in a stage of the methodology.

        `estimate` is the planned number of steps: a planner gets it multiplied by what earlier tasks took. With
        `work_unit`, a stage gets what the stage before it stored with the tag `stage:NAME` for this unit of work.
        """
        from holdfast.inject.briefs import BriefRequest

        request = BriefRequest(role, task, tuple(modules), tuple(files), work_unit, estimate)
        return self.container.inject.briefs.build(request, budget)

    def step_limit(self, base: int, module: str) -> int:
        """The steps that an agent may take in a module: `base`, raised by what earlier tasks took, at most doubled."""
        return self.container.inject.step_limit(base, module)

    def session_summary(self, session: str) -> SessionSummary:
        """What memory did for a session: what it was given and what became of that, what was learned, tokens saved."""
        return self.container.inject.summaries.summary(session)
