"""Builds the components that learn from conversations, each on first use."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, suppress
from functools import partial
from typing import TYPE_CHECKING

from holdfast.core.arguments import check_text
from holdfast.core.built_once import built_once
from holdfast.core.errors import HoldfastError, InvalidFile, InvalidInput
from holdfast.core.frozen import frozen

if TYPE_CHECKING:
    from holdfast.agents.event import Event
    from holdfast.agents.transcripts.agent_events import AgentSession
    from holdfast.agents.transcripts.entry import IsOurs
    from holdfast.core.admission import Admission
    from holdfast.core.conversation import SessionState
    from holdfast.core.memory import Memory
    from holdfast.core.settings import Settings
    from holdfast.intake.intake_components import IntakeComponents
    from holdfast.intake.message_intake import MessageListener
    from holdfast.learn.consolidate import Consolidation
    from holdfast.learn.consolidation_lock import ConsolidationLock
    from holdfast.learn.learner import Learner
    from holdfast.learn.page_extractor import SimilarMemories
    from holdfast.learn.reflect import Reflector
    from holdfast.learn.window import PromptWindow
    from holdfast.llm.chats import Chats
    from holdfast.sessions.journal_messages import JournalMessages
    from holdfast.sessions.memory_files.file_cleaning import GoneMemories
    from holdfast.sessions.memory_files.views import FileViews
    from holdfast.sessions.quoted import QuotedWords
    from holdfast.sessions.session import Session, SessionWork
    from holdfast.sessions.session_import import ImportReport
    from holdfast.store.protocol import Store
    from holdfast.text.removal import SentenceRemoval

# Seconds to wait for another import: longer than any transcript takes.
_IMPORT_PATIENCE = 600.0


@frozen(slots=False, eq=False)
class ConversationComponents:
    """Learning from the sessions of one project."""

    settings: Settings
    store: Store
    intake: IntakeComponents
    chats: Chats
    similar: Callable[[], SimilarMemories]
    on_agent_session: Callable[[str, Sequence[Event]], None]
    work: Callable[[], SessionWork]

    def session(self, id: str, kind: str) -> Session:
        """A handle on a session. Raises InvalidInput for an empty id."""
        from holdfast.intake.secrets import redact
        from holdfast.sessions.session import Session

        check_text(id, "the id of a session")
        if not id.strip():
            raise InvalidInput("a session needs an id", hint="Give it any text that no other conversation has.")
        intake, store = self.intake, self.store
        return Session(
            redact(id), redact(kind), intake.project, intake.messages, store.reading, store.sessions, intake.now,
            redact, self.work,
        )  # fmt: skip

    def find_session(self, id: str) -> SessionState:
        """The session with that id or beginning of an id."""
        from holdfast.intake.secrets import redact
        from holdfast.sessions.session import find

        return find(self.store.sessions, self.intake.project, redact(id))

    def import_transcripts(self, path: str, format: str | None, is_ours: IsOurs | None) -> ImportReport:
        """Imports a transcript file or a folder of them; from a folder, only sessions that `is_ours` accepts."""
        from holdfast.sessions.session_import import import_transcripts

        return import_transcripts(os.path.expanduser(path), self.session, format, is_ours, self._import_lock)

    def agent_sessions(self, path: str, is_ours: IsOurs | None) -> list[AgentSession]:
        """The sessions in a transcript file, or in a folder of them, oldest first; see `import_transcripts`."""
        from holdfast.agents.transcripts.agent_events import all_sessions

        return all_sessions(os.path.expanduser(path), is_ours)

    def said_in(self, transcript: str, session: str) -> list[Event]:
        """What an agent thought and said in a session, by the transcript that its program writes."""
        from holdfast.agents.transcripts.agent_events import said_in

        return said_in(transcript, session)

    @built_once
    def journal_messages(self) -> JournalMessages:
        """Stores the messages of agents' sessions from the journals of their hooks."""
        from holdfast.sessions.journal_messages import JournalMessages

        folder = self.store.data_folder.journals(self.intake.project)
        idle = self.settings.idle_minutes * 60
        return JournalMessages(folder, self._import_file, self._end, self.on_agent_session, idle)

    def _import_file(self, path: str, format: str | None) -> ImportReport:
        return self.import_transcripts(path, format, None)

    def _end(self, session: str) -> None:
        if session.strip() and self.store.sessions.state(self.intake.project, session) is not None:
            self.store.sessions.archive(self.intake.project, session, self.intake.now())

    def _import_lock(self) -> AbstractContextManager[None]:
        """A lock on importing: two imports at once would each find a message new before the other has stored it."""
        return self.store.exclusive("import", _IMPORT_PATIENCE)

    @built_once
    def quoted(self) -> QuotedWords:
        """Finds where a person said quoted words."""
        from holdfast.recall.similar import SaidBefore
        from holdfast.sessions.quoted import QuotedWords

        folder = self.store.data_folder.journals(self.intake.project)
        return QuotedWords(folder, SaidBefore(self.store.reading, self.intake.project).messages, self.intake.now)

    @built_once
    def window(self) -> PromptWindow:
        """Decides which sessions are due and which messages stay in the prompt."""
        from datetime import timedelta

        from holdfast.learn.window import PromptWindow

        idle = timedelta(minutes=self.settings.idle_minutes)
        size = self.settings.memory_window
        return PromptWindow(self.store.sessions, self.intake.project, self.intake.now, size, idle)

    @built_once
    def lock(self) -> ConsolidationLock:
        """Lets one thread of one process consolidate at a time."""
        from holdfast.learn.consolidation_lock import ConsolidationLock

        return ConsolidationLock(self.store.jobs, self.store.reading.lease, self.intake.now)

    @built_once
    def consolidation(self) -> Consolidation:
        """Turns messages into memories."""
        from holdfast.intake.secrets import redact
        from holdfast.learn.changes.read_changes import follow_ups, overlooked
        from holdfast.learn.changes.told_changes import find_changes
        from holdfast.learn.consolidate import Consolidation
        from holdfast.learn.keep.rule_extractor import extract
        from holdfast.learn.keep.summary import summarise
        from holdfast.learn.llm_extractor import CONFLICT_FIELDS, PAGE_FIELDS, LlmExtractor
        from holdfast.learn.page_extractor import PageExtractor, RuleExtractor
        from holdfast.learn.resolve import ConflictResolver
        from holdfast.recall.similar import SaidBefore
        from holdfast.sessions.quoted import StoredQuotes
        from holdfast.statements import change_odds, compare

        pages = self.chats.chat("consolidate", PAGE_FIELDS)
        conflicts = self.chats.chat("conflict", CONFLICT_FIELDS)
        resolver = ConflictResolver(partial(compare, overheard=True), self.settings.near_duplicate, change_odds)
        return Consolidation(
            sessions=self.store.sessions,
            intake=self.intake.intake,
            lock=self.lock,
            extractor=PageExtractor(
                RuleExtractor(extract, find_changes, follow_ups, overlooked, summarise),
                resolver,
                self.similar(),
                self.intake.types,
                SaidBefore(self.store.reading, self.intake.project),
                StoredQuotes(self.store.reading, self.intake.project),
            ),
            ids=self.intake.ids,
            now=self.intake.now,
            project=self.intake.project,
            redact=redact,
            llm=LlmExtractor(pages, conflicts, self.intake.types) if pages and conflicts else None,
        )

    @built_once
    def reflector(self) -> Reflector:
        """Reflects on the week."""
        from holdfast.learn.keep.reflection import reflect
        from holdfast.learn.reflect import FIELDS, Reflector

        intake, chat = self.intake, self.chats.chat("reflect", FIELDS)
        return Reflector(self.store.reading, intake.intake, self.lock, intake.now, intake.project, reflect, chat)

    @built_once
    def learner(self) -> Learner:
        """Consolidates and reflects, and keeps the files current."""
        from holdfast.learn.learner import Learner

        views = self.views if self.settings.memory_files else None
        compress = partial(self.chats.chat, "compress")
        return Learner(
            consolidation=self.consolidation,
            reflector=self.reflector,
            window=self.window,
            sessions=self.store.sessions,
            views=views,
            chat=compress,
            store_messages=self._store_messages,
            now=self.intake.now,
            project=self.intake.project,
        )

    def _store_messages(self) -> int:
        return self.journal_messages.store_all()

    def restore_files(self) -> None:
        """Writes history entries and session logs that the memory files lack."""
        self.views.refresh_history()
        if self.settings.memory_files:
            self.views.restore_logs()

    @built_once
    def views(self) -> FileViews:
        """MEMORY.md, the history files and the session logs."""
        from pathlib import Path

        from holdfast.intake.secrets import redact
        from holdfast.sessions.memory_files.believed import BelievedMemories
        from holdfast.sessions.memory_files.folder import Folder
        from holdfast.sessions.memory_files.sync import NAME, MemoryFile
        from holdfast.sessions.memory_files.views import FileViews
        from holdfast.system.git import is_tracked

        folder, sessions, intake = Folder(Path(self.intake.root)), self.store.sessions, self.intake
        memories = BelievedMemories(self.store.reading, intake.project, intake.types)
        tracked = partial(is_tracked, str(intake.root), "/".join((*folder.parts, NAME)))
        memory = MemoryFile(
            folder, intake.project, memories, lambda: intake.teaching, sessions, intake.now, redact, tracked
        )
        return FileViews(folder, intake.project, sessions, memory, self.store.projects)

    def remove_from_files(self, memories: Sequence[Memory]) -> None:
        """Removes forgotten memories from the memory files, also of other worktrees, and of other projects if personal.

        Files of a folder that cannot be reached now are cleaned at their next sync.
        """
        from holdfast.core.ids import short
        from holdfast.sessions.memory_files.file_cleaning import GoneMemories
        from holdfast.sessions.memory_files.sync import clean_pages
        from holdfast.text.removal import SentenceRemoval

        ids, store, root = [memory.id for memory in memories], self.store, str(self.intake.root)
        texts = (memory.content for memory in memories if not memory.is_erased)
        gone = GoneMemories(ids, SentenceRemoval(texts, anchors=map(short, ids)))
        if os.path.isdir(os.path.join(root, ".holdfast", "memory")):
            self.views.remove(memories, gone)
        for project in store.erasure.projects(self.intake.project, ids):
            clean_pages(store.sessions, project, gone.clean_page, self.intake.now())
            self._clean_folders(project, gone, but=root)

    def erase_from_files(self, project: str, ids: Sequence[str], removal: SentenceRemoval) -> list[str]:
        """Removes erased memories from the memory files of a project in all of its folders.

        Returns what could not be cleaned, and why.
        """
        from holdfast.sessions.memory_files.file_cleaning import GoneMemories

        return self._clean_folders(project, GoneMemories(ids, removal, everywhere=True))

    def _clean_folders(self, project: str, gone: GoneMemories, but: str = "") -> list[str]:
        from pathlib import Path

        from holdfast.sessions.memory_files.file_cleaning import clean_folder
        from holdfast.sessions.memory_files.folder import Folder

        failed: list[str] = []
        known = self.store.projects.folders(project)
        if self._writes_no_files(project):
            return failed
        for root in sorted({*known, *self._worktrees(project)} - {but}):
            try:
                clean_folder(Folder(Path(root)), gone)
                is_away = not os.path.isdir(root)
            except (HoldfastError, OSError) as error:
                is_away = True
                failed.append(f"{root} ({error})")
            if is_away and root in known:
                self.store.projects.mark_folder(project, root, behind=True)
        return failed

    def _writes_no_files(self, project: str) -> bool:
        """Is it a person's part of a project, whose memory files belong to everybody, and never wrote a page there?"""
        from holdfast.sessions.memory_files.sync import NAME

        of_person = any(row["id"] == project and "::" in row["root"] for row in self.store.reading.projects())
        return of_person and self.store.sessions.page(project, NAME) is None

    def _worktrees(self, project: str) -> Iterable[str]:
        """The worktrees that git knows: one may have been used before Holdfast noted the folders of a project."""
        from holdfast.system.project_lookup import worktrees

        rows = (row for row in self.store.reading.projects() if row["id"] == project and row["common_dir"])
        return [root for row in rows for root in worktrees(row["common_dir"])]

    def listeners(self, wake: Callable[[], None]) -> tuple[MessageListener, ...]:
        """The functions to call after messages are stored; `wake` starts background work on sessions."""
        from holdfast.learn.window import WorkNotifier

        notifier = WorkNotifier(wake).on_messages
        return (notifier, self._write_through) if self.settings.memory_files else (notifier,)

    def _write_through(self, session: str, answers: Sequence[Admission]) -> None:
        """Appends new messages to the log file of their session.

        A file that cannot be written does not fail the message: it is stored, and consolidation writes the file later.
        """
        with suppress(InvalidFile):
            self.views.append_messages(session, answers)
