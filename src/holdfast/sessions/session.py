"""One conversation or agent run: stores and reads its messages, and tracks which of them are in the prompt."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from datetime import datetime
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol, Self

from holdfast.core.arguments import checked_methods
from holdfast.core.conversation import Message
from holdfast.core.errors import InvalidInput, NotFound
from holdfast.core.frozen import frozen
from holdfast.intake.message_intake import IncomingMessage

if TYPE_CHECKING:
    from holdfast.agents.event import Event
    from holdfast.core.admission import Admission
    from holdfast.core.answer import Pack
    from holdfast.core.conversation import SessionState
    from holdfast.core.memory import Memory
    from holdfast.intake.message_intake import MessageIntake
    from holdfast.store.reading import MemoryReading
    from holdfast.store.writing.sessions import SessionWriting


class SessionWork(Protocol):
    """Records what an agent does in a session, and gives it what its steps call for. `kind` is that of the session."""

    def prompt(self, session: str, text: str, kind: str) -> Pack: ...
    def observe(self, session: str, event: Event | Mapping[str, Any], kind: str) -> None: ...
    def after_tool(
        self, session: str, tool: str, args: Mapping[str, Any], result: str, error: bool, kind: str
    ) -> Pack: ...
    def before_step(self, session: str, step: int) -> Pack: ...
    def report(self, session: str, kind: str, qa: bool | None, planned_steps: int | None, outcome: str | None) -> None:
        """Raises InvalidInput for an unknown outcome."""
        ...

    def end(self, session: str) -> None:
        """Learns from what was recorded of the session, if anything was."""
        ...


_ROLES = ("user", "assistant", "system", "tool")


@frozen
@checked_methods
class Session:
    """A handle on a session. It needs no closing: a message is stored when `say` returns."""

    id: str
    kind: str
    project: str
    intake: MessageIntake = field(repr=False)
    reading: MemoryReading = field(repr=False)
    sessions: SessionWriting = field(repr=False)
    now: Callable[[], datetime] = field(repr=False)
    redact: Callable[[str], str] = field(repr=False)
    work: Callable[[], SessionWork] = field(repr=False)

    def say(self, role: str, text: str, when: datetime | None = None, tools: Iterable[str] = ()) -> Admission:
        """Stores one message as an episode; `tools` are the tools used for it."""
        return self.say_all([IncomingMessage(role, text, when, tuple(tools))])[0]

    def say_all(self, messages: Iterable[IncomingMessage]) -> tuple[Admission, ...]:
        """Stores many messages in one transaction."""
        incoming = list(messages)
        for message in incoming:
            if message.role not in _ROLES:
                raise InvalidInput(f"role {message.role!r}", hint=f"Use one of: {', '.join(_ROLES)}.")
        return self.intake.admit(self.id, self.kind, incoming)

    def episodes(self, limit: int = 1000, offset: int = 0) -> tuple[Memory, ...]:
        """The messages as memories, in order, including forgotten ones."""
        return self.reading.episodes(self.project, self.id, limit, offset)

    def messages(self, after: str | None = None, limit: int = 1000) -> tuple[Message, ...]:
        """The messages after a given one, or from the beginning, without forgotten ones."""
        found = self.sessions.messages(self.project, self.id, after=after, limit=limit)
        return tuple(map(message_of, found))

    def state(self) -> SessionState | None:
        """The session's title, counts and watermarks; None before its first message."""
        return self.sessions.state(self.project, self.id)

    def recap(self) -> str | None:
        """The text that replaces trimmed messages in the prompt; None if none were trimmed."""
        state = self.state()
        return state.recap if state else None

    def window(self, limit: int = 1000) -> tuple[Message, ...]:
        """The messages that are still part of the prompt: those after the last trimmed one."""
        state = self.state()
        return self.messages(state.trimmed_to if state else None, limit)

    def trim_before(self, message: str, recap: str = "") -> None:
        """Removes all messages before a given one from the prompt; `recap` replaces them. Nothing is forgotten."""
        before = self._before(message)
        if before is not None:
            self.sessions.trim(self.project, self.id, before, self.redact(recap))

    def set_title(self, title: str) -> None:
        """Sets the title of the session."""
        self.sessions.entitle(self.project, self.id, self.redact(title))

    def prompt(self, text: str) -> Pack:
        """Records what the person asked an agent for; what the prompt calls for, as hooks give it.

        It is stored as a message when the session ends: do not `say` it, too.
        """
        return self.work().prompt(self.id, text, self.kind)

    def observe(self, event: Event | Mapping[str, Any]) -> None:
        """Records an event of an agent's work: `{"kind": "reasoning", "text": "…"}`, a `tool_call`, …

        Calls without an `id` are numbered; a result without one belongs to the latest call.
        """
        self.work().observe(self.id, event, self.kind)

    def after_tool(
        self, tool: str, args: Mapping[str, Any] | None = None, result: str = "", error: bool = False
    ) -> Pack:
        """Records a tool call with its result; what it calls for, mostly nothing."""
        return self.work().after_tool(self.id, tool, args or {}, result, error, self.kind)

    def before_step(self, step: int) -> Pack:
        """What the latest tool calls call for; nothing in the first five steps."""
        return self.work().before_step(self.id, step)

    def report(self, qa: bool | None = None, planned_steps: int | None = None, outcome: str | None = None) -> None:
        """Reports whether quality assurance passed, how many steps were planned, and how the work ended.

        Outcomes are `succeeded`, `accepted` or `completed`, and `failed`, `rejected` or `abandoned`. A session of the
        kind `spec` or `pr_review` is learned from only after one of the first three.
        """
        self.work().report(self.id, self.kind, qa, planned_steps, outcome)

    def end(self, outcome: str | None = None) -> None:
        """Ends the session: what was recorded of an agent's work is learned from now, what was said without delay."""
        if outcome is not None:
            self.report(outcome=outcome)
        self.work().end(self.id)
        self.sessions.archive(self.project, self.id, self.now())

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
    """Converts an episode to a message."""
    at = memory.event_time or memory.created_at
    return Message(
        memory.id, memory.source_role or "user", memory.content, at, tuple(memory.attributes.get("tools", ()))
    )


def find(sessions: SessionWriting, project: str, id: str) -> SessionState:
    """The session with this id, or the only one whose id begins with it. Raises NotFound or InvalidInput."""
    exact = sessions.state(project, id)
    if exact is not None:
        return exact
    found = [state for state in sessions.states(project) if id and state.id.startswith(id)]
    if not found:
        raise NotFound(f"session {id!r}", hint="`holdfast session list` shows the sessions.")
    if len(found) > 1:
        raise InvalidInput(f"{len(found)} sessions begin with {id!r}", hint="Give more of its id.")
    return found[0]
