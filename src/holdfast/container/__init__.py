"""Builds the parts of one project's memory from its settings; only this package connects the others."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from holdfast.core.built_once import built_once
from holdfast.core.clock import SystemClock
from holdfast.core.deferred_module import DeferredModule
from holdfast.core.errors import HoldfastError
from holdfast.core.frozen import frozen
from holdfast.core.ids import Ids
from holdfast.core.job import SESSIONS
from holdfast.core.memory import EPISODE
from holdfast.core.memory_types import TypeRegistry
from holdfast.core.settings import Settings
from holdfast.intake.static_vectors import StaticVectors
from holdfast.recall.usage_counter import UsageCounter
from holdfast.store.open import TEMPORARY, open_store, repair_store, store_exists
from holdfast.system import platform_folders as paths
from holdfast.system.files import make_folders
from holdfast.system.project import ProjectIdentity
from holdfast.system.project_lookup import belongs_to, find_project, find_user, folder_name, write_marker

if TYPE_CHECKING:
    from holdfast.container import code_parts as code
    from holdfast.container import document_parts as documents
    from holdfast.container import file_parts as files
    from holdfast.container import intake_parts as intakes
    from holdfast.container import journal_parts as journal
    from holdfast.container import learning_parts as learning
    from holdfast.container import memory_parts as memories
    from holdfast.container import model_parts as model
    from holdfast.container import name_parts as naming
    from holdfast.container import recall_parts as recalling
    from holdfast.container import session_parts as session
    from holdfast.container import upkeep_parts as upkeep
    from holdfast.container import work_parts as work
    from holdfast.core.methodology import Methodology
    from holdfast.core.reason import Reason
    from holdfast.documents.document_index import Indexer
    from holdfast.documents.index_rules import DocumentRules
    from holdfast.recall.search.relation_steps import CodeNeighbours
    from holdfast.store.protocol import Store
    from holdfast.system.project_description import ProjectDescription
    from holdfast.upkeep.survey import ProjectSurvey
else:
    # Imported when one of their parts is first used: most calls need few, and start-up time matters.
    code, documents, files, intakes, journal, learning, memories, model, naming, recalling, session, upkeep, work = (
        DeferredModule(f"{__name__}.{name}_parts")
        for name in "code document file intake journal learning memory model name recall session upkeep work".split()
    )


@frozen
class OpenProject:
    """An open store and the project in it."""

    store: Store
    identity: ProjectIdentity
    id: str
    static: StaticVectors


class Container:
    """The parts of one project's memory. Safe to use from several threads.

    Each part is built on first use, by the function named in the table, which takes the container.

    `code_graph` may be set at any time: searches then use it instead of the project's own (docs/retrieval.md).
    With `create_project`, a project name that is not known yet becomes a new project.
    """

    models = built_once(model.models)
    chats = built_once(model.chats)

    review = built_once(memories.review)
    code_memory = built_once(memories.code_memory)

    names = built_once(naming.names)
    entities = built_once(naming.entities)

    similar_by_words = built_once(intakes.similar_by_words)
    intake = built_once(intakes.intake)
    teaching = built_once(intakes.teaching)
    items = built_once(intakes.items)
    import_export = built_once(intakes.import_export)
    importer = built_once(intakes.importer)

    recaller = built_once(recalling.recaller)
    recall_resources = built_once(recalling.recall_resources)
    embedder_scales = built_once(recalling.embedder_scales)
    churn = built_once(recalling.churn)

    messages = built_once(session.messages)
    sessions = built_once(session.sessions)
    window = built_once(session.window)
    learning_lock = built_once(session.learning_lock)

    session_journals = built_once(journal.session_journals)
    journals = built_once(journal.journals)
    journal_messages = built_once(journal.journal_messages)
    quoted = built_once(journal.quoted)
    observer = built_once(journal.observer)

    similar_by_meaning = built_once(learning.similar_by_meaning)
    consolidation = built_once(learning.consolidation)
    reflector = built_once(learning.reflector)
    learner = built_once(learning.learner)

    views = built_once(files.views)
    every_folder = built_once(files.every_folder)

    library = built_once(documents.library)
    document_graph = built_once(documents.document_graph)
    cleaner = built_once(documents.cleaner)

    code_indexer = built_once(code.code_indexer)
    code_analysis = built_once(code.code_analysis)
    companions = built_once(code.companions)
    closeness = built_once(code.closeness)

    opening = built_once(work.opening)
    summaries = built_once(work.summaries)
    context = built_once(work.context)
    first_prompt = built_once(work.first_prompt)
    briefs = built_once(work.briefs)
    prefetch = built_once(work.prefetch)
    agent_loop = built_once(work.agent_loop)
    outcomes = built_once(work.outcomes)
    stated_uses = built_once(work.stated_uses)

    background = built_once(upkeep.background)
    job_runner = built_once(upkeep.job_runner)
    embedding = built_once(upkeep.embedding)
    code_indexing = built_once(upkeep.code_indexing)
    eraser = built_once(upkeep.eraser)
    health = built_once(upkeep.health)

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

    @built_once
    def methodology(self) -> Methodology:
        from holdfast.system.methodology_file import methodology_of

        return methodology_of(self.settings.methodology)

    def with_settings(self, settings: Settings) -> Container:
        """The same open store and project under other settings: every part is built again."""
        self.usage.write()
        changed = Container(settings, self.clock, self.types, self.opened)
        changed.code_graph = self.code_graph
        return changed

    def close(self) -> None:
        """Writes pending usage counts, starts due background work and closes the store."""
        self.usage.write()
        if Container.code_memory.is_built(self):
            self.code_memory.write()
        if Container.messages.is_built(self):
            self.background.wake(SESSIONS)
        if self.reading.lease("upkeep") is not None:
            self.background.revive()
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
        return upkeep.survey(self)

    def document_rules(self, preset: str | None) -> DocumentRules:
        """Which files are documents, by a preset or else the one of the settings."""
        return documents.document_rules(self, preset)

    def document_indexer(self, preset: str | None) -> Indexer:
        """Indexes these documents."""
        return documents.document_indexer(self, preset)

    def owns_folder(self, folder: str, remote: str = "") -> bool:
        """Does a folder belong to this project? `remote` is the URL of its repository, if it is known."""
        return belongs_to(folder, self.identity, self.settings.identity, remote)

    def redact(self, text: str) -> str:
        """Replaces secrets."""
        # Imported when called: its patterns take long to compile, and most calls redact nothing.
        from holdfast.intake.secrets import redact

        return redact(text)

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
