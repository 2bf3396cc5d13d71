"""Builds what agents are given during their work, each part on first use."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from holdfast.core.built_once import built_once
from holdfast.core.frozen import frozen

if TYPE_CHECKING:
    from holdfast.core.memory import Memory
    from holdfast.core.memory_types import TypeRegistry
    from holdfast.core.methodology import Methodology
    from holdfast.core.settings import Settings
    from holdfast.inject.agent_loop import AgentLoop
    from holdfast.inject.briefs import Briefs
    from holdfast.inject.first_prompt import FirstPrompt
    from holdfast.inject.opening import Opening
    from holdfast.inject.outcomes import WorkOutcomes
    from holdfast.inject.prefetch import Prefetch
    from holdfast.inject.session_summaries import SessionSummaries
    from holdfast.inject.stated_uses import StatedUses
    from holdfast.intake.teaching import Teaching
    from holdfast.models.model_components import ModelComponents
    from holdfast.observer.journals import JournalObserver
    from holdfast.observer.observe import Observer
    from holdfast.recall.recaller import Recaller
    from holdfast.recall.usage_counter import UsageCounter
    from holdfast.store.protocol import Store
    from holdfast.system.project import ProjectIdentity


@frozen(slots=False, eq=False)
class InjectComponents:
    """Injection for one project."""

    settings: Settings
    store: Store
    usage: UsageCounter
    models: ModelComponents
    types: TypeRegistry
    recaller: Callable[[], Recaller]
    methodology: Callable[[], Methodology]
    redact: Callable[[str], str]
    journals: Callable[[], JournalObserver]
    observer: Callable[[], Observer]
    teaching: Callable[[], Teaching]
    now: Callable[[], datetime]
    identity: ProjectIdentity
    project: str
    root: str

    @built_once
    def opening(self) -> Opening:
        """What a session starts with."""
        from holdfast.inject.opening import Opening

        return Opening(
            reading=self.store.reading,
            usage=self.usage,
            tokens=self.models.tokens,
            types=self.types,
            format_work_state=self.methodology().format_work_state,
            project=self.project,
            near_duplicate=self.settings.near_duplicate,
            passes=self._passes,
            notes=self.summaries.notes,
        )

    @built_once
    def first_prompt(self) -> FirstPrompt:
        """What the first prompt of a session gets."""
        from holdfast.inject.first_prompt import FirstPrompt

        recaller, tokens, alike = self.recaller(), self.models.tokens, self.settings.near_duplicate
        return FirstPrompt(recaller, tokens, self.predict, self._passes, alike, self.root)

    @built_once
    def prefetch(self) -> Prefetch:
        """Reads the files that a task will need."""
        from holdfast.inject.prefetch import Prefetch

        return Prefetch(self.predict, self.models.tokens, self.redact, self.root)

    @built_once
    def briefs(self) -> Briefs:
        """What an agent in a role should know."""
        from holdfast.inject.briefs import Briefs

        return Briefs(self.recaller(), self.models.tokens, self.methodology, self.predict, self._passes)

    @built_once
    def summaries(self) -> SessionSummaries:
        """What memory did for sessions."""
        from holdfast.inject.session_summaries import SessionSummaries

        store, folder = self.store, self.store.data_folder.journals(self.project)
        return SessionSummaries(store.reading, store.usage, self.models.tokens, self.project, folder)

    @built_once
    def outcomes(self) -> WorkOutcomes:
        """Records how units of work ended."""
        from holdfast.inject.outcomes import WorkOutcomes

        learn, calibrate = self.teaching().remember_all, self.observer().calibrate
        return WorkOutcomes(self.methodology(), learn, calibrate, self.store.reading, self.project)

    @built_once
    def loop(self) -> AgentLoop:
        """Answers the steps of an agent."""
        from holdfast.inject.agent_loop import AgentLoop
        from holdfast.system.light_settings import HookSettings

        own, store = self.settings, self.store
        light = HookSettings(
            store.address, store.data_folder, own.project, own.identity, own.inject, own.trust_level, ask_agent=False
        )
        return AgentLoop(
            light, self.identity, self.project, self.store.reading, self.models.tokens, lambda: self.first_prompt,
            lambda session: self.journals().observe_session(session),
        )  # fmt: skip

    def stated_uses(self, flag: Callable[[str, str], Memory]) -> StatedUses:
        """Records what became of a memory because somebody says so."""
        from holdfast.inject.stated_uses import StatedUses

        return StatedUses(self.store.usage, flag, self.now, self.project)

    def step_limit(self, base: int, module: str) -> int:
        """How many steps an agent may take in a module."""
        from holdfast.inject.step_limit import step_limit

        return step_limit(self.store.reading, self.project, base, module, self.settings.max_steps)

    def predict(self, task: str, branch: str) -> Sequence[str]:
        """The files that a task will probably need first."""
        from holdfast.observer.file_prediction import likely_files

        return likely_files(self.store.observations, self.project, self.root, task, branch)

    def _passes(self, memory: Memory) -> bool:
        from holdfast.inject.gated import passes

        return passes(memory, self.now(), self.settings.trust_level)
