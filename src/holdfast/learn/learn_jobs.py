"""The background jobs that learn from sessions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from holdfast.core.job import SESSIONS, WEEKLY, Job
from holdfast.core.memory import BACKGROUND

if TYPE_CHECKING:
    from collections.abc import Mapping

    from holdfast.core.progress import Progress
    from holdfast.learn.learner import Learner
    from holdfast.learn.window import PromptWindow
    from holdfast.store.protocol import Store


class LearnParts(Protocol):
    """What the jobs need."""

    store: Store
    learner: Learner
    window: PromptWindow


def _consolidate(parts: LearnParts, progress: Progress) -> Mapping[str, Any]:
    with parts.store.memories.together(BACKGROUND):
        return parts.learner.consolidate_due(progress)


CONSOLIDATE: Job[LearnParts] = Job(
    "consolidate", _consolidate, is_due=lambda parts: parts.window.any_due(), after=SESSIONS, of_project=True
)
REFLECT: Job[LearnParts] = Job(
    "reflect", lambda parts, progress: parts.learner.reflect_when_due(progress), WEEKLY, of_project=True
)
