"""Builds what an agent is given during its work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.core.built_once import later
from holdfast.inject.gated import passes
from holdfast.inject.opening import Opening
from holdfast.inject.session_summaries import SessionSummaries

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from holdfast.container import Container
    from holdfast.core.memory import Memory
    from holdfast.inject.agent_loop import AgentLoop
    from holdfast.inject.briefs import Briefs
    from holdfast.inject.context import ContextBuilder
    from holdfast.inject.first_prompt import FirstPrompt
    from holdfast.inject.outcomes import WorkOutcomes
    from holdfast.inject.prefetch import Prefetch
    from holdfast.inject.stated_uses import StatedUses


def opening(c: Container) -> Opening:
    return Opening(
        reading=c.reading,
        usage=c.usage,
        tokens=c.models.tokens,
        types=c.types,
        format_work_state=c.methodology.format_work_state,
        project=c.project,
        near_duplicate=c.settings.near_duplicate,
        passes=_gate(c),
        notes=c.summaries.notes,
    )


def summaries(c: Container) -> SessionSummaries:
    folder = c.store.data_folder.journals(c.project)
    return SessionSummaries(c.reading, c.store.usage, c.models.tokens, c.project, folder)


def context(c: Container) -> ContextBuilder:
    from holdfast.inject.context import ContextBuilder

    return ContextBuilder(c.recaller, c.models.tokens, c.types, c.settings.near_duplicate)


def first_prompt(c: Container) -> FirstPrompt:
    from holdfast.inject.first_prompt import FirstPrompt

    return FirstPrompt(c.recaller, c.models.tokens, _predictor(c), _gate(c), c.settings.near_duplicate, c.root)


def briefs(c: Container) -> Briefs:
    from holdfast.inject.briefs import Briefs

    return Briefs(c.recaller, c.models.tokens, lambda: c.methodology, _predictor(c), _gate(c))


def prefetch(c: Container) -> Prefetch:
    from holdfast.inject.prefetch import Prefetch

    return Prefetch(_predictor(c), c.models.tokens, c.redact, c.root)


def agent_loop(c: Container) -> AgentLoop:
    from holdfast.inject.agent_loop import AgentLoop
    from holdfast.system.light_settings import HookSettings

    own, store = c.settings, c.store
    light = HookSettings(
        store.address, store.data_folder, own.project, own.identity, own.inject, own.trust_level, ask_agent=False
    )
    return AgentLoop(
        light, c.identity, c.project, c.reading, c.models.tokens, lambda: c.first_prompt,
        later(lambda: c.journals.observe_session),
    )  # fmt: skip


def outcomes(c: Container) -> WorkOutcomes:
    from holdfast.inject.outcomes import WorkOutcomes

    return WorkOutcomes(c.methodology, c.teaching.remember_all, c.observer.calibrate, c.reading, c.project)


def stated_uses(c: Container) -> StatedUses:
    from holdfast.inject.stated_uses import StatedUses

    return StatedUses(c.store.usage, c.review.flag, c.now, c.project)


def _predictor(c: Container) -> Callable[[str, str], Sequence[str]]:
    """What names the files that a task will probably need first."""

    def predict(task: str, branch: str) -> Sequence[str]:
        from holdfast.observer.file_prediction import likely_files

        return likely_files(c.store.observations, c.project, c.root, task, branch)

    return predict


def _gate(c: Container) -> Callable[[Memory], bool]:
    """What decides whether a memory may enter a prompt."""
    return lambda memory: passes(memory, c.now(), c.settings.trust_level)
