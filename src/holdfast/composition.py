"""The composition root: builds every part of the house once, when it is first needed, and lets the rooms meet."""

from __future__ import annotations

import os
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from datetime import datetime
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from holdfast.core import paths
from holdfast.core import settings as settings_
from holdfast.core.admission import Admission
from holdfast.core.answer import Filters, Recall
from holdfast.core.clock import SystemClock
from holdfast.core.errors import HoldfastError, InvalidFile, NotFound, StoreBusy
from holdfast.core.ids import Ids
from holdfast.core.memory import EPISODE, Memory
from holdfast.core.memory_types import TypeRegistry
from holdfast.core.project import ProjectIdentity, read_identity, relative
from holdfast.core.settings import Settings
from holdfast.store.sqlite.store import SqliteStore

# Why the other rooms are imported where they are used: most calls need one of them, and start-up is felt.
if TYPE_CHECKING:
    from pathlib import Path

    from holdfast.conversation.ceiling import Ceiling
    from holdfast.conversation.consolidate import Consolidation, ConsolidationReport
    from holdfast.conversation.consolidation_lock import ConsolidationLock
    from holdfast.conversation.memory_files.views import FileViews
    from holdfast.conversation.near import SimilarSearch
    from holdfast.conversation.reflect import Reflector
    from holdfast.conversation.window import PromptWindow
    from holdfast.core.churn import Churn
    from holdfast.core.health import HealthFinding
    from holdfast.core.methodology import Methodology
    from holdfast.documents.clean import DocumentCleaner
    from holdfast.documents.decisions import DecisionRecords
    from holdfast.documents.index import Indexer
    from holdfast.documents.library import Library
    from holdfast.entities.registry import Registry
    from holdfast.intake.intake import Intake
    from holdfast.intake.messages import FindNames, MessageIntake
    from holdfast.models.cached import CachedEmbedder
    from holdfast.models.late_interaction import LateInteraction
    from holdfast.models.protocols import Chat, Reranker, TokenCounter
    from holdfast.recall.hyde import HydeResources
    from holdfast.recall.modes import Temporal
    from holdfast.recall.question import Embedded, Question
    from holdfast.recall.recipes import RecallResources, Recipe
    from holdfast.recall.usage import UsageCounter
    from holdfast.store.writing.memories import Embedding
    from holdfast.upkeep.jobs import Job, JobResources, Progress

_NEIGHBOURS = 6
_NEIGHBOUR_WORDS = 12
_NEIGHBOUR_EFFORT = 80
# From this share of CJK characters on, a question is not put to a model that cannot read them.
_UNREAD = 0.3
_IMAGINE_SECONDS = 5.0
# Longer than any transcript takes.
_IMPORT_PATIENCE = 600.0


class Composition(ABC):
    """The rooms of one project's memory, opened. Safe to use from several threads."""

    def __init__(self, settings: Settings, clock: SystemClock, types: TypeRegistry) -> None:
        self.settings = settings
        self.types = types
        self._register_types()
        self._now = clock.now
        self._ids = Ids()
        self._last_query: dict[str, Embedded] = {}
        self._data = paths.data_folder(os.environ)
        self._store = SqliteStore(
            os.path.abspath(settings.db or os.path.join(self._data, "holdfast.db")),
            now=self._now,
            ids=self._ids,
            busy_seconds=settings.busy_seconds,
            all_durable=settings.durability == "everything",
        )
        self._reading = self._store.reading
        try:
            self._identity, self.project = self._find_project(settings.project)
        except HoldfastError:
            self._store.close()
            raise

    @property
    def root(self) -> str:
        """The folder of the project."""
        return str(self._identity.root)

    @property
    def project_name(self) -> str:
        """The project's name, for people."""
        return str(self._identity.name)

    @property
    def db(self) -> str:
        """The database file."""
        return self._store.path

    # -- verbs of the façade that a person's edit of MEMORY.md goes through ---------------------------------------

    @abstractmethod
    def get(self, id: str) -> Memory: ...
    @abstractmethod
    def remember(
        self,
        text: str,
        type: str = "fact",
        files: Iterable[str] = (),
        tags: Iterable[str] = (),
        session: str | None = None,
        source: str = "user_taught",
        when: datetime | None = None,
        **fields: Any,
    ) -> Admission: ...
    @abstractmethod
    def correct(
        self, id: str, text: str, reason: str = "", how: str = "inaccurate", source: str = "user_taught"
    ) -> Admission: ...
    @abstractmethod
    def forget(self, id: str, reason: str = "") -> Memory: ...

    # -- built once, when first needed --------------------------------------------------------------------------

    @cached_property
    def _embedder(self) -> CachedEmbedder | None:
        if self.settings.embedder == "none":
            return None
        from holdfast.intake.secrets import redact
        from holdfast.models.cached import CachedEmbedder
        from holdfast.models.choice import choose_embedder

        inner = choose_embedder(self.settings, self._models_folder, redact=redact)
        if inner is None:
            return None
        return CachedEmbedder(inner, self._store.cache(inner.id))

    @cached_property
    def _late_interaction(self) -> LateInteraction | None:
        """The closer look, when the embedder is one that offers it."""
        if self._embedder is None:
            return None
        from holdfast.models.late_interaction import LateInteraction
        from holdfast.models.local import LocalEmbedder

        inner = self._embedder.inner
        return LateInteraction(inner) if isinstance(inner, LocalEmbedder) and LateInteraction.fits(inner.id) else None

    @cached_property
    def _methodology(self) -> Methodology:
        from holdfast.core.methodology import methodology

        return methodology(self.settings.methodology)

    @cached_property
    def _recall_resources(self) -> RecallResources:
        from holdfast.recall.recipes import RecallResources

        return RecallResources(
            self._reading,
            self._embed_question,
            self.settings.per_session,
            mentions=self._store.entities,
            names=self._named_in,
            scales=self._fading,
            reranker=self._reranker,
            hyde=self._imagination,
            types=self.types,
        )

    @cached_property
    def _churn(self) -> Churn:
        from holdfast.core.churn import Churn

        return Churn(self.root, self._now)

    @cached_property
    def _reranker(self) -> Reranker | None:
        if not self.settings.rerank_url:
            return None
        from holdfast.intake.secrets import redact
        from holdfast.models.choice import choose_reranker

        return choose_reranker(self.settings, redact=redact)

    @cached_property
    def _imagination(self) -> HydeResources | None:
        chat = self._chat("imagine", seconds=_IMAGINE_SECONDS)
        if chat is None:
            return None
        from holdfast.recall.hyde import HydeResources
        from holdfast.recall.pipeline import sure

        return HydeResources(chat, self._embedder, self._tokens, sure)

    @cached_property
    def _ceiling(self) -> Ceiling:
        from holdfast.conversation.ceiling import Ceiling

        limits = (self.settings.llm_daily_calls, self.settings.llm_daily_tokens)
        return Ceiling(self._store.sessions, self._now, *limits)

    @cached_property
    def _window(self) -> PromptWindow:
        from datetime import timedelta

        from holdfast.conversation.window import PromptWindow

        idle = timedelta(minutes=self.settings.idle_minutes)
        limits = (self.settings.memory_window, self.settings.memory_keep)
        return PromptWindow(self._store.sessions, self.project, self._now, *limits, idle)

    @cached_property
    def _turns(self) -> ConsolidationLock:
        from holdfast.conversation.consolidation_lock import ConsolidationLock

        return ConsolidationLock(self._store.jobs, self._reading.lease, self._now)

    @cached_property
    def _near(self) -> SimilarSearch:
        from holdfast.conversation.near import SimilarSearch

        embedder = self._embedder if self._late_interaction is not None else None
        return SimilarSearch(self._reading, self._recall_resources, self.types, self._now, self.project, embedder)

    @cached_property
    def _consolidation(self) -> Consolidation:
        from holdfast.conversation.consolidate import Consolidation, RuleExtractor
        from holdfast.conversation.extract import amended, learn
        from holdfast.conversation.extract.summary import summarise
        from holdfast.conversation.llm_extractor import CONFLICT_FIELDS, PAGE_FIELDS, LlmExtractor
        from holdfast.conversation.resolve import ConflictResolver
        from holdfast.intake.secrets import redact
        from holdfast.trust.statements import compare

        pages, conflicts = self._chat("consolidate", PAGE_FIELDS), self._chat("conflict", CONFLICT_FIELDS)
        return Consolidation(
            sessions=self._store.sessions,
            intake=self._intake,
            queue=self._turns,
            judge=ConflictResolver(compare, amended, self.settings.near_duplicate),
            near=self._near,
            extractor=RuleExtractor(learn, summarise),
            types=self.types,
            ids=self._ids,
            now=self._now,
            project=self.project,
            redact=redact,
            asking=LlmExtractor(pages, conflicts, self.types) if pages and conflicts else None,
        )

    @cached_property
    def _reflector(self) -> Reflector:
        from holdfast.conversation.extract.reflection import reflect
        from holdfast.conversation.reflect import FIELDS, Reflector

        chat = self._chat("reflect", FIELDS)
        return Reflector(self._reading, self._intake, self._turns, self._now, self.project, reflect, chat)

    @cached_property
    def _counting(self) -> UsageCounter:
        from holdfast.recall.usage import UsageCounter

        return UsageCounter(self._store.usage, self.project, self._now)

    @cached_property
    def _tokens(self) -> TokenCounter:
        from holdfast.models.tokens import PromptTokens

        return PromptTokens()

    @cached_property
    def _intake(self) -> Intake:
        from holdfast.intake.intake import Intake

        return Intake(
            memories=self._store.memories,
            neighbours=self._neighbours,
            types=self.types,
            ids=self._ids,
            now=self._now,
            project=self.project,
            root=self.root,
            max_characters=self.settings.max_characters,
            near_duplicate=self.settings.near_duplicate,
            embed=self._embed_memory if self.settings.embed_when == "now" else None,
            names=self._names,
        )

    @cached_property
    def _names(self) -> FindNames | None:
        if self.settings.entities == "none":
            return None
        from holdfast.entities.strategies import extract_mentions

        return extract_mentions

    @cached_property
    def _message_intake(self) -> MessageIntake:
        from holdfast.conversation.window import WorkNotifier
        from holdfast.intake.messages import MessageIntake

        limit = self.settings.max_episode_characters
        # Why without vectors: while a conversation goes on, nothing is embedded beside it; that follows when it closes.
        wake = partial(self._wake_background, sessions=True, vectors=False)
        attention = WorkNotifier(wake, self.settings.memory_keep)
        heard = (attention.heard, self._write_through)
        return MessageIntake(self._store.memories, self._ids, self._now, self.project, limit, self._names, heard)

    @cached_property
    def _views(self) -> FileViews:
        from pathlib import Path

        from holdfast.conversation.memory_files.believed import BelievedMemories
        from holdfast.conversation.memory_files.folder import Folder
        from holdfast.conversation.memory_files.sync import EditActions, MemoryFile
        from holdfast.conversation.memory_files.views import FileViews
        from holdfast.intake.secrets import redact

        folder, sessions = Folder(Path(self.root)), self._store.sessions
        verbs = EditActions(self.correct, self._put_in_place, self.remember, self.forget)
        rows = BelievedMemories(self._reading, self.project, self.types)
        memory = MemoryFile(folder, self.project, rows, verbs, sessions, self._now, redact)
        return FileViews(folder, self.project, sessions, memory)

    @cached_property
    def _registry(self) -> Registry:
        from holdfast.entities.registry import Registry

        return Registry(self._store.entities, self.project, self._now)

    @cached_property
    def _library(self) -> Library:
        from holdfast.documents.library import Library

        return Library(self._store.documents, self._ids, self._now, self.project, self.root)

    def _indexer(self, preset: str) -> Indexer:
        from holdfast.documents.index import Indexer
        from holdfast.documents.rules import chosen

        rules = chosen(preset, self.settings.index_roots, self.settings.index_ignore)
        largest = self.settings.index_max_bytes
        return Indexer(self._library, self._store.links, rules, largest, self._refresh_documents)

    def _refresh_documents(self) -> object:
        """References, ranks and successors of the documents, after they changed."""
        from holdfast.documents.graph import DocumentGraph

        return DocumentGraph(self._store.links, self._decisions.refresh).refresh(self.project)

    @cached_property
    def _decisions(self) -> DecisionRecords:
        from holdfast.documents.decisions import DecisionRecords

        # Why without neighbours: a record is known by its document, and like records decide different things.
        intake = replace(self._intake, neighbours=lambda project, text: ())
        return DecisionRecords(self._store.links, self._reading, intake.admit_all)

    @property
    def _cleaning(self) -> DocumentCleaner:
        from holdfast.documents.clean import DocumentCleaner

        embedder = self._embedder.id if self._embedder else None
        return DocumentCleaner(self._store.cleaning, self._reading, self._ids, self._now, self.project, embedder)

    @cached_property
    def _job_resources(self) -> JobResources:
        from holdfast.models.contextual import passage_text, views_of
        from holdfast.upkeep.jobs import JobResources

        embedder = self._embedder
        cache = self._store.cache(embedder.id) if embedder else None
        made_with = (
            self._reading,
            self._store.memories,
            cache,
            embedder,
            passage_text,
            self._late_interaction,
            views_of,
        )
        return JobResources(*made_with, self._consolidate_due, self._reflect_when_due, self._enrich)

    @cached_property
    def _models_folder(self) -> Path:
        from pathlib import Path

        return Path(self.settings.models_folder or os.path.join(self._data, "models"))

    # -- how the rooms meet -------------------------------------------------------------------------------------

    def _ask(
        self, question: Question, recipe: str | Recipe, abstain: bool, imagine: bool, mode: Temporal | None
    ) -> Recall:
        from holdfast.recall import modes, pipeline
        from holdfast.recall.recipes import build, named

        chosen = named(recipe)
        resources = self._recall_resources if imagine else replace(self._recall_resources, hyde=None)
        steps = (*build(chosen, resources), *modes.ordering(mode))
        threshold = self.settings.abstain_below if abstain else None
        return pipeline.ask(question, chosen.name, steps, self._reading, threshold)

    def _chat(self, purpose: str, fields: Iterable[str] = (), seconds: float | None = None) -> Chat | None:
        """The language model the settings name, if any, for a purpose; under the ceiling."""
        if not self.settings.llm_url:
            return None
        from holdfast.conversation.limited_chat import limited_chat
        from holdfast.intake.secrets import redact

        patience = seconds or self.settings.http_timeout
        return limited_chat(self.settings, purpose, self._ceiling, patience, redact=redact, fields=tuple(fields))

    def _enrich(self, progress: Progress) -> Mapping[str, Any]:
        """Reads again where few names were found: with the language model if there is one, else without."""
        from holdfast.core.reason import Reason
        from holdfast.entities.enrich import enrich
        from holdfast.entities.llm import FIELDS, LlmReader
        from holdfast.entities.reasons import EntityCode
        from holdfast.entities.statistical import StatisticalReader
        from holdfast.entities.strategies import NameExtractor

        if self.settings.entities != "accurate":
            return {"enriched": 0, "skipped": Reason.of(EntityCode.NOT_ACCURATE, value=self.settings.entities)}
        statistical, chat = StatisticalReader(), self._chat("entities", FIELDS)
        ways = [NameExtractor((statistical, LlmReader(chat)))] if chat else []
        return enrich(self._store.entities, [*ways, NameExtractor((statistical,))], self._now, progress)

    def _consolidate_due(self, progress: Progress) -> Mapping[str, Any]:
        """The job: sessions that are over, and those that have grown too long for a prompt."""
        from holdfast.conversation.consolidate import ConsolidationReport

        due = self._window.due()
        done = list(self._consolidation.consolidate(due, progress=progress).sessions) if due else []
        for session in self._window.overflowing():
            if not progress({"job": "consolidate", "sessions": len(done)}):
                break
            done += filter(None, [self._window.trim(session, self._consolidation)])
        report = self._shown(ConsolidationReport(tuple(done)))
        return {**report.counts(), **({"files": report.files} if report.files else {})}

    def _reflect_when_due(self, progress: Progress) -> Mapping[str, Any]:
        """The job: the reflection on the week, when it is time for one."""
        report = self._reflector.reflect()
        return {"reflections": int(report.memory is not None), "why": report.reason}

    def _shown(self, report: ConsolidationReport, ended: str | None = None) -> ConsolidationReport:
        """Brings the files that people read in step. The rows are the truth: a file that cannot be written is told."""
        from holdfast.conversation.compress import compressor

        sessions = [one.session for one in report.sessions if one.pages]
        if not self.settings.memory_files or not (sessions or ended):
            return report
        chat = self._chat("compress")
        try:
            self._views.refresh(sessions, compressor(chat) if chat else None)
            if ended is not None:
                self._views.ended(ended)
        except (InvalidFile, StoreBusy) as error:
            return replace(report, files=f"{error.what}: {error.detail}")
        return report

    def _put_in_place(self, id: str, text: str, type: str) -> Admission:
        """A memory of another type, or the same one spelt differently, in the place of an old one.

        Why not `correct`: that keeps the type, and takes other letters for the same text.
        """
        old = self.get(id)
        known: dict[str, Any] = {"pinned": old.pinned, "scope": old.scope, "source_ids": old.source_ids}
        known["replaces"] = (old.id,)
        return self.remember(text, type, old.files, old.tags, old.session, when=old.event_time, **known)

    def _write_through(self, session: str, answers: Sequence[Admission]) -> None:
        """What was just said, into the session's JSONL. Consolidating brings what could not be written there."""
        if self.settings.memory_files:
            with suppress(InvalidFile):  # Why: it is kept; saying must not fail for a view, and `_shown` tells.
                self._views.said(session, answers)

    def _named_in(self, text: str) -> Sequence[str]:
        from holdfast.core.entity import key_of
        from holdfast.entities.strategies import extract_mentions

        return [key_of(mention.text) for mention in extract_mentions(text)]

    def _fading(self, files: Mapping[int, tuple[str, ...]]) -> Mapping[int, float]:
        return self._churn.scales(files)

    def _importing(self) -> AbstractContextManager[None]:
        """A turn at importing. Why taken: two at once would each find a message new before the other has kept it."""
        from holdfast.core.locking import locked

        return locked(f"{self.db}-import-lock", _IMPORT_PATIENCE)

    def _is_ours(self, folder: str) -> bool:
        """Does a folder belong to this project, as a part of it or as another worktree of its repository?"""
        folder = os.path.realpath(folder)
        if relative(folder, self.root) is not None:
            return True
        if self._identity.common_dir is None or not os.path.isdir(folder):
            return False
        return bool(read_identity(folder, self.settings.identity).common_dir == self._identity.common_dir)

    def _check_types(self, types: Iterable[str]) -> None:
        """Raises InvalidInput for a type that neither a memory nor a piece of a document has."""
        from holdfast.core.document import DOCUMENT_PASSAGE_TYPES

        for type in types:
            if type not in DOCUMENT_PASSAGE_TYPES:
                self.types.get(type)

    def _embed_question(self, text: str) -> Embedded | None:
        from holdfast.recall.question import Embedded
        from holdfast.text.words import cjk_share

        embedder = self._embedder
        if embedder is None or not self._reading.has_vectors(embedder.id):
            return None
        if self._late_interaction is not None and cjk_share(text) > _UNREAD:
            return None  # Why: the bundled model reads English and its neighbours; here words do better alone.
        asked = self._last_query.get(text)
        if asked is None:
            looked = self._late_interaction.encode_query(text) if self._late_interaction else None
            asked = Embedded(embedder.id, looked.vector if looked else embedder.embed_query(text), looked)
            # Why one: the steps of one recall ask for the same question again and again.
            self._last_query = {text: asked}
        return asked

    def _embed_memory(self, memory: Memory) -> Embedding | None:
        from holdfast.upkeep.jobs import embed_passages

        if self._embedder is None:
            return None
        return embed_passages(self._job_resources, self._embedder, [(memory, memory.type)])[0]

    def _neighbours(self, project: str, text: str) -> tuple[Memory, ...]:
        from holdfast.text.words import words

        # Why the longest: long words are rare ones, and rare ones find the neighbours.
        asked = sorted(words(text), key=len, reverse=True)[:_NEIGHBOUR_WORDS]
        learned = Filters(types=tuple(name for name in self.types.names() if name != EPISODE))
        found = self._reading.find_words(project, asked, learned, _NEIGHBOURS, effort=_NEIGHBOUR_EFFORT)
        rows = self._reading.hydrate([passage for passage, _ in found])
        near = (rows[passage][0] for passage, _ in found if passage in rows)
        return tuple(m for m in near if isinstance(m, Memory) and not m.forgotten and m.valid_until is None)

    def _wake_background(self, sessions: bool = False, vectors: bool = True) -> None:
        """Starts the background process if there is work and nobody is at it; the caller never waits.

        Work are passages that wait for their vectors and, if asked for, sessions that are to be consolidated.
        """
        from holdfast.upkeep import background

        if not self.settings.background:
            return
        if not (vectors and self._vectors_wait()) and not (sessions and self._window.any_due()):
            return
        if background.is_running(self._reading, self._now()):
            return
        environment = {**os.environ, **settings_.changed(self.settings), "HOLDFAST_DB": self.db}
        environment["HOLDFAST_PROJECT"] = self.root
        with suppress(OSError):  # Why: no process to be had just now; the next one that finds work tries again.
            # Why -P: without it Python imports modules from the working directory first, and so runs a project's files.
            # The process keeps the working directory because settings such as `embedder` may name a relative path.
            background.start([sys.executable, "-P", "-m", "holdfast", "upkeep", "--background"], environment)

    def _vectors_wait(self) -> bool:
        if self.settings.embedder == "none" or not self._embedder:
            return False
        return self._reading.any_waiting(self._embedder.id)

    def _due_jobs(self) -> Sequence[Job]:
        from holdfast.upkeep import schedule
        from holdfast.upkeep.jobs import jobs

        hours = schedule.read(self.settings.schedule)
        return schedule.due(jobs(self._job_resources), hours, self._reading.last_runs(), self._now())

    def _register_types(self) -> None:
        """Makes the memory types of the methodology known. Our own has none, and need not be loaded for that."""
        if self.settings.methodology != Settings().methodology:
            for kind in self._methodology.custom_types:
                if kind.name not in self.types.names():
                    self.types.register(kind)

    def _write_counts(self) -> None:
        if "_counting" in self.__dict__:
            self._counting.write()

    def _model_finding(self) -> HealthFinding:
        from holdfast.core.health import HealthFinding, HealthLevel

        embedder = self._embedder
        if embedder is None:
            return HealthFinding(
                "model", HealthLevel.WARNING, "no embedder: only words are searched", "Set `embedder`."
            )
        try:
            embedder.embed_query("ready?")
        except HoldfastError as error:
            return HealthFinding("model", HealthLevel.BAD, f"{error.what}: {error.detail}", error.hint)
        waiting = self._reading.count_waiting(embedder.id)
        if waiting:
            hint = "They follow in the background; `holdfast upkeep embed` does it now."
            return HealthFinding(
                "model", HealthLevel.WARNING, f"{waiting} passages wait for a vector of {embedder.id}", hint
            )
        return HealthFinding("model", HealthLevel.GOOD, f"{embedder.id} answers; every passage has its vector")

    def _find_project(self, named: str) -> tuple[ProjectIdentity, str]:
        folder = named or os.getcwd()
        if os.path.isdir(folder):
            signs = read_identity(folder, self.settings.identity)
            return signs, self._store.projects.recognise(signs, self._ids.new(), self._now())
        for row in self._reading.projects():
            if named in (row["id"], row["name"]):
                return ProjectIdentity(row["root"], row["name"], row["common_dir"], row["remote"], None), row["id"]
        raise NotFound(f"project {named!r}", hint="Name a folder, or a project that `holdfast stats` knows.")
