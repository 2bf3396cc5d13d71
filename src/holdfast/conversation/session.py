"""One conversation or agent run: what is said in it is kept as it is said."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from types import TracebackType
from typing import TYPE_CHECKING, Self

from holdfast.core.errors import InvalidInput
from holdfast.intake.episodes import Said

if TYPE_CHECKING:
    from holdfast.core.admission import Admission
    from holdfast.core.memory import Memory
    from holdfast.intake.episodes import EpisodeDoor
    from holdfast.store.reading import Reading

_ROLES = ("user", "assistant", "system", "tool")


@dataclass(frozen=True, slots=True)
class Session:
    """A handle on a session. Nothing need be closed: what was said is kept when `say` returns."""

    id: str
    kind: str
    project: str
    door: EpisodeDoor
    reading: Reading

    def say(self, role: str, text: str, when: datetime | None = None) -> Admission:
        """Keeps one message as an episode."""
        return self.say_all([Said(role, text, when)])[0]

    def say_all(self, messages: Iterable[Said]) -> tuple[Admission, ...]:
        """Keeps many messages in one transaction."""
        said = list(messages)
        for message in said:
            if message.role not in _ROLES:
                raise InvalidInput(f"role {message.role!r}", hint=f"Use one of: {', '.join(_ROLES)}.")
        return self.door.admit(self.id, self.kind, said)

    def episodes(self, limit: int = 1000, offset: int = 0) -> tuple[Memory, ...]:
        """What was said so far, in order."""
        return self.reading.episodes(self.project, self.id, limit, offset)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None
