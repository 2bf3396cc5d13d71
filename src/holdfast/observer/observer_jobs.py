"""The background jobs that learn from what agents did."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from holdfast.core.job import SESSIONS, WEEKLY, Job
from holdfast.core.memory import BACKGROUND

if TYPE_CHECKING:
    from collections.abc import Mapping

    from holdfast.core.progress import Progress
    from holdfast.observer.journals import JournalObserver
    from holdfast.observer.observe import Observer
    from holdfast.store.protocol import Store


class ObserverParts(Protocol):
    """What the jobs need."""

    store: Store
    journals: JournalObserver
    observer: Observer


def _observe(parts: ObserverParts, progress: Progress) -> Mapping[str, Any]:
    with parts.store.memories.together(BACKGROUND):
        return parts.journals(progress)


def _relate(parts: ObserverParts, progress: Progress) -> Mapping[str, Any]:
    return {"related": len(parts.observer.relate_modules().promoted)}


OBSERVE: Job[ObserverParts] = Job(
    "observe", _observe, is_due=lambda parts: parts.journals.is_due(), after=SESSIONS, of_project=True
)
RELATE: Job[ObserverParts] = Job("relate", _relate, WEEKLY, of_project=True)
