"""One conversation or agent run: what is said in it is kept as it is said."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from types import TracebackType
from typing import TYPE_CHECKING, Self

from holdfast.core.conversation import Message
from holdfast.core.errors import InvalidInput, NotFound
from holdfast.intake.messages import IncomingMessage

if TYPE_CHECKING:
    from holdfast.core.admission import Admission
    from holdfast.core.conversation import SessionState
    from holdfast.core.memory import Memory
    from holdfast.intake.messages import MessageIntake
    from holdfast.store.reading import Reading
    from holdfast.store.writing.sessions import SessionWriting

_ROLES = ("user", "assistant", "system", "tool")


@dataclass(frozen=True, slots=True)
class Session:
    """A handle on a session. Nothing need be closed: what was said is kept when `say` returns."""

    id: str
    kind: str
    project: str
    intake: MessageIntake
    reading: Reading
    sessions: SessionWriting

    def say(self, role: str, text: str, when: datetime | None = None, tools: Iterable[str] = ()) -> Admission:
        """Keeps one message as an episode; `tools` are those that were used for it."""
        return self.say_all([IncomingMessage(role, text, when, tuple(tools))])[0]

    def say_all(self, messages: Iterable[IncomingMessage]) -> tuple[Admission, ...]:
        """Keeps many messages in one transaction."""
        said = list(messages)
        for message in said:
            if message.role not in _ROLES:
                raise InvalidInput(f"role {message.role!r}", hint=f"Use one of: {', '.join(_ROLES)}.")
        return self.intake.admit(self.id, self.kind, said)

    def episodes(self, limit: int = 1000, offset: int = 0) -> tuple[Memory, ...]:
        """What was said so far, in order, with what was forgotten of it."""
        return self.reading.episodes(self.project, self.id, limit, offset)

    def messages(self, after: str | None = None, limit: int = 1000) -> tuple[Message, ...]:
        """What was said after a message, or from the beginning, without what was forgotten."""
        found = self.sessions.messages(self.project, self.id, after=after, limit=limit)
        return tuple(map(message_of, found))

    def state(self) -> SessionState | None:
        """How far the session has come; None while nothing was said in it."""
        return self.sessions.state(self.project, self.id)

    def recap(self) -> str | None:
        """What stands in the prompt for the messages that were trimmed; None while there are none."""
        state = self.state()
        return state.recap if state else None

    def window(self, limit: int = 1000) -> tuple[Message, ...]:
        """The messages that still go into the prompt: those after the last one that was trimmed."""
        state = self.state()
        return self.messages(state.trimmed_to if state else None, limit)

    def trim_before(self, message: str, recap: str = "") -> None:
        """Takes everything before a message out of the prompt; `recap` stands for it. Nothing is forgotten."""
        before = self._before(message)
        if before is not None:
            self.sessions.trim(self.project, self.id, before, recap)

    def entitle(self, title: str) -> None:
        """Gives the session a name for people."""
        self.sessions.entitle(self.project, self.id, title)

    def end(self) -> None:
        """The conversation is over: it may be consolidated at once, without waiting for it to be idle."""
        self.sessions.archive(self.project, self.id, self.intake.now())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None

    def _before(self, message: str) -> str | None:
        before: str | None = None
        while page := self.sessions.messages(self.project, self.id, after=before, limit=500):
            for memory in page:
                if memory.id == message:
                    return before
                before = memory.id
        raise NotFound(f"message {message} of session {self.id}", hint="`holdfast session show` shows its messages.")


def message_of(memory: Memory) -> Message:
    """An episode as a message."""
    at = memory.event_time or memory.created_at
    return Message(
        memory.id, memory.source_role or "user", memory.content, at, tuple(memory.attributes.get("tools", ()))
    )


def find(sessions: SessionWriting, project: str, id: str) -> SessionState:
    """The session of that id; its first characters will do where they name one alone."""
    exact = sessions.state(project, id)
    if exact is not None:
        return exact
    found = [state for state in sessions.states(project) if id and state.id.startswith(id)]
    if not found:
        raise NotFound(f"session {id!r}", hint="`holdfast session list` shows what there is.")
    if len(found) > 1:
        raise InvalidInput(f"{len(found)} sessions begin with {id!r}", hint="Give more of its id.")
    return found[0]
