"""Builds the components of background work and health checks, each when it is first used."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from holdfast.core.built_once import built_once
from holdfast.core.errors import InvalidSettings, ModelError
from holdfast.core.frozen import frozen
from holdfast.core.memory import BACKGROUND

if TYPE_CHECKING:
    from holdfast.codegraph.code_components import CodeComponents
    from holdfast.core.memory import Memory
    from holdfast.core.progress import Progress
    from holdfast.core.settings import Settings
    from holdfast.learn.learn_components import ConversationComponents
    from holdfast.llm.chats import Chats
    from holdfast.models.model_components import ModelComponents
    from holdfast.models.protocols import Embedder
    from holdfast.observer.journals import JournalObserver
    from holdfast.store.protocol import Store
    from holdfast.store.writing.memories import Embedding, EmbedNow
    from holdfast.text.removal import SentenceRemoval
    from holdfast.upkeep.doctor import HealthReport
    from holdfast.upkeep.erase import Eraser
    from holdfast.upkeep.jobs import JobResources
    from holdfast.upkeep.runner import Background, JobRunner


@frozen(slots=False, eq=False)
class UpkeepComponents:
    """The components of background work on one store. `embed_now` makes static vectors, if there is such a size."""

    settings: Settings
    store: Store
    models: ModelComponents
    chats: Chats
    conversation: Callable[[], ConversationComponents]
    code: Callable[[], CodeComponents]
    journals: Callable[[], JournalObserver]
    embed_now: EmbedNow
    now: Callable[[], datetime]
    root: str
    project: str
    hook_failures: Callable[[float], Sequence[Mapping[str, Any]]]

    @built_once
    def background(self) -> Background:
        """Starts the background process."""
        from holdfast.upkeep import schedule
        from holdfast.upkeep.runner import Background

        environment = {"HOLDFAST_DB": self.store.address, "HOLDFAST_PROJECT": self.root}

        def any_session_due() -> bool:
            return self.conversation().window.any_due()

        def embedder() -> Embedder | None:
            return self.models.embedder

        def any_code_stale() -> bool:
            return self.code().job.is_due()

        def any_journal_due() -> bool:
            return self.journals().is_due() or self.conversation().journal_messages.is_due()

        def any_erasure() -> bool:
            return bool(self.store.erasure.recorded())

        def any_overdue() -> bool:
            reading, times = self.store.reading, {}
            with suppress(InvalidSettings):  # What was stored is stored; `holdfast upkeep` reports the setting.
                times = schedule.read(self.settings.schedule)
            tried = reading.last_runs(self.project, outcome=None)
            return schedule.any_overdue(times, reading.last_runs(self.project), tried, self.now())

        return Background(
            self.settings, self.store.reading, any_session_due, embedder, self.store.entities.any_pending_names,
            any_code_stale, any_journal_due, any_overdue, any_erasure, self.now, environment,
        )  # fmt: skip

    @built_once
    def resources(self) -> JobResources:
        """The readers, writers and models that jobs use."""
        from holdfast.entities.enrich_job import Enrichment
        from holdfast.entities.link_job import NameLinking
        from holdfast.entities.llm import FIELDS
        from holdfast.models.contextual import passage_text
        from holdfast.upkeep.jobs import JobResources

        store, embedder = self.store, self.models.embedder
        cache = store.cache(embedder.id) if embedder else None
        chat = partial(self.chats.chat, "entities", FIELDS)
        return JobResources(
            store.reading, store.memories, cache, embedder, passage_text, self.embed_now, self.models.code_map,
            self._consolidate, self._reflect,
            Enrichment(self.settings.entities, store.entities, chat, self.now),
            link=NameLinking(store.entities, self.now),
            code=self.code().job,
            unmeasured=self.models.uncached if self.models.card_scales is None else None,
            anchors=self._check_memories,
            observe=self._observe,
            relate=self._relate,
            messages=self._store_messages,
            backup=self._back_up,
            erase=self._erase,
        )  # fmt: skip

    def _check_memories(self, progress: Progress) -> Mapping[str, Any]:
        done = self.code().check_memories()
        return {**done, "dropped": self.store.memories.drop_unused_code(self.project)}

    # The learner is built when these run: its imports are slow, and most runs do not need it.
    def _consolidate(self, progress: Progress) -> Mapping[str, Any]:
        with self.store.memories.together(BACKGROUND):
            return self.conversation().learner.consolidate_due(progress)

    def _back_up(self, progress: Progress) -> Mapping[str, Any]:
        return {"backups": int(self.store.back_up(self.settings.daily_backups))}

    def _erase(self, progress: Progress) -> Mapping[str, Any]:
        return self.eraser.job(progress) if self.store.erasure.recorded() else {"erased": 0}

    def _observe(self, progress: Progress) -> Mapping[str, Any]:
        with self.store.memories.together(BACKGROUND):
            return self.journals()(progress)

    def _relate(self, progress: Progress) -> Mapping[str, Any]:
        return {"related": len(self.journals().observer().relate_modules().promoted)}

    def _store_messages(self, progress: Progress) -> Mapping[str, Any]:
        return self.conversation().journal_messages(progress)

    def _reflect(self, progress: Progress) -> Mapping[str, Any]:
        return self.conversation().learner.reflect_when_due(progress)

    @built_once
    def runner(self) -> JobRunner:
        """Runs jobs in this process."""
        from holdfast.upkeep.jobs import jobs
        from holdfast.upkeep.runner import JobRunner

        store = self.store
        table = jobs(self.resources, self.project)
        return JobRunner(table, self.settings.schedule, store.reading, store.jobs, self.now, self.project)

    @built_once
    def health(self) -> HealthReport:
        """Reports statistics and health."""
        from holdfast.upkeep.doctor import HealthReport

        embedder, check, ceiling = self.models.embedder, self.models.check, self.chats.ceiling
        return HealthReport(
            self.store, embedder, check, ceiling, partial(self.chats.chat, "doctor"), self.now, self.project,
            self.root, self.hook_failures, self._slowest_walk, bool(self.settings.user),
        )  # fmt: skip

    def _slowest_walk(self) -> float:
        return self.code().analysis.slowest_walk()

    @built_once
    def eraser(self) -> Eraser:
        """Erases memories for good."""
        from holdfast.upkeep.erase import Eraser

        def clean_files(project: str, ids: Sequence[str], removal: SentenceRemoval) -> Sequence[str]:
            return self.conversation().erase_from_files(project, ids, removal)

        def without_learning(patience: float) -> AbstractContextManager[object]:
            return replace(self.conversation().lock, patience=patience).acquire()

        return Eraser(self.store, self.project, self.now, clean_files, without_learning)

    def embed_memory(self, memory: Memory) -> Embedding | None:
        """Returns the vector of a memory, for settings that embed at once; None without an embedder that works."""
        from holdfast.upkeep.jobs import embed_passages

        embedder = self.models.embedder
        if embedder is None:
            return None
        if self.models.is_remote:
            embedder = embedder.within(self.settings.search_timeout)
        try:
            return embed_passages(self.resources, embedder, [memory])[0]
        except ModelError:  # The background embeds it later; `stats` and `doctor` say what is wrong.
            return None
