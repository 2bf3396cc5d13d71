"""The facade: every operation on a project's memory; each calls one package.

Operations on one subject are grouped in a module; `Workspace` joins them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Self

from holdfast.agents import journal
from holdfast.container import Container, has_database, repair_database
from holdfast.core.arguments import check_value, checked, several
from holdfast.core.clock import SystemClock
from holdfast.core.filters import check_limit, check_order, check_query, read_filters
from holdfast.core.memory import SESSION_IMPORT, Memory
from holdfast.core.memory_types import TypeRegistry
from holdfast.core.settings import Settings, opened_with
from holdfast.system import platform_folders as paths_
from holdfast.system import settings_file
from holdfast.workspace.code_verbs import CodeOperations
from holdfast.workspace.document_verbs import DocumentOperations
from holdfast.workspace.entity_verbs import EntityOperations
from holdfast.workspace.item_verbs import ItemOperations
from holdfast.workspace.loop_verbs import LoopOperations
from holdfast.workspace.observer_verbs import ObserverOperations
from holdfast.workspace.review_verbs import ReviewOperations
from holdfast.workspace.transfer_verbs import TransferOperations

# An agent whose hooks wrote in the last ten minutes is at work.
_AT_WORK_SECONDS = 600.0

# Other packages are imported where they are used: most calls need one of them, and start-up time matters.
if TYPE_CHECKING:
    from holdfast.core.admission import Admission, Candidate
    from holdfast.core.answer import Pack, Recall
    from holdfast.core.conversation import SessionState
    from holdfast.core.health import Health, Stats
    from holdfast.core.memory_description import MemoryDescription, MemoryEvent
    from holdfast.core.reason import Reason
    from holdfast.learn.consolidate import ConsolidationReport
    from holdfast.learn.reflect import ReflectionReport
    from holdfast.models.installed import InstalledModel
    from holdfast.models.protocols import Embedder
    from holdfast.recall.recipes import Recipe
    from holdfast.recall.search.time_modes import AroundEvent, RecentSessions, TimeWindow, Trend
    from holdfast.sessions.session import Session
    from holdfast.sessions.session_import import ImportReport
    from holdfast.system.project_description import ProjectDescription, ProjectSummary
    from holdfast.upkeep.survey import ProjectSurvey


def open(
    db: str | None = None,
    project: str | None = None,
    user: str | None = None,
    settings: Settings | None = None,
    *,
    clock: SystemClock | None = None,
    types: TypeRegistry | None = None,
    create_project: bool = True,
    **overrides: Any,
) -> Workspace:
    """Opens the memory of a project; by default the project of the working directory, in the user's data folder.

    `project` is a folder or a name; an unknown name becomes a new project, unless `create_project` is off. `user` keeps
    the memories of people apart within it, as if they were projects. `overrides` are settings by name.
    Creates the database if it does not exist yet; `:memory:` is one that is deleted when the workspace is closed.
    """
    types = check_value(types, "TypeRegistry | None", "types") or TypeRegistry()
    if settings is None:
        settings = settings_file.read(paths_.settings_file(os.environ), os.environ)
    settings = opened_with(settings, db, project, user, overrides)
    return Workspace(Container(settings, clock or SystemClock(), types, create_project=create_project))


@checked
def exists(db: str | None = None) -> bool:
    """Is there such a database? Raises InvalidInput if it cannot be one."""
    return has_database(_settings(db))


@checked
def salvage(db: str | None = None) -> tuple[Reason, ...]:
    """Replaces a damaged database by one with everything that can be read of it; the damaged file is kept.

    Returns what was done; nothing if the database is intact. Raises StoreDamaged if nothing can be read.
    """
    return repair_database(_settings(db))


def _settings(db: str | None) -> Settings:
    return settings_file.read(paths_.settings_file(os.environ), os.environ, {"db": db})


class Workspace(
    CodeOperations,
    DocumentOperations,
    EntityOperations,
    ItemOperations,
    LoopOperations,
    ObserverOperations,
    ReviewOperations,
    TransferOperations,
):
    """The memory of one project, open: a context manager, safe in several threads. `container` has its parts."""

    def __init__(self, container: Container) -> None:
        self.container = container
        self._is_closed = False
        self.types = container.types
        self.project = self.container.project
        self.project_name = str(self.container.identity.name)
        self.root = self.container.root
        self.db = self.container.store.address

    @property
    def settings(self) -> Settings:
        """The settings in force."""
        return self.container.settings

    # -- store --------------------------------------------------------------------------------------------------

    def remember(
        self,
        text: str,
        type: str | None = None,
        files: Iterable[str] = (),
        tags: Iterable[str] = (),
        session: str | None = None,
        source: str = "user_taught",
        when: datetime | None = None,
        questions: Iterable[str] = (),
        **fields: Any,
    ) -> Admission:
        """Stores a memory, or says why not. When it returns, the memory survives a power cut.

        Without a `type`, it is inferred from the text: "never commit to main" is a requirement. `questions` are up to
        four that the memory answers, in other words than its own: they are searched beside the text.
        `fields` are other fields of a candidate (`confidence`, `scope`, `phase`, …) or structured fields of the type.
        """
        from holdfast.core.admission import Candidate

        candidate = Candidate(text, type, several(files), (), several(tags), session, source, when)
        return self.remember_all([replace(candidate, questions=several(questions)).with_fields(fields)])[0]

    def remember_all(self, candidates: Iterable[Candidate]) -> tuple[Admission, ...]:
        """Stores many memories in one transaction; when it raises, nothing was stored."""
        return self._then_wake(self.container.teaching.remember_all(candidates))

    def session(self, id: str, kind: str = "build") -> Session:
        """A handle on a conversation or agent run, which stores each message at once."""
        return self.container.sessions.session(id, kind)

    def sessions(self, limit: int = 50) -> tuple[SessionState, ...]:
        """The sessions of this project and their state, the latest first."""
        return self.container.store.sessions.states(self.project, check_limit(limit))

    def running_sessions(self) -> dict[str, datetime]:
        """The agents' sessions of which only the journal has the latest messages, with its time; the latest first."""
        running = self.container.session_journals.running()
        return {session: datetime.fromtimestamp(at, UTC) for session, at in running.items()}

    def session_at_work(self) -> str | None:
        """The session of the agent that works here now, as its hooks record it; None if none does, or several do."""
        since = self.container.now().timestamp() - _AT_WORK_SECONDS
        found = self.container.session_journals.written_since(since)
        return found[0] if len(found) == 1 else None

    def has_journal(self, session: str) -> bool:
        """Was a session with exactly this id recorded by hooks, or by an agent of your own?"""
        return bool(journal.of_session(self.container.store.data_folder.journals(self.project), session))

    def find_session(self, id: str) -> SessionState:
        """The session with that id; its first characters are enough where they are unambiguous."""
        return self.container.sessions.find(id)

    def import_transcript(self, path: str, format: str | None = None, everywhere: bool = False) -> ImportReport:
        """Stores the messages of a transcript file, or of a folder of them. Importing twice adds nothing.

        `format` overrides the recognised one. From a folder, only sessions of this project, unless `everywhere`.
        """
        ours = None if everywhere else self.container.owns_folder
        report = self.container.sessions.import_transcripts(path, format, ours)
        if report.messages:
            self.container.store.memories.add_operation(self.project, SESSION_IMPORT)
        return self._then_wake(report)

    def consolidate(self, session: str | None = None) -> ConsolidationReport:
        """Learns from messages: facts, the memories they replace, and a paragraph of history per page.

        Covers one session, or all with new messages. Waits while another thread or process consolidates, and
        learns nothing twice. Uses the language model of the settings, if any, and continues without one that fails.
        """
        with self.container.store.memories.together("consolidate"):
            return self._then_wake(self.container.learner.consolidate(session))

    def new_session(self, session: str) -> ConsolidationReport:
        """Ends a session as `/new` does: all of it is consolidated, and none of it stays in the prompt."""
        with self.container.store.memories.together("session new"):
            return self._then_wake(self.container.learner.end(session))

    def reflect(self, force: bool = False) -> ReflectionReport:
        """Stores a reflection on the last seven days: at most every six days, unless `force`, from three facts on."""
        return self._then_wake(self.container.reflector.reflect(force))

    # -- search -------------------------------------------------------------------------------------------------

    def recall(
        self,
        query: str,
        limit: int = 8,
        types: Iterable[str] | None = None,
        files: Iterable[str] | None = None,
        phase: str | None = None,
        session: str | None = None,
        as_of: datetime | None = None,
        temporal: str | RecentSessions | TimeWindow | AroundEvent | Trend | None = None,
        recent: Iterable[str] = (),
        recipe: str | Recipe = "default",
        abstain: bool = True,
        count: bool = True,
        hyde: bool = True,
        also: Iterable[str] = (),
        **filters: Any,
    ) -> Recall:
        """The memories and passages that answer a query, best first, each with its reason; none if none is good enough.

        `also` are up to four other wordings of the query, with the words that a note about it may use.
        `phase` is one of the six or a name of the methodology. `temporal` narrows the time: `recent:5` sessions,
        `window:2026-01-01..2026-02-01`, `around:` an id or a date, `trend:30` days. `filters` are further fields of
        `Filters`. Messages, memories, documents and code compete; `types` narrows. `hyde` lets the language model
        of the settings, if any, help when little is found. `recent` are the tools that the agent used last, by
        default those in the journal of its session; rank fusion weighs by them.
        """
        narrowed = read_filters(self.types, types=types, files=files, session=session, as_of=as_of, **filters)
        found = self.container.recaller.recall(
            check_query(query), narrowed, limit, also=also, phase=phase, temporal=temporal, recent=recent,
            recipe=recipe, abstain=abstain, count=count, hyde=hyde,
        )  # fmt: skip
        return self._then_embed(found)

    def search_documents(
        self,
        query: str,
        mode: str | None = None,
        limit: int = 8,
        label: str | Iterable[str] | None = None,
        doc_type: str | Iterable[str] | None = None,
        per_document: int | None = None,
        count: bool = True,
        recipe: str = "default",
        **filters: Any,
    ) -> Recall:
        """The document chunks that answer best: `hybrid` (default), by `keyword` or by `vector`; includes weak ones.

        When `vector` finds nothing, words are tried, then the literal text. `per_document` is the maximum per document,
        0 for none; the settings have the default. The recipe `rrf` ranks by rank fusion, confidence and links.
        `types=["code"]` searches code instead.
        """
        narrowed = read_filters(self.types, **{"labels": label, "doc_types": doc_type, **filters})
        how: dict[str, Any] = {"mode": mode, "recipe": recipe, "per_document": per_document, "count": count}
        return self._then_embed(self.container.recaller.search_documents(check_query(query), narrowed, limit, **how))

    def context(
        self, prompt: str, phase: str | None = None, session: str | None = None, budget: int | None = None,
        repeat: bool = False, standing: bool = True,
    ) -> Pack:  # fmt: skip
        """The memories for a prompt, cited, within a token budget: standing rules, then hits by evidence.

        Leaves out the messages of `session` and, unless `repeat`, what earlier calls supplied to it, rules included.
        Without `standing`, leaves out all rules.
        """
        return self._then_embed(self.container.context.build(prompt, phase, session, budget, repeat, standing))

    def list(self, order: str = "newest", limit: int = 50, offset: int = 0, **filters: Any) -> tuple[Memory, ...]:
        """Memories by filter: `newest`, `oldest`, by `confidence` or most `used` first."""
        narrowed, order = read_filters(self.types, **filters), check_order(order)
        found = self._counted().reading.memories(self.project, narrowed, order=order, limit=limit, offset=offset)
        return self._then_embed_if_set(found)

    def count(self, most: int | None = None, **filters: Any) -> int:
        """The number of memories that pass the filters. Counting ends at `most`, which takes less time."""
        narrowed = read_filters(self.types, **filters)
        return self.container.reading.count(self.project, narrowed, -1 if most is None else check_limit(most))

    def get(self, id: str) -> Memory:
        """The memory with that id; its last characters are enough where they are unambiguous."""
        return self._counted().review.get(id)

    def describe(self, id: str, diff: bool = False) -> MemoryDescription:
        """A memory with its history, the memories that replaced it and those its relations name.

        With `diff`, also what changed in the code it is about since it was stored.
        """
        found = self._counted().review.describe(id)
        return self.container.code_memory.described(found, diff)

    def history(self, id: str) -> tuple[MemoryEvent, ...]:
        """Everything that was done to a memory, in order."""
        return self.container.reading.events(self.get(id).id)

    def successors(self, id: str) -> tuple[Memory, ...]:
        """The memories that replaced a memory."""
        return self.container.reading.successors(self.get(id))

    # -- maintenance --------------------------------------------------------------------------------------------

    def identity(self) -> ProjectDescription:
        """The project, how it is identified, and where its memory is stored."""
        return self.container.describe_project()

    def init(self) -> ProjectDescription:
        """Marks a folder outside git, so that it keeps its memory when moved; returns the project's identity."""
        return self.container.describe_project(mark=True)

    def survey(self) -> ProjectSurvey:
        """What the project has that memory could begin with: documents, code, instruction files, sessions of agents."""
        return self.container.survey()

    def projects(self) -> tuple[ProjectSummary, ...]:
        """All projects of the database with the number of their memories, the most recently used first."""
        return self.container.reading.project_summaries()

    def stats(self) -> Stats:
        """Counts of the stored data, and the state of background work, started now if passages wait for vectors."""
        self._then_embed(None)
        return self._counted().health.stats(self.project, self.project_name, self.root)

    def doctor(self, repair: bool = False) -> Health:
        """Checks the store and the model; with `repair`, rebuilds derived data."""
        return self._then_wake(self.container.health.doctor(repair))

    def upkeep(self, job: str | None = None, linger: float = 0.0) -> Mapping[str, Any]:
        """Runs background work now: all jobs that are due, or one job. One process at a time."""
        return self.container.job_runner.run(job, linger)

    def run_background(self, patience: float = 0.0) -> Mapping[str, Any]:
        """Runs all due jobs at low priority, as the background process does; waits `patience` seconds for another."""
        return self.container.job_runner.run_in_background(patience)

    def models(self) -> tuple[InstalledModel, ...]:
        """The embedders that can be used here without a network."""
        return self.container.models.installed()

    def pull_model(self, name: str, progress: Callable[[str, int, int], None] = lambda *_: None) -> InstalledModel:
        """Downloads an embedder by its hub name, `owner/name` or `owner/name@revision`, pinned and hash-checked."""
        return self.container.models.pull(name, progress)

    def use_model(self, name: str) -> Embedder | None:
        """Makes an embedder the user's choice; passages are embedded again in the background."""
        changed = self.container.with_settings(replace(self.settings, embedder=name))
        chosen = changed.models.choose()
        settings_file.save(paths_.settings_file(os.environ), "embedder", name)
        self.container = changed
        return self._then_wake(chosen)

    def close(self) -> None:
        """Closes the database. Pending work, such as vectors of new messages, continues in the background.

        Afterwards every operation raises StoreClosed; closing again does nothing.
        """
        if self._is_closed:
            return
        self._is_closed = True
        self.container.close()

    def __repr__(self) -> str:
        return f"Workspace(project={self.project_name!r}, db={self.db!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
