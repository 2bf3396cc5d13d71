"""The operations of an agent's loop: what it is given during its work."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from holdfast.core.arguments import several
from holdfast.workspace.operation_verbs import Operations

if TYPE_CHECKING:
    from holdfast.core.admission import Admission
    from holdfast.core.answer import Pack
    from holdfast.core.memory_use import MemoryUse, SessionSummary
    from holdfast.observer.qa import QaFailure


class LoopOperations(Operations):
    """Supplies memories to an agent while it works."""

    def opening(
        self,
        session: str | None = None,
        branch: str = "",
        budget: int | None = None,
        supply: bool = True,
        repeat: bool = False,
        instructions: str = "",
    ) -> Pack:
        """What a session starts with: where the work on the branch stands, rules and preferences that always hold.

        Rules that were only mentioned in passing are left to the first prompt, except a few recent ones. With `supply`,
        the memories count as given to the session, which does not get them again unless `repeat`. What `instructions`
        says, such as the text of CLAUDE.md, is left out.
        """
        opening = self.container.opening
        return opening.build(session, branch, budget, supply=supply, repeat=repeat, instructions=instructions)

    def first_prompt(
        self,
        prompt: str,
        session: str | None = None,
        branch: str = "",
        budget: int | None = None,
        supply: bool = True,
        instructions: str = "",
    ) -> Pack:
        """What the first prompt of a session gets: the memories for it, gotchas of the files it names, likely files.

        With `supply`, the memories count as given to the session, which does not get them again. What `instructions`
        says is left out.
        """
        return self.container.first_prompt.build(
            prompt, session, branch, budget, supply=supply, instructions=instructions
        )

    def prefetch(self, task: str, branch: str = "", budget: int | None = None) -> Pack:
        """The contents of the files that a task will probably need first: at most 12 files and 32,000 tokens.

        Learned from the sessions observed so far. Never reads outside the project.
        """
        return self.container.prefetch.build(task, branch, budget)

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

        request = BriefRequest(role, task, several(modules), several(files), work_unit, estimate)
        return self.container.briefs.build(request, budget)

    def step_limit(self, base: int, module: str) -> int:
        """The steps that an agent may take in a module: `base`, raised by what earlier tasks took, at most doubled."""
        from holdfast.inject.step_limit import step_limit

        return step_limit(self.container.reading, self.project, base, module, self.container.settings.max_steps)

    def after_tool(
        self,
        session: str,
        tool: str,
        args: Mapping[str, Any] | None = None,
        result: str = "",
        error: bool = False,
    ) -> Pack:
        """Records a tool call of your agent; what the call calls for, mostly nothing, at most four memories.

        A touched file brings its unseen gotchas, a repeated search the memory that answers it. `tool` and `args` are
        those of the agent: `Read` with `file_path`, `Bash` with `command`, and the names that other agents use.
        """
        return self.container.agent_loop.after_tool(session, tool, args or {}, result, error)

    def before_step(self, session: str, step: int) -> Pack:
        """What the latest tool calls of a session call for; for agents that add memory between tool results.

        Nothing in the first five steps, and nothing that the session was given before.
        """
        return self.container.agent_loop.before_step(session, step)

    def lasting_statements(self, prompt: str, before: str = "") -> list[str]:
        """The sentences of a person's prompt that may matter in later sessions, at most three; judged by words alone.

        Of a command such as `/clear`, and of more than 1,500 characters, which are mostly pasted, there are none.

        Ask your agent about them: it knows the conversation, and calls `remember` with one clear sentence and the
        person's words as its `quote`. `before` is what the agent said last.
        """
        from holdfast.inject.request import lasting

        return lasting(prompt, before)

    def record_outcome(
        self,
        succeeded: bool,
        work_unit: Mapping[str, str],
        steps_planned: int | None = None,
        steps_taken: int | None = None,
        qa_rounds: int | None = None,
        files: Iterable[str] = (),
        report: str = "",
        session: str | None = None,
        modules: Iterable[str] = (),
        qa_passed: bool | None = None,
        failures: Iterable[QaFailure] = (),
        kind: str = "build",
    ) -> tuple[Admission, ...]:
        """Stores how a unit of work ended and, if `report` says it, where the work stands; replaces what was stored of
        the unit before.

        `work_unit` names the unit by the levels of the methodology: `{"spec": "042"}`, `{"epic": "3", "story": "7"}`.
        If it succeeded, what its session showed so far is learned at once, and its steps calibrate the plans of later
        work in `modules`, by default the folder of most of the files. `qa_passed` is the verdict of quality assurance,
        `failures` what it found; `kind` is that of the session (see `observe`).
        """
        from holdfast.core.methodology import WorkResult
        from holdfast.observer.session_kinds import check_kind

        result = WorkResult(succeeded, steps_planned, steps_taken, qa_rounds, several(files))
        answers = self.container.outcomes.record(work_unit, result, report, session, several(modules), failures)
        if session:
            outcome = "succeeded" if succeeded else "failed"
            self.container.agent_loop.report(session, check_kind(kind), qa_passed, outcome=outcome, begin=False)
        if succeeded and session:
            self.container.journals.observe_session(session)
        return self._then_wake(answers)

    def record_use(self, id: str, outcome: str, session: str | None = None) -> MemoryUse:
        """Records what became of a memory that was given: `used`, `ignored` or `contradicted`.

        Holds against what the events of the session suggest. Without `session`, it is the last one that was given the
        memory. `used` counts as a use, `contradicted` marks the memory for review.
        """
        return self.container.stated_uses.record(self.container.review.get(id), outcome, session)

    def session_summary(self, session: str) -> SessionSummary:
        """What memory did for a session: what it was given and what became of that, what was learned, tokens saved."""
        return self.container.summaries.summary(session)
