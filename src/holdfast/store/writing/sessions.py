"""Sessions, history, views and what models cost: held by the room of conversation."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from holdfast.core.conversation import HistoryEntry, SessionState
    from holdfast.core.memory import Memory


class SessionWriting(Protocol):
    """How far each session has come. What was said in it is written by intake; here it is only read.

    The order of messages is the order in which they were kept.
    """

    def state(self, project: str, id: str) -> SessionState | None: ...
    def states(self, project: str, limit: int = -1) -> tuple[SessionState, ...]:
        """All sessions, the latest first; a negative limit means all."""
        ...

    def due(
        self, project: str, idle_since: datetime, *, but: str | None = None, switched: bool = False, limit: int = -1
    ) -> tuple[SessionState, ...]:
        """Sessions with something said that is not consolidated yet: archived ones and those idle since then.

        With `switched` all of them, `but` the one that goes on.
        """
        ...

    def messages(self, project: str, id: str, *, after: str | None = None, limit: int = 30) -> tuple[Memory, ...]:
        """What was said after a message, in order, without what was forgotten."""
        ...

    def count_messages(self, project: str, id: str, *, after: str | None = None) -> int: ...
    def trim(self, project: str, id: str, to: str, recap: str) -> None:
        """Up to this message nothing goes into the prompt any more; the recap stands for it."""
        ...

    def archive(self, project: str, id: str, at: datetime) -> None: ...
    def entitle(self, project: str, id: str, title: str) -> None: ...
    def history(
        self, project: str, *, session: str | None = None, limit: int = -1, offset: int = 0
    ) -> tuple[HistoryEntry, ...]:
        """What happened, the oldest first."""
        ...

    def page(self, project: str, name: str) -> str | None:
        """A view that people may edit, as it was last written."""
        ...

    def keep_page(self, project: str, name: str, text: str, at: datetime) -> None: ...


class UsageCounting(Protocol):
    """What language models were asked, held against a ceiling by all processes together."""

    def reserve(self, day: str, purpose: str, tokens: int, *, most_calls: int, most_tokens: int) -> bool:
        """Counts a call before it is made; False, and counted as refused, when it would go over the ceiling."""
        ...

    def settle(self, day: str, purpose: str, *, reserved: int, prompt: int, completion: int) -> None:
        """Puts what a call really took in the place of what was reserved."""
        ...

    def usage(self, day: str) -> Mapping[str, Mapping[str, int]]:
        """By purpose: calls, prompt_tokens, completion_tokens, refused."""
        ...
