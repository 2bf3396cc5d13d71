"""The background jobs on the store itself: erasing, copying, tidying and embedding."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Protocol

from holdfast.core.job import DAILY, Job

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from holdfast.core.progress import Progress
    from holdfast.core.settings import Settings
    from holdfast.models.chosen_models import ChosenModels
    from holdfast.store.protocol import Store
    from holdfast.upkeep.embed_job import PassageEmbedding
    from holdfast.upkeep.erase import Eraser

_RETRY_AFTER = timedelta(minutes=1)


class StoreParts(Protocol):
    """What the jobs need."""

    settings: Settings
    store: Store
    now: Callable[[], datetime]
    models: ChosenModels
    eraser: Eraser
    embedding: PassageEmbedding


def _erase(parts: StoreParts, progress: Progress) -> Mapping[str, Any]:
    return parts.eraser.job(progress) if _any_erasure(parts) else {"erased": 0}


def _any_erasure(parts: StoreParts) -> bool:
    return bool(parts.store.erasure.recorded())


def _back_up(parts: StoreParts, progress: Progress) -> Mapping[str, Any]:
    return {"backups": int(parts.store.back_up(parts.settings.daily_backups))}


def _evict(parts: StoreParts, progress: Progress) -> Mapping[str, Any]:
    embedder = parts.models.embedder
    return {"evicted": parts.store.cache(embedder.id).evict() if embedder else 0}


def _tidy(parts: StoreParts, progress: Progress) -> Mapping[str, Any]:
    def may_continue() -> bool:
        return progress({"job": "tidy"})

    memories = parts.store.memories
    # Embedding counts words too; without an embedder only this job does.
    return {"joined": memories.join_words(may_continue), "counted": memories.count_words(may_continue)}


def _passages_wait(parts: StoreParts) -> bool:
    """Are there passages without a vector of the chosen size, and did the model not fail a moment ago?"""
    embedder, reading = parts.models.embedder, parts.store.reading
    if embedder is None:
        return False
    wanted = (embedder.id, embedder.size)
    if not (reading.any_pending(*wanted) or reading.any_pending_sentences(*wanted)):
        return False
    run = reading.last_run("embed")
    # A run with a later date comes from a clock that was corrected since.
    is_recent = run is not None and timedelta() <= parts.now() - run.finished_at < _RETRY_AFTER
    return run is None or not is_recent or run.failure_of(embedder.id) is None


ERASE: Job[StoreParts] = Job("erase", _erase, is_due=_any_erasure)
BACKUP: Job[StoreParts] = Job("backup", _back_up, DAILY)
EVICT: Job[StoreParts] = Job("evict", _evict, DAILY)
TIDY: Job[StoreParts] = Job("tidy", _tidy, DAILY, gives_way=True)
EMBED: Job[StoreParts] = Job(
    "embed", lambda parts, progress: parts.embedding(progress), is_due=_passages_wait, gives_way=True
)
