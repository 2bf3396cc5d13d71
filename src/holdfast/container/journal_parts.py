"""Builds what reads the journals that hooks write."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from holdfast.core.built_once import later
from holdfast.core.memory import BACKGROUND
from holdfast.sessions.journal_messages import JournalMessages

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from holdfast.agents.session_journals import SessionJournals
    from holdfast.codegraph.history.commits import ChangedFiles
    from holdfast.container import Container
    from holdfast.models.protocols import Chat
    from holdfast.observer.journals import JournalObserver
    from holdfast.observer.observe import Observer
    from holdfast.sessions.quoted import QuotedWords

# The latest commits that stand in for sessions of a project that is new to the observer.
_OBSERVED_COMMITS = 300


def session_journals(c: Container) -> SessionJournals:
    from holdfast.agents.session_journals import SessionJournals

    return SessionJournals(c.store.data_folder.journals(c.project), c.settings.idle_minutes * 60)


def journals(c: Container) -> JournalObserver:
    from holdfast.agents.transcripts.agent_events import said_in
    from holdfast.observer.journals import JournalObserver

    return JournalObserver(lambda: c.observer, c.session_journals, said_in)


def journal_messages(c: Container) -> JournalMessages:
    store, end = later(lambda: c.sessions.import_transcripts), later(lambda: c.sessions.end)
    return JournalMessages(c.session_journals, store, end, later(lambda: c.summaries.record))


def quoted(c: Container) -> QuotedWords:
    from holdfast.recall.similar import SaidBefore
    from holdfast.sessions.quoted import QuotedWords

    return QuotedWords(c.store.data_folder.journals(c.project), SaidBefore(c.reading, c.project).messages, c.now)


def observer(c: Container) -> Observer:
    from holdfast.observer.observe import Observer
    from holdfast.observer.stored_after import memories_of
    from holdfast.observer.synthesis import FIELDS
    from holdfast.trust.actions import lapse, rename_files
    from holdfast.trust.taint import taint_all

    def commits() -> Iterable[ChangedFiles]:
        from holdfast.codegraph.history.commits import read_commits

        return read_commits(c.root, most=_OBSERVED_COMMITS)

    def renames() -> Mapping[str, str]:
        from holdfast.codegraph.history.commits import read_renames

        return read_renames(c.root)

    def chat() -> Chat | None:
        return c.chats.chat("observe", FIELDS)

    memories = c.store.memories
    return Observer(
        c.store.observations,
        partial(c.intake.admit_all, undoable=BACKGROUND),
        c.redact,
        c.project,
        c.root,
        commits,
        renames,
        chat,
        c.reading.memory,
        lapse=lambda reasons: lapse(memories, reasons, c.now()),
        rename=lambda ids, renamed: rename_files(memories, ids, renamed, c.now()),
        distrust=lambda stored: taint_all(memories, memories_of(stored, c.reading, c.project), c.now()),
    )
