"""The façade: every verb of a project's memory; each calls one room."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Self

from holdfast.composition import Composition
from holdfast.core import paths
from holdfast.core import settings as settings_
from holdfast.core.admission import Admission, Candidate
from holdfast.core.answer import Filters, Pack, Recall
from holdfast.core.clock import SystemClock
from holdfast.core.errors import InvalidFile, InvalidInput, NotFound
from holdfast.core.memory import EPISODE, Memory
from holdfast.core.memory_types import TypeRegistry
from holdfast.core.project import MARKER, head_commit
from holdfast.core.settings import Settings

# Why the other rooms are imported where they are used: most calls need one of them, and start-up is felt.
if TYPE_CHECKING:
    from types import TracebackType

    from holdfast.conversation.consolidate import ConsolidationReport
    from holdfast.conversation.memory_files.sync import SyncReport
    from holdfast.conversation.reflect import ReflectionReport
    from holdfast.conversation.session import Session
    from holdfast.conversation.transcripts.importer import ImportReport
    from holdfast.core.conversation import SessionState
    from holdfast.core.document import Document, DocumentReport, RestoredDocuments
    from holdfast.core.entity import Entity, EntityProfile
    from holdfast.core.health import Health, Stats
    from holdfast.documents.clean import CleanReport
    from holdfast.documents.index import IndexReport
    from holdfast.documents.related import RelatedDocument
    from holdfast.documents.validate import Contradiction
    from holdfast.models.installed import InstalledModel
    from holdfast.models.protocols import Embedder
    from holdfast.recall.modes import Temporal
    from holdfast.recall.recipes import Recipe
    from holdfast.store.reading import MemoryEvent


def open(
    db: str | None = None,
    project: str | None = None,
    settings: Settings | None = None,
    *,
    clock: SystemClock | None = None,
    types: TypeRegistry | None = None,
    **overrides: Any,
) -> Workspace:
    """Opens the memory of a project: by default that of the working directory, in the user's data folder.

    `overrides` are settings by name. The database is made when it is not there yet.
    """
    if settings is None:
        settings = settings_.read(paths.settings_file(os.environ), os.environ, overrides)
    elif overrides:
        settings = replace(settings, **overrides)
    settings = replace(settings, db=db or settings.db, project=project or settings.project)
    return Workspace(settings, clock or SystemClock(), types or TypeRegistry())


class Workspace(Composition):
    """One project's memory, open. A context manager; safe to use from several threads."""

    # -- what is kept -------------------------------------------------------------------------------------------

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
    ) -> Admission:
        """Keeps something worth keeping, or says why not. When it returns, it survives a power cut.

        `fields` are other fields of a candidate (`confidence`, `scope`, `phase`, …) or the type's own.
        """
        given = Candidate(text, type, tuple(files), (), tuple(tags), session, source, when)
        return self.remember_all([_with_fields(given, fields)])[0]

    def remember_all(self, candidates: Iterable[Candidate]) -> tuple[Admission, ...]:
        """Keeps many in one transaction: all answers hold, or an error is raised and nothing was kept."""
        commit = head_commit(self.root)
        answers = self._intake.admit_all(c if c.commit else replace(c, commit=commit) for c in candidates)
        self._wake_background()
        return answers

    def session(self, id: str, kind: str = "build") -> Session:
        """A conversation or agent run; what is said in it is kept as it is said."""
        from holdfast.conversation.session import Session

        if not id.strip():
            raise InvalidInput("a session needs an id")
        limit = self.settings.max_episode_characters
        parts = (self._message_intake, self._reading, self._store.sessions, self._now, limit)
        return Session(id, kind, self.project, *parts)

    def sessions(self, limit: int = 50) -> tuple[SessionState, ...]:
        """The sessions of this project and how far each has come, the latest first."""
        return self._store.sessions.states(self.project, _positive(limit))

    def find_session(self, id: str) -> SessionState:
        """The session of that id; its first characters will do where they name one alone."""
        from holdfast.conversation.session import find

        return find(self._store.sessions, self.project, id)

    def import_transcript(self, path: str, format: str | None = None, everywhere: bool = False) -> ImportReport:
        """Keeps what was said to other programs: a transcript file, or a folder of them. Twice adds nothing.

        The format is told by content: `claude-code`, `codex`, `gemini`, `copilot` or `chatgpt`. Of a folder, sessions
        that ran in another project's folder are left out, unless `everywhere`.
        """
        from holdfast.conversation.transcripts.importer import import_transcripts

        ours = None if everywhere else self._is_ours
        report = import_transcripts(os.path.expanduser(path), self.session, format, ours, self._importing)
        self._wake_background()
        return report

    def consolidate(self, session: str | None = None) -> ConsolidationReport:
        """Learns from what was said: facts, what they replace, and a paragraph of history, page by page.

        All sessions with something new, or one. Waits for its turn when another thread or process is at it, and does
        nothing twice. Asks the language model the settings name, if any, and does without one that fails.
        """
        waiting = self._store.sessions.due(self.project, self._now(), switched=True)
        ids = [self.find_session(session).id] if session is not None else [state.id for state in waiting]
        report = self._shown(self._consolidation.consolidate(ids))
        self._wake_background()
        return report

    def new_session(self, session: str) -> ConsolidationReport:
        """Ends a session as `/new` does: when it returns, all of it is consolidated and none of it is in the prompt."""
        ended = self.find_session(session).id
        report = self._shown(self._window.end(ended, self._consolidation), ended)
        self._wake_background()
        return report

    def reflect(self, force: bool = False) -> ReflectionReport:
        """Looks back on the last seven days: at most every six days, unless `force`, and from three facts on."""
        report = self._reflector.reflect(force)
        self._wake_background()
        return report

    def add_document(
        self,
        path: str,
        text: str,
        kind: str = "markdown",
        *,
        title: str | None = None,
        label: str | None = None,
        doc_type: str | None = None,
        modified: datetime | None = None,
    ) -> DocumentReport:
        """Makes the text of a file findable, in the place of what was known of it: `markdown`, `text` or `code`.

        Pieces that did not change stay as they are. Secrets are left out.
        """
        about = {"title": title, "label": label, "doc_type": doc_type}
        report = self._library.add(path, text, kind, modified=modified, **about)
        self._wake_background()
        return report

    def index(
        self,
        paths: Iterable[str] | None = None,
        rehash: bool = False,
        watch: Callable[[IndexReport], None] | None = None,
        preset: str | None = None,
        progress: Callable[[int, int, str], None] = lambda done, total, path: None,
    ) -> IndexReport:
        """Brings the documents of the project in step with its files, or with those files and folders of it alone.

        Files whose size and time are the same are not read, unless `rehash`. With `watch` it goes on until it is
        interrupted, and tells of every run, the first one too.
        """
        named = list(paths) if paths is not None else None
        indexer = self._indexer(preset or self.settings.index_preset)
        report = indexer.run(named, rehash, progress)
        self._wake_background()
        if watch is not None:
            from threading import Event

            def told(later: IndexReport) -> None:
                self._wake_background()
                watch(later)

            told(report)
            indexer.follow(named, told, Event())
        return report

    def remove_document(self, path: str) -> int:
        """Takes a document out of what can be found; returns how many pieces it had."""
        removed = self._library.remove(path)
        if removed is None:
            raise NotFound(f"document {path}", hint="Only what was indexed can be removed.")
        return removed

    def documents(self) -> tuple[Document, ...]:
        """Every document that is known, by path."""
        self._write_counts()
        return self._reading.documents(self.project)

    # -- what is found ------------------------------------------------------------------------------------------

    def recall(
        self,
        query: str,
        limit: int = 8,
        types: Iterable[str] | None = None,
        files: Iterable[str] | None = None,
        phase: str | None = None,
        session: str | None = None,
        as_of: datetime | None = None,
        temporal: str | Temporal | None = None,
        recent: Iterable[str] = (),
        recipe: str | Recipe = "default",
        abstain: bool = True,
        count: bool = True,
        imagine: bool = True,
        **filters: Any,
    ) -> Recall:
        """What is known about a question, best first, each hit with its reason. Says nothing rather than noise.

        `phase` is one of the six or a name of the methodology's. `temporal` is a stretch of time: `recent:5` sessions,
        `window:2026-01-01..2026-02-01`, `around:` an id or a date, `trend:30` days. `filters` are further fields of
        `Filters`. Raw episodes join when `types` names them or nothing else answers. `imagine` lets the language model
        that the settings name, if any, help when little is found.
        """
        from holdfast.recall import modes, pipeline
        from holdfast.recall.question import Question, readable

        phase = self._methodology.map_phase(phase) if phase else None
        narrowed = _filters(types=types, files=files, session=session, as_of=as_of, **filters)
        mode = modes.read(temporal) if isinstance(temporal, str) else temporal
        if mode is not None:
            narrowed = modes.narrowed(mode, narrowed, self.project, self._reading, as_of or self._now())
        self._check_types(narrowed.types)
        moment = as_of or self._now()
        question = Question(readable(query), self.project, narrowed, _positive(limit), moment, phase, tuple(recent))
        how = (recipe, abstain, imagine, mode)
        answer = self._ask(question, *how)
        if not answer.hits and not narrowed.types:
            said = self._ask(pipeline.with_episodes(question), *how)
            answer = said if said.hits else answer
        if answer.hits and count:
            self._counting.found(list(dict.fromkeys(hit.source_id for hit in answer.hits)))
        return answer

    def search_documents(
        self,
        query: str,
        mode: str = "hybrid",
        limit: int = 8,
        label: str | Iterable[str] | None = None,
        doc_type: str | Iterable[str] | None = None,
        per_document: int | None = None,
        count: bool = True,
        **filters: Any,
    ) -> Recall:
        """The pieces of documents that answer best: `hybrid`, by `keyword` or by `vector`; nothing is held back.

        `per_document` is how many pieces of one may stand in the answer, 0 any number; by default as the settings say.
        When `vector` finds nothing, words are tried, and then the text as it stands.
        """
        from holdfast.documents.search import search
        from holdfast.recall.question import Question, readable

        narrowed = _filters(labels=label, doc_types=doc_type, **filters)
        question = Question(readable(query), self.project, narrowed, _positive(limit), self._now())
        most = self.settings.per_document if per_document is None else per_document
        answer = search(question, mode, self._recall_resources, most)
        if answer.hits and count:
            self._counting.found(list(dict.fromkeys(hit.source_id for hit in answer.hits)))
        return answer

    def related(self, path: str, limit: int = 5) -> tuple[RelatedDocument, ...]:
        """The documents found together with one most often, then those it refers to or that refer to it."""
        from holdfast.documents.related import related

        self._write_counts()
        if self._store.links.unread(self.project, 1):
            self._refresh_documents()
        document = self._reading.document(self.project, self._library.inside(path))
        if document is None:
            raise NotFound(f"document {path}", hint="Only what was indexed is known; run `holdfast index`.")
        return related(self._store.links, document, _positive(limit))

    def validate(self, change: str | None = None, recipe: str = "default") -> tuple[Contradiction, ...]:
        """What contradicts: a change's delta specs with the specs that hold, or, without one, the memories.

        A finding of level `reject` is sure enough to fail a check, a `warn` asks a person to look.
        """
        from pathlib import Path

        from holdfast.documents.validate import validate_change, validate_memories

        if change is not None:
            return validate_change(Path(self.root, change), recipe=recipe)
        learned = Filters(types=tuple(name for name in self.types.names() if name != EPISODE))
        return validate_memories(self._reading.memories(self.project, learned, limit=-1), recipe)

    def gc(self, dry_run: bool = True) -> CleanReport:
        """Takes out pieces that newer documents say again, and documents that nobody found in a month.

        By default it only says what would go. `undo_gc` brings it back; until then it stays out while it says the same.
        """
        from holdfast.documents.clean import CleanReport

        self._write_counts()
        plan = self._cleaning.plan()
        return CleanReport(plan) if dry_run else self._cleaning.apply(plan)

    def undo_gc(self) -> RestoredDocuments:
        """Brings back what the latest `gc` took out. Again: what the one before took out."""
        back = self._cleaning.undo()
        if back is None:
            raise NotFound("a cleaning to undo", hint="Nothing was taken out, or all of it is back.")
        self._wake_background()
        return back

    def context(
        self, prompt: str, phase: str | None = None, session: str | None = None, budget: int | None = None
    ) -> Pack:
        """What is known about a prompt, packed into a token budget and cited; empty when nothing is relevant.

        What was said in `session` itself is left out: it is in the prompt already. The latest weekly reflection, when
        there is one, always comes along.
        """
        from holdfast.conversation.reflect import latest, with_insight
        from holdfast.recall.adjacent_turns import with_adjacent_turns
        from holdfast.recall.pack import budget_of, pack

        phase = self._methodology.map_phase(phase) if phase else None
        answer = self.recall(prompt, limit=24, phase=phase, not_session=session, imagine=False)
        hits = with_adjacent_turns(answer.hits, self._reading, self.project)
        insight = latest(self._reading, self.project)
        recalled = [hit for hit in hits if insight is None or hit.id != insight.id]
        shares = self.types.shares.get(phase or "", {})
        packed = pack(recalled, budget_of(phase, budget), shares, self._tokens, answer.trace)
        return with_insight(packed, insight, self._tokens)

    def list(self, order: str = "newest", limit: int = 50, offset: int = 0, **filters: Any) -> tuple[Memory, ...]:
        """Memories by filter: `newest`, `oldest`, by `confidence` or by how often they were `used`."""
        self._write_counts()
        if order not in ("newest", "oldest", "confidence", "used"):
            raise InvalidInput(f"order {order!r}", hint="Use newest, oldest, confidence or used.")
        narrowed = _filters(**filters)
        self._check_types(narrowed.types)
        return self._reading.memories(self.project, narrowed, order=order, limit=limit, offset=offset)

    def count(self, **filters: Any) -> int:
        """How many memories pass the filters."""
        narrowed = _filters(**filters)
        self._check_types(narrowed.types)
        return self._reading.count(self.project, narrowed)

    def get(self, id: str) -> Memory:
        """The memory of that id; the last characters of it will do."""
        self._write_counts()
        memory = self._reading.memory(self._reading.resolve(self.project, id))
        if memory is None:
            raise NotFound(f"memory {id}")
        return memory

    def history(self, id: str) -> tuple[MemoryEvent, ...]:
        """Everything that was done to a memory, in order."""
        return self._reading.events(self.get(id).id)

    def successors(self, id: str) -> tuple[Memory, ...]:
        """What took the place of a memory."""
        return self._reading.successors(self.get(id))

    def entity(self, name: str, limit: int = 20) -> EntityProfile:
        """Everything about someone or something by name: memories, months, and what is named beside it."""
        return self._registry.profile(name, limit)

    def entities(self, limit: int = 50, type: str | None = None) -> tuple[Entity, ...]:
        """Who and what most memories name; of one of the seven types, or of all."""
        return self._registry.most_mentioned(_positive(limit), type)

    def merge_entities(self, kept: str, merged: str) -> Entity:
        """Two names for one: the first stays and is found by both, with the memories of both."""
        return self._registry.merge(kept, merged)

    def split_entity(self, name: str) -> Entity:
        """Undoes a merge: the one of that name is itself again. What was said of either since stays where it is."""
        return self._registry.split(name)

    def rename_entity(self, name: str, new: str) -> Entity:
        """Another name for an entity; it is still found by the old one."""
        return self._registry.rename(name, new)

    def protect_entity(self, name: str, on: bool = True) -> Entity:
        """Keeps an entity's name and type as they are, and itself from being merged into another."""
        return self._registry.protect(name, on)

    def describe_entity(self, name: str, summary: str) -> Entity:
        """What is to be known about an entity, in a sentence or two."""
        from holdfast.intake.secrets import redact

        return self._registry.describe(name, redact(summary))

    # -- a person's word ----------------------------------------------------------------------------------------

    def correct(
        self, id: str, text: str, reason: str = "", how: str = "inaccurate", source: str = "user_taught"
    ) -> Admission:
        """A better text takes the place of a memory; the old one is kept and `restore` brings it back.

        `how`: inaccurate, outdated, generalise, or duplicate_of, where `text` is the id that stays.
        """
        if how == "duplicate_of":
            text = self.get(text).id
        answer = self._intake.correct(self.get(id), text, reason, how, source)
        self._wake_background()
        return answer

    def confirm(self, id: str) -> Memory:
        """It is right: verified, never decays."""
        from holdfast.trust import actions

        return actions.confirm(self._store.memories, self.get(id).id, self._now())

    def flag(self, id: str, why: str = "") -> Memory:
        """It may be wrong: to be reviewed."""
        from holdfast.intake.secrets import redact
        from holdfast.trust import actions

        return actions.flag(self._store.memories, self.get(id).id, redact(why), self._now())

    def pin(self, id: str, on: bool = True) -> Memory:
        """It matters: never decays, never pruned."""
        from holdfast.trust import actions

        return actions.pin(self._store.memories, self.get(id).id, self._now(), on)

    def forget(self, id: str, reason: str = "") -> Memory:
        """Out of sight; `restore` brings it back."""
        from holdfast.intake.secrets import redact
        from holdfast.trust import actions

        return actions.forget(self._store.memories, self.get(id).id, redact(reason), self._now())

    def restore(self, id: str) -> tuple[Memory, tuple[str, ...]]:
        """Undoes a forgetting or a correction. Returns the memory and the ids of those it took back."""
        from holdfast.trust import actions

        return actions.restore(self._store.memories, self.get(id).id, self._now())

    @property
    def memory_file(self) -> str:
        """Where the file lies in which people read and edit what is remembered."""
        from holdfast.conversation.memory_files.sync import NAME

        return str(self._views.folder.path / NAME)

    def memory_page(self) -> str:
        """What is known, as a page of at most 8,192 bytes to stand in every prompt; empty when nothing is."""
        return self._views.memory.page()

    def sync_memory(self, confirm: bool = False) -> SyncReport:
        """Takes in what a person changed in MEMORY.md, then writes it anew, and adds to the history files beside it.

        What may be an accident is held until `confirm` says yes: most lines deleted, a file that was not written here.
        """
        self._views.refresh_history()
        report = self._views.memory.sync(confirm)
        self._wake_background()
        return report

    # -- in and out ---------------------------------------------------------------------------------------------

    def export(self, format: str = "json") -> str:
        """The project's memory as text: `json` comes back without loss, `markdown` is for people."""
        from holdfast.intake import project_archive

        self._write_counts()
        whole = self._store.moving.take(self.project)
        if format == "json":
            return project_archive.dump(self.project_name, whole, self._now())
        if format == "markdown":
            return project_archive.as_markdown(whole.memories)
        raise InvalidInput(f"format {format!r}", hint="Use json or markdown.")

    def import_(self, text: str, format: str = "json") -> Mapping[str, int]:
        """Brings an export back. Nothing is stored unless all of it can be read; what is known stays as it is."""
        from holdfast.intake import project_archive

        if format == "json":
            counts = project_archive.import_archive(
                self._store.moving, self.types, self.project, project_archive.load(text)
            )
        elif format == "markdown":
            found = project_archive.from_markdown(text, self.types)
            if not found:
                raise InvalidFile("no list items in this markdown")
            answers = self._intake.admit_all(Candidate(text, type) for type, text in found)
            counts = {outcome: sum(a.outcome == outcome for a in answers) for outcome in {a.outcome for a in answers}}
        else:
            raise InvalidInput(f"format {format!r}", hint="Use json or markdown.")
        self._wake_background()
        return counts

    # -- the house itself ---------------------------------------------------------------------------------------

    def init(self) -> str | None:
        """Marks a folder outside git, so that it keeps its memory when moved. Returns the marker's path, if any."""
        from pathlib import Path

        if self._identity.common_dir is not None or self._identity.marker is not None:
            return None
        marker = Path(self.root) / MARKER
        try:
            marker.parent.mkdir(exist_ok=True)
            marker.write_text(self.project + "\n", encoding="utf-8")
        except OSError as error:
            raise InvalidInput(f"{marker} cannot be written ({error.strerror})", hint="Check its folder.") from error
        return str(marker)

    def stats(self) -> Stats:
        """What is held, and what the background is at."""
        from holdfast.core.health import Stats
        from holdfast.upkeep import background

        self._write_counts()
        embedder = self._embedder
        lease = self._reading.lease(background.LEASE)
        running = background.is_running(self._reading, self._now())
        return Stats(
            project=self.project,
            project_name=self.project_name,
            root=self.root,
            db=self.db,
            bytes=sum(os.path.getsize(self.db + end) for end in ("", "-wal") if os.path.exists(self.db + end)),
            by_type=tuple(_plain(count) for count in self._reading.count_by_type(self.project)),
            **self._reading.count_documents(self.project),
            totals=self._reading.totals(),
            embedder=embedder.id if embedder else None,
            waiting=self._reading.count_waiting(embedder.id) if embedder else 0,
            background={"holder": lease.holder, **lease.progress} if lease and running else None,
            jobs=self._reading.job_runs(5),
            llm=_plain(self._ceiling.spent()),
        )

    def doctor(self, repair: bool = False) -> Health:
        """Examines the store and the model; with `repair`, makes right what is derived."""
        from holdfast.core.health import Health

        repairs = self._store.checkup.repair() if repair else ()
        health = Health((*self._store.checkup.examine(), self._model_finding()), repairs)
        self._wake_background()
        return health

    def upkeep(self, job: str | None = None, linger: float = 0.0) -> Mapping[str, Any]:
        """Runs background work here and now: all whose turn it is, or one job. One process at a time does it."""
        from holdfast.upkeep import background
        from holdfast.upkeep.jobs import jobs

        table = jobs(self._job_resources)
        chosen = [j for j in table if j.name == job] if job else self._due_jobs()
        if job and not chosen:
            raise InvalidInput(f"job {job!r}", hint=f"Use one of: {', '.join(j.name for j in table)}.")
        return background.run(chosen, self._reading, self._store.jobs, self._now, linger)

    def models(self) -> tuple[InstalledModel, ...]:
        """The embedders that can be used here without a network."""
        from holdfast.models.installed import list_models

        return list_models(self._models_folder)

    def pull_model(self, name: str, progress: Callable[[str, int, int], None] = lambda *_: None) -> InstalledModel:
        """Fetches an embedder by its hub name, `owner/name` or `owner/name@revision`, pinned and checked."""
        from holdfast.models.hub import pull

        return pull(name, self._models_folder, hub_url=self.settings.hub_url, progress=progress)

    def use_model(self, name: str) -> Embedder | None:
        """Makes an embedder the user's choice; passages are embedded anew in the background."""
        from holdfast.intake.secrets import redact
        from holdfast.models.choice import choose_embedder

        chosen = choose_embedder(replace(self.settings, embedder=name), self._models_folder, redact=redact)
        settings_.save(paths.settings_file(os.environ), "embedder", name)
        self.settings = replace(self.settings, embedder=name)
        for made_with_it in ("_embedder", "_closer", "_imagination", "_kitchen", "_tools"):
            self.__dict__.pop(made_with_it, None)
        self._last_query = {}
        self._wake_background()
        return chosen

    def close(self) -> None:
        """Lets go of the file. What was said here gets its vectors in the background from now on."""
        self._write_counts()
        if "_episode_door" in self.__dict__:
            self._wake_background(sessions=True)
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def run_background(self) -> Mapping[str, Any]:
        """What the background process does: all jobs, politely, with a short look for more at the end."""
        from holdfast.upkeep import background

        background.lower_priority()
        return self.upkeep(linger=_LINGER_SECONDS)


_LINGER_SECONDS = 3.0
_CANDIDATE_FIELDS = frozenset(Candidate.__dataclass_fields__)
_LIST_FILTERS = (
    "types", "sources", "scopes", "visibilities", "tags", "files", "modules", "sessions", "labels", "doc_types",
)  # fmt: skip


def _with_fields(candidate: Candidate, fields: Mapping[str, Any]) -> Candidate:
    """Candidate fields by name; what is none of them is a structured field of the type."""
    own = {name: value for name, value in fields.items() if name in _CANDIDATE_FIELDS}
    structured = {name: value for name, value in fields.items() if name not in _CANDIDATE_FIELDS}
    if structured:
        own["fields"] = {**own.get("fields", {}), **structured}
    return replace(candidate, **own)


def _filters(**given: Any) -> Filters:
    known = {name: value for name, value in given.items() if value is not None}
    unknown = set(known) - set(Filters.__dataclass_fields__)
    if unknown:
        raise InvalidInput(f"filter {', '.join(sorted(unknown))}", hint="See docs/reference/filters.md.")
    for name in _LIST_FILTERS:
        if name in known:
            known[name] = (known[name],) if isinstance(known[name], str) else tuple(known[name])
    return Filters(**known)


def _positive(limit: int) -> int:
    if limit < 1:
        raise InvalidInput(f"limit {limit}", hint="Ask for at least 1.")
    return limit


def _plain(value: Any) -> dict[str, Any]:
    return {name: getattr(value, name) for name in value.__dataclass_fields__}
