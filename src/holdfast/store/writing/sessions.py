"""Sessions, history, editable files and model usage: used by conversation."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from holdfast.core.conversation import HistoryEntry, SessionState
    from holdfast.core.memory import Memory


class SessionWriting(Protocol):
    """Reads sessions and their messages, and writes their state. Intake writes the messages.

    Messages are ordered as they were stored.
    """

    def state(self, project: str, id: str) -> SessionState | None: ...
    def states(self, project: str, limit: int = -1) -> tuple[SessionState, ...]:
        """The sessions of a project, latest first; a negative limit returns all."""
        ...

    def due(
        self, project: str, idle_since: datetime, *, but: str | None = None, switched: bool = False, limit: int = -1
    ) -> tuple[SessionState, ...]:
        """Sessions with messages that are not consolidated yet and that are archived or idle since that moment.

        With `switched`, all sessions with such messages except `but`, the one that continues.
        """
        ...

    def messages(self, project: str, id: str, *, after: str | None = None, limit: int = 30) -> tuple[Memory, ...]:
        """The messages after a message, in order, without forgotten ones."""
        ...

    def count_messages(self, project: str, id: str, *, after: str | None = None) -> int: ...
    def trim(self, project: str, id: str, to: str, recap: str) -> None:
        """Leaves messages up to this one out of the prompt; the recap replaces them."""
        ...

    def archive(self, project: str, id: str, at: datetime) -> None: ...
    def entitle(self, project: str, id: str, title: str) -> None: ...
    def history(self, project: str, *, session: str | None = None) -> tuple[HistoryEntry, ...]:
        """Paragraphs of history, oldest first."""
        ...

    def page(self, project: str, name: str) -> str | None:
        """An editable file as it was last written."""
        ...

    def keep_page(self, project: str, name: str, text: str, at: datetime) -> None: ...


class UsageCounting(Protocol):
    """Counts calls of language models against a daily limit that all processes share."""

    def reserve(self, day: str, purpose: str, tokens: int, *, most_calls: int, most_tokens: int) -> bool:
        """Counts a call before it is made; returns False and counts a refusal if it would exceed the limit."""
        ...

    def settle(self, day: str, purpose: str, *, reserved: int, prompt: int, completion: int) -> None:
        """Replaces the reserved tokens by those a call really used."""
        ...

    def usage(self, day: str) -> Mapping[str, Mapping[str, int]]:
        """By purpose: calls, prompt_tokens, completion_tokens, refused."""
        ...
