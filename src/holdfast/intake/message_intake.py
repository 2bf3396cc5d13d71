"""Intake of messages, the hot path: one secret scan and one transaction, without any model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from holdfast.core.admission import Admission, Outcome
from holdfast.core.arguments import check_text
from holdfast.core.citation import cite
from holdfast.core.clock import in_utc
from holdfast.core.events import MessagesStored, about_to_be_written
from holdfast.core.frozen import frozen
from holdfast.core.memory import EPISODE, Memory, empty_mapping
from holdfast.core.memory_types import MESSAGE
from holdfast.core.reason import Reason
from holdfast.intake.intake_reasons import IntakeCode
from holdfast.intake.junk import why_unreadable
from holdfast.intake.limits import check_session
from holdfast.intake.secrets import redact, scan

if TYPE_CHECKING:
    from holdfast.core.events import BeforeWriting, OnMessages
    from holdfast.core.ids import Ids
    from holdfast.store.writing.memories import EpisodeWriting

_STORED = Reason.of(IntakeCode.MESSAGE)
_MOST_CHARACTERS = 1_000_000


@frozen
class IncomingMessage:
    """One message: its role, text, time and the tools used."""

    role: str
    text: str
    when: datetime | None = None
    tools: tuple[str, ...] = ()


@frozen
class MessageIntake:
    """Stores the messages of sessions in their order."""

    episodes: EpisodeWriting
    ids: Ids
    now: Callable[[], datetime]
    project: str
    before_writing: tuple[BeforeWriting, ...] = ()
    on_messages: tuple[OnMessages, ...] = ()

    def admit(self, session: str, kind: str, messages: Sequence[IncomingMessage]) -> tuple[Admission, ...]:
        """Stores messages in one transaction, then tells those who wait for messages.

        Word search finds the messages at once; vectors follow in the background. Raises InvalidInput for a session
        whose id or kind is too long or has control characters.
        """
        check_session(session, kind)
        for message in messages:
            check_text(message.text)
        now = self.now()
        answers = [self._checked(session, message, now) for message in messages]
        stored = [answer.memory for answer in answers if answer.memory is not None]
        written = [about_to_be_written(memory, self.before_writing) for memory in stored]
        named = [(one.memory.id, one.mentions) for one in written if one.mentions]
        self.episodes.add_episodes(stored, kind, named)
        for subscriber in self.on_messages:
            subscriber(MessagesStored(session, answers))
        return tuple(answers)

    def _checked(self, session: str, message: IncomingMessage, now: datetime) -> Admission:
        reason = why_unreadable(message.text) or self._too_long(message.text)
        if reason is not None or not message.text.strip():
            return Admission(Outcome.REFUSED, reason or Reason.of(IntakeCode.EMPTY))
        text, redactions = scan(message.text)
        episode = Memory(
            id=self.ids.memory(MESSAGE.id_prefix),
            type=EPISODE,
            content=text,
            project=self.project,
            created_at=now,
            confidence=1.0,
            event_time=None if message.when is None else in_utc(message.when, "when"),
            session=session,
            scope="session",
            source="user_taught" if message.role == "user" else "agent_explicit",
            source_role=message.role,
            citation=cite(text[:200]),
            redacted=bool(redactions),
            attributes={"tools": [redact(tool) for tool in message.tools]} if message.tools else empty_mapping(),
        )
        return Admission(Outcome.STORED, _STORED, episode, redactions)

    def _too_long(self, text: str) -> Reason | None:
        if len(text) <= _MOST_CHARACTERS:
            return None
        return Reason.of(IntakeCode.MESSAGE_TOO_LONG, count=len(text), limit=_MOST_CHARACTERS)
