"""Builds the components of one project's memory from its settings; only this module connects the packages.

Each package has a module `components` that builds its own components on first use: most calls need few of them, and
start-up time matters.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from holdfast.core.built_once import built_once
from holdfast.core.clock import SystemClock
from holdfast.core.errors import HoldfastError
from holdfast.core.frozen import frozen
from holdfast.core.ids import Ids
from holdfast.core.memory import BACKGROUND, EPISODE
from holdfast.core.memory_types import TypeRegistry
from holdfast.core.settings import Settings
from holdfast.intake.static_vectors import StaticVectors
from holdfast.recall.usage_counter import UsageCounter
from holdfast.store.open import TEMPORARY, open_store, repair_store, store_exists
from holdfast.system import platform_folders as paths
from holdfast.system.files import make_folders
from holdfast.system.hook_log import read_failures
from holdfast.system.project import ProjectIdentity
from holdfast.system.project_lookup import belongs_to, find_project, find_user, folder_name, write_marker

if TYPE_CHECKING:
    from holdfast.agents.event import Event
    from holdfast.codegraph.anchors.code_memory import CodeMemory
    from holdfast.codegraph.code_components import CodeComponents
    from holdfast.codegraph.history.commits import ChangedFiles
    from holdfast.core.anchor import CodeBinding
    from holdfast.core.conversation import Said
    from holdfast.core.memory import Memory
    from holdfast.core.methodology import Methodology
    from holdfast.core.reason import Reason
    from holdfast.documents.document_components import DocumentComponents
    from holdfast.entities.entity_registry import Registry
    from holdfast.importers.file_importer import FileImporter
    from holdfast.inject.context import ContextBuilder
    from holdfast.inject.inject_components import InjectComponents
    from holdfast.intake.intake_components import IntakeComponents
    from holdfast.learn.learn_components import ConversationComponents
    from holdfast.llm.chats import Chats
    from holdfast.models.model_components import ModelComponents
    from holdfast.models.protocols import Chat
    from holdfast.observer.journals import JournalObserver
    from holdfast.observer.observe import Observer
    from holdfast.recall.recall_components import RecallComponents
    from holdfast.recall.search.relation_steps import CodeNeighbours
    from holdfast.store.protocol import Store
    from holdfast.store.writing.memories import Embedding
    from holdfast.system.project_description import ProjectDescription
    from holdfast.trust.code_state import Anchors, CodeState
    from holdfast.trust.review import Review
    from holdfast.upkeep.survey import ProjectSurvey
    from holdfast.upkeep.upkeep_components import UpkeepComponents

_HYDE_SECONDS = 5.0
# The latest commits that stand in for sessions of a project that is new to the observer.
_OBSERVED_COMMITS = 300


@frozen
class OpenProject:
    """An open store and the project in it."""

    store: Store
    identity: ProjectIdentity
    id: str
    static: StaticVectors


class Container:
    """The components of one project's memory. Safe to use from several threads.

    `code_graph` may be set at any time: searches then use it instead of the project's own (docs/retrieval.md).
    With `create_project`, a project name that is not known yet becomes a new project.
    """

    def __init__(
        self,
        settings: Settings,
        clock: SystemClock,
        types: TypeRegistry,
        opened: OpenProject | None = None,
        create_project: bool = False,
    ) -> None:
        if settings.db == TEMPORARY:
            settings = replace(settings, background=False, memory_files=False)
        self.settings = settings
        self.clock = clock
        self.types = types
        self.now = clock.now
        self.ids = Ids()
        self.code_graph: CodeNeighbours | None = None
        self._register_types()
        self.opened = opened or self._open(create_project)
        self.store = self.opened.store
        self.reading = self.store.reading
        self.identity = self.opened.identity
        self.project = self.opened.id
        self.root = str(self.identity.root)
        self.usage = UsageCounter(self.store.usage, self.project, self.now)
        self.opened.static.model = lambda: self.models.static

    def with_settings(self, settings: Settings) -> Container:
        """The same open store and project under other settings: every component is built again."""
        self.usage.write()
        changed = Container(settings, self.clock, self.types, self.opened)
        changed.code_graph = self.code_graph
        return changed

    def close(self) -> None:
        """Writes pending usage counts, starts due background work and closes the store."""
        self.usage.write()
        if Container.code_memory.is_built(self):
            self.code_memory.write()
        if Container.intake.is_built(self) and self.intake.messages_used:
            self.upkeep.background.wake(sessions=True)
        if self.reading.lease("upkeep") is not None:
            self.upkeep.background.revive()
        self.store.close()

    def describe_project(self, mark: bool = False) -> ProjectDescription:
        """Describes how the project is identified and where its memory is stored; `mark` marks its folder first."""
        from holdfast.core.answer import Filters
        from holdfast.system.project_description import ProjectDescription, recognised_by

        marker = write_marker(self.identity, self.project) if mark else None
        how = recognised_by(self.root, self.settings.identity)
        types = tuple(name for name in self.types.names() if name != EPISODE)
        count = self.reading.count(self.project, Filters(types=types))
        name, address = str(self.identity.name), self.store.address
        return ProjectDescription(self.project, name, self.root, how, marker, address, count)

    def survey(self) -> ProjectSurvey:
        """What the project has that memory could begin with."""
        from holdfast.upkeep.survey import survey

        indexed = self.reading.count_documents(self.project)["documents"]
        known = {span.id for span in self.reading.sessions(self.project)}
        rules = self.documents.indexer(None).rules
        code = self.code.count_unknown()
        return survey(self.root, os.path.expanduser("~"), rules, indexed, code, self.importer.has_new, known)

    @built_once
    def models(self) -> ModelComponents:
        from holdfast.models.model_components import ModelComponents

        folder = paths.data_folder(os.environ)
        return ModelComponents(self.settings, folder, self.store.cache, _redact, self.reading.embedders)

    @built_once
    def chats(self) -> Chats:
        from holdfast.intake.secrets import redact
        from holdfast.llm.chats import Chats

        return Chats(self.settings, self.store, self.now, redact)

    @built_once
    def recall(self) -> RecallComponents:
        from holdfast.recall.recall_components import RecallComponents

        return RecallComponents(
            settings=self.settings,
            store=self.store,
            usage=self.usage,
            models=self.models,
            chat=lambda: self.chats.chat("imagine", seconds=_HYDE_SECONDS),
            code_graph=self._code_graph,
            map_phase=self._map_phase,
            recheck=self._recheck,
            types=self.types,
            now=self.now,
            project=self.project,
            root=self.root,
        )

    @built_once
    def intake(self) -> IntakeComponents:
        from holdfast.intake.intake_components import IntakeComponents

        return IntakeComponents(
            settings=self.settings,
            store=self.store,
            review=lambda: self.review,
            similar=lambda: self.recall.similar_by_words,
            embed=self._embed_memory,
            listeners=lambda: self.conversation.listeners(self._wake_for_sessions),
            types=self.types,
            ids=self.ids,
            now=self.now,
            project=self.project,
            project_name=str(self.identity.name),
            root=self.root,
            infer_type=lambda text: self.conversation.infer_type(text),  # noqa: PLW0108 - built with intake
            bind=self._bind, find_quote=self._find_quote, check_methodology=self._check_methodology,
        )  # fmt: skip

    @built_once
    def importer(self) -> FileImporter:
        from holdfast.importers.file_importer import FileImporter

        intake = self.intake
        return FileImporter(intake.intake, intake.import_export.import_, self.reading, self.project, self.root)

    @built_once
    def code_memory(self) -> CodeMemory:
        from holdfast.codegraph.anchors.code_memory import CodeMemory

        return CodeMemory(self.reading, self._code_state, self.types, _redact, self.project, self.root)

    @built_once
    def conversation(self) -> ConversationComponents:
        from holdfast.learn.learn_components import ConversationComponents

        return ConversationComponents(
            self.settings, self.store, self.intake, self.chats, lambda: self.recall.similar_by_meaning,
            self._record_uses, lambda: self.inject.loop,
        )  # fmt: skip

    @built_once
    def documents(self) -> DocumentComponents:
        from holdfast.documents.document_components import DocumentComponents

        return DocumentComponents(self.settings, self.store, self.intake)

    @built_once
    def observer(self) -> Observer:
        from holdfast.observer.observe import Observer
        from holdfast.observer.stored_after import memories_of
        from holdfast.trust.actions import lapse, rename_files
        from holdfast.trust.taint import taint_all

        def commits() -> Iterable[ChangedFiles]:
            from holdfast.codegraph.history.commits import read_commits

            return read_commits(self.root, most=_OBSERVED_COMMITS)

        def renames() -> Mapping[str, str]:
            from holdfast.codegraph.history.commits import read_renames

            return read_renames(self.root)

        def chat() -> Chat | None:
            from holdfast.observer.synthesis import FIELDS

            return self.chats.chat("observe", FIELDS)

        return Observer(
            self.store.observations,
            partial(self.intake.intake.admit_all, undoable=BACKGROUND),
            _redact,
            self.project,
            self.root,
            commits,
            renames,
            chat,
            self.reading.memory,
            lapse=lambda reasons: lapse(self.store.memories, reasons, self.now()),
            rename=lambda ids, renamed: rename_files(self.store.memories, ids, renamed, self.now()),
            distrust=lambda stored: taint_all(
                self.store.memories, memories_of(stored, self.reading, self.project), self.now()
            ),
        )

    @built_once
    def journals(self) -> JournalObserver:
        from holdfast.observer.journals import JournalObserver

        folder = self.store.data_folder.journals(self.project)
        said, idle = self.conversation.said_in, self.settings.idle_minutes * 60
        return JournalObserver(lambda: self.observer, folder, idle, said)

    @built_once
    def code(self) -> CodeComponents:
        from holdfast.codegraph.code_components import CodeComponents

        return CodeComponents(
            self.settings, self.store, self.now, self.project, self.root, lambda: self.code_memory, self._store_code
        )

    @built_once
    def upkeep(self) -> UpkeepComponents:
        from holdfast.upkeep.upkeep_components import UpkeepComponents

        return UpkeepComponents(
            settings=self.settings,
            store=self.store,
            models=self.models,
            chats=self.chats,
            conversation=lambda: self.conversation,
            code=lambda: self.code,
            journals=lambda: self.journals,
            embed_now=self.opened.static,
            now=self.now,
            root=self.root,
            project=self.project,
            hook_failures=lambda since: read_failures(os.environ, since),
        )

    @built_once
    def context(self) -> ContextBuilder:
        from holdfast.inject.context import ContextBuilder

        return ContextBuilder(self.recall.recaller, self.models.tokens, self.types, self.settings.near_duplicate)

    @built_once
    def inject(self) -> InjectComponents:
        from holdfast.inject.inject_components import InjectComponents

        return InjectComponents(
            settings=self.settings,
            store=self.store,
            usage=self.usage,
            models=self.models,
            types=self.types,
            recaller=lambda: self.recall.recaller,
            methodology=lambda: self.methodology,
            redact=_redact,
            journals=lambda: self.journals,
            observer=lambda: self.observer,
            teaching=lambda: self.intake.teaching,
            now=self.now,
            identity=self.identity,
            project=self.project,
            root=self.root,
        )

    @built_once
    def entities(self) -> Registry:
        from holdfast.entities.entity_registry import Registry

        return Registry(self.store.entities, self.project, self.now, self.ids)

    @built_once
    def review(self) -> Review:
        from holdfast.trust.review import Review

        return Review(self.store.memories, self.reading, self.project, self.now, _redact, self._bind)

    def owns_folder(self, folder: str, remote: str = "") -> bool:
        """Does a folder belong to this project? `remote` is the URL of its repository, if it is known."""
        return belongs_to(folder, self.identity, self.settings.identity, remote)

    def _code_graph(self) -> CodeNeighbours | None:
        """The code graph for searches: the one that was set, else that of the project, if it was indexed."""
        if self.code_graph is not None or not self.reading.code_generation(self.project):
            return self.code_graph
        return self.code.closeness

    def _store_code(self, progress: Callable[[int, int, str], None]) -> int:
        """Makes the chunks of changed code searchable, or removes them if the settings say so."""
        documents = self.documents.code(self.code.texts)
        return documents.refresh(progress) if self.settings.index_code_chunks else documents.clear()

    def _bind(self, memory: Memory) -> CodeBinding:
        return self.code_memory.bind(memory)

    def _find_quote(self, quote: str) -> Said | None:
        return self.conversation.quoted(quote)

    def _recheck(self, anchors: Mapping[str, Anchors]) -> Mapping[str, Anchors]:
        return self.code_memory.recheck(anchors)

    def _code_state(self) -> CodeState:
        from holdfast.trust.code_state import CodeState

        return CodeState(self.store.memories, self.types, self.now)

    def _embed_memory(self, memory: Memory) -> Embedding | None:
        return self.upkeep.embed_memory(memory)

    def _record_uses(self, session: str, events: Sequence[Event]) -> None:
        self.inject.summaries.record(session, events)

    def _wake_for_sessions(self) -> None:
        """Starts work on sessions only: while a conversation goes on, nothing is embedded beside it."""
        self.upkeep.background.wake(sessions=True, vectors=False)

    def _open(self, create_project: bool) -> OpenProject:
        settings = self.settings
        folder = paths.data_folder(os.environ)
        static = StaticVectors()
        store = open_store(settings, now=self.now, ids=self.ids, default_folder=folder, embed_now=static)

        def recognise(identity: ProjectIdentity) -> str:
            return store.projects.recognise(identity, self.ids.new(), self.now())

        def new_folder(name: str) -> str:
            folder = os.path.join(store.data_folder.projects, folder_name(name))
            make_folders(folder)
            return folder

        try:
            new = new_folder if create_project else None
            identity, id = find_project(settings.project, settings.identity, recognise, store.reading.projects, new)
            if settings.user:
                identity, id = find_user(identity, settings.user, recognise)
        except HoldfastError:
            store.close()
            raise
        return OpenProject(store, identity, id, static)

    @built_once
    def methodology(self) -> Methodology:
        from holdfast.system.methodology_file import methodology_of

        return methodology_of(self.settings.methodology)

    def _map_phase(self, phase: str) -> str:
        return self.methodology.map_phase(phase)

    def _check_methodology(self, id: str) -> None:
        """Raises InvalidInput for a methodology that is neither the one of the settings nor known by its name."""
        from holdfast.core.methodology import methodology

        if id not in (self.settings.methodology, self.methodology.id):
            methodology(id)

    def _register_types(self) -> None:
        """Registers the memory types of the methodology. The default one has none, so it is not loaded for that."""
        if self.settings.methodology != Settings().methodology:
            for type in self.methodology.custom_types:
                if type.name not in self.types.names():
                    self.types.register(type)


def has_database(settings: Settings) -> bool:
    """Is there the database that the settings name? Raises InvalidInput if it cannot be one."""
    return store_exists(settings, default_folder=paths.data_folder(os.environ))


def repair_database(settings: Settings) -> tuple[Reason, ...]:
    """Replaces a damaged database by one with everything that can be read of it; returns what was done."""
    return repair_store(settings, now=SystemClock().now, ids=Ids(), default_folder=paths.data_folder(os.environ))


def _redact(text: str) -> str:
    # Imported when called: its patterns take long to compile, and most calls redact nothing.
    from holdfast.intake.secrets import redact

    return redact(text)
