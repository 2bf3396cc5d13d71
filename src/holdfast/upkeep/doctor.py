"""Reports the statistics of a store, and the health of the store and of the models."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from holdfast.core.errors import ModelError, ModelUnreachable
from holdfast.core.frozen import frozen
from holdfast.core.health import Health, HealthFinding, HealthLevel, Stats
from holdfast.core.reason import Reason
from holdfast.models.unavailable import UnavailableEmbedder
from holdfast.system.files import readable_by_others
from holdfast.upkeep import background
from holdfast.upkeep.embed_job import model_failed
from holdfast.upkeep.upkeep_reasons import UpkeepCode

if TYPE_CHECKING:
    from holdfast.core.vector_size import VectorSize
    from holdfast.llm.ceiling import Ceiling
    from holdfast.models.guarded import GuardedEmbedder
    from holdfast.models.protocols import Chat
    from holdfast.store.protocol import Store

_RECENT = timedelta(days=7)
# Above this number of files and symbols, or seconds of a walk, questions about code may take noticeably long.
_MOST_CODE, _SLOWEST_WALK = 50_000, 0.1
# Enough tokens for a model that thinks before it answers.
_SHORT_ANSWER = 256


@frozen
class HealthReport:
    """Examines one store for one project. `check_models` raises ModelError if the embedder does not work.

    `hook_failures` reads the log of hooks from a time on. `slowest_walk` measures questions about code, in seconds.
    If it `is_of_person`, what other people store in the same file is not counted.
    """

    store: Store
    embedder: GuardedEmbedder | None
    check_models: Callable[[], None]
    ceiling: Ceiling
    chat: Callable[[], Chat | None]
    now: Callable[[], datetime]
    project: str
    root: str
    hook_failures: Callable[[float], Sequence[Mapping[str, Any]]]
    slowest_walk: Callable[[], float]
    is_of_person: bool = False

    def stats(self, project: str, project_name: str, root: str) -> Stats:
        """Returns the counts of stored items and the state of background work."""
        reading, embedder = self.store.reading, self.embedder
        sizes, waiting, improvable = self._vectors()
        lease = reading.lease(background.LEASE)
        running = background.is_running(reading, self.now())
        return Stats(
            project=project,
            project_name=project_name,
            root=root,
            db=self.store.address,
            bytes=self.store.size(),
            by_type=reading.count_by_type(project),
            **reading.count_documents(project),
            code=reading.code_state(project),
            totals=reading.totals(project if self.is_of_person else None),
            embedder=embedder.id if embedder else None,
            vectors={size.name.lower(): count for size, count in sizes.items()},
            waiting=waiting,
            improvable=improvable,
            problem=self._problem() if waiting or improvable else None,
            background={"holder": lease.holder, **lease.progress} if lease and running else None,
            jobs=reading.job_runs(10),
            llm=self.ceiling.spent(),
        )

    def _problem(self) -> Reason | None:
        """Why passages cannot be embedded, as far as it is known without calling the model."""
        embedder = self.embedder
        if embedder is None:
            return None
        if isinstance(embedder.uncached, UnavailableEmbedder):
            return model_failed(embedder.id, embedder.uncached.error)
        run = self.store.reading.last_run("embed")
        failure = run.failure_of(embedder.id) if run is not None else None
        return None if failure is None else Reason.of(UpkeepCode.MODEL_FAILED, model=embedder.id, error=failure)

    def _vectors(self) -> tuple[Mapping[VectorSize, int], int, int]:
        """The number of vectors by size, of passages without one, and of passages with a smaller one than chosen."""
        embedder, reading = self.embedder, self.store.reading
        if embedder is None:
            return {}, 0, 0
        sizes = reading.count_by_size(embedder.id)
        improvable = sum(count for size, count in sizes.items() if size < embedder.size)
        return sizes, reading.count_pending(embedder.id), improvable

    def doctor(self, repair: bool) -> Health:
        """Checks the store and the model; with `repair`, rebuilds derived data first."""
        repairs = self.store.health.repair() if repair else ()
        found = (
            *self.store.health.examine(),
            *self._files(),
            self._model(),
            *self._llm(),
            *self._code(),
            self._hooks(),
        )
        return Health(found, repairs)

    def _files(self) -> Iterator[HealthFinding]:
        """Yields a warning if other users may read the conversations in the project's folder."""
        folder = os.path.join(self.root, ".holdfast")
        exposed = next(readable_by_others(folder), None)
        if exposed is not None:
            readable = Reason.of(UpkeepCode.FILES_READABLE, path=exposed)
            hint = Reason.of(UpkeepCode.HIDE_FILES, path=folder)
            yield HealthFinding("files", HealthLevel.WARNING, readable, hint)

    def _code(self) -> Iterator[HealthFinding]:
        """Yields the state of the code index; nothing if the project was never indexed."""
        state = self.store.reading.code_state(self.project)
        if state.stale:
            reason = Reason.of(UpkeepCode.CODE_STALE, files=state.files, stale=state.stale)
            yield HealthFinding("code", HealthLevel.WARNING, reason, Reason.of(UpkeepCode.RUN_INDEX))
        elif state.files + state.symbols > _MOST_CODE or (state.files and self.slowest_walk() > _SLOWEST_WALK):
            large = Reason.of(UpkeepCode.CODE_LARGE, files=state.files, symbols=state.symbols)
            yield HealthFinding("code", HealthLevel.WARNING, large, Reason.of(UpkeepCode.INDEX_LESS))
        elif state.files:
            current = Reason.of(UpkeepCode.CODE_CURRENT, files=state.files, symbols=state.symbols, edges=state.edges)
            yield HealthFinding("code", HealthLevel.GOOD, current)

    def _model(self) -> HealthFinding:
        embedder = self.embedder
        if embedder is None:
            reason, hint = Reason.of(UpkeepCode.KEYWORDS_ONLY), Reason.of(UpkeepCode.SET_EMBEDDER)
            return HealthFinding("model", HealthLevel.WARNING, reason, hint)
        try:
            self.check_models()
        except ModelError as error:
            # An endpoint may be back in a moment, a damaged model is not.
            level = HealthLevel.WARNING if isinstance(error, ModelUnreachable) else HealthLevel.BAD
            hint = Reason.of(UpkeepCode.MODEL_HINT, hint=error.hint)
            return HealthFinding("model", level, model_failed(embedder.id, error), hint)
        _, waiting, improvable = self._vectors()
        if waiting:
            reason = Reason.of(UpkeepCode.EMBEDDINGS_PENDING, model=embedder.id, count=waiting)
            return HealthFinding("model", HealthLevel.WARNING, reason, Reason.of(UpkeepCode.RUN_EMBED))
        if improvable:
            reason = Reason.of(UpkeepCode.EMBEDDINGS_IMPROVABLE, model=embedder.id, count=improvable)
            return HealthFinding("model", HealthLevel.GOOD, reason)
        complete = Reason.of(UpkeepCode.EMBEDDINGS_COMPLETE, model=embedder.id)
        return HealthFinding("model", HealthLevel.GOOD, complete)

    def _llm(self) -> Iterator[HealthFinding]:
        """Yields whether the language model answers one short question; nothing if the settings name none."""
        chat = self.chat()
        if chat is None:
            return
        try:
            chat.complete("You check a connection.", "Answer with the word ready.", max_tokens=_SHORT_ANSWER)
        except ModelError as error:
            failed = Reason.of(UpkeepCode.LLM_FAILED, model=chat.id, error=error.detail or error.what)
            hint = Reason.of(UpkeepCode.MODEL_HINT, hint=error.hint)
            yield HealthFinding("llm", HealthLevel.WARNING, failed, hint)
        else:
            yield HealthFinding("llm", HealthLevel.GOOD, Reason.of(UpkeepCode.LLM_ANSWERS, model=chat.id))

    def _hooks(self) -> HealthFinding:
        """Did hooks of agents fail in the last days?"""
        failures = self.hook_failures((self.now() - _RECENT).timestamp())
        if not failures:
            return HealthFinding("hooks", HealthLevel.GOOD, Reason.of(UpkeepCode.HOOKS_WORK))
        last = failures[-1]
        values = {"count": len(failures), "hook": str(last.get("hook")), "error": str(last.get("error"))}
        hint = Reason.of(UpkeepCode.HOOKS_HINT)
        return HealthFinding("hooks", HealthLevel.WARNING, Reason.of(UpkeepCode.HOOKS_FAILED, **values), hint)
