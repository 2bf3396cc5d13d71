"""Builds what stores the messages of sessions and decides which sessions are due."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from holdfast.container.intake_parts import names_in_new
from holdfast.core.built_once import later
from holdfast.core.job import SESSIONS
from holdfast.intake.message_intake import MessageIntake
from holdfast.learn.consolidation_lock import ConsolidationLock
from holdfast.learn.window import PromptWindow, WorkNotifier
from holdfast.sessions.project_sessions import ProjectSessions

if TYPE_CHECKING:
    from holdfast.container import Container
    from holdfast.core.events import OnMessages


def messages(c: Container) -> MessageIntake:
    # While a conversation goes on, nothing is embedded beside it.
    notifier = WorkNotifier(lambda: c.background.wake(SESSIONS, only_urgent=True))
    logs: tuple[OnMessages, ...] = (later(lambda: c.views.on_messages),) if c.settings.memory_files else ()
    return MessageIntake(c.store.episodes, c.ids, c.now, c.project, names_in_new(c), (notifier.on_messages, *logs))


def sessions(c: Container) -> ProjectSessions:
    return ProjectSessions(c.store, c.messages, c.now, c.project, lambda: c.agent_loop)


def window(c: Container) -> PromptWindow:
    idle = timedelta(minutes=c.settings.idle_minutes)
    return PromptWindow(c.store.sessions, c.project, c.now, c.settings.memory_window, idle)


def learning_lock(c: Container) -> ConsolidationLock:
    return ConsolidationLock(c.store.jobs, c.reading.lease, c.now)
