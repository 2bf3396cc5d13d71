"""A page: up to thirty messages of a session that are consolidated together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from holdfast.core.frozen import frozen

if TYPE_CHECKING:
    from datetime import datetime

    from holdfast.core.conversation import Message

MAX_MESSAGES = 30
RAW_MESSAGES, RAW_CHARACTERS = 10, 200
_ROLES = ("user", "assistant")


@frozen
class Page:
    """The messages after the watermark `since`, and those of the page before it as context."""

    session: str
    since: str | None
    messages: tuple[Message, ...]
    before: tuple[Message, ...]

    @property
    def dialogue(self) -> tuple[Message, ...]:
        """The messages of the person and the assistant. The output of tools is no evidence for a memory."""
        return dialogue(self.messages)

    @property
    def is_work(self) -> bool:
        """Does the assistant use tools, as coding agents do?"""
        return any(message.tools for message in (*self.before, *self.messages))

    @property
    def ends_at(self) -> datetime:
        """The time of the last message."""
        return self.messages[-1].at


def dialogue(messages: Iterable[Message]) -> tuple[Message, ...]:
    """The messages of the person and the assistant."""
    return tuple(message for message in messages if message.role in _ROLES)


def with_time(entry: str, at: datetime) -> str:
    """A history entry on one line that begins with its time, as `[YYYY-MM-DD HH:MM]`; empty stays empty."""
    line = " ".join(entry.split())
    return line if line.startswith("[20") or not line else f"[{at:%Y-%m-%d %H:%M}] {line}"


def raw_entry(messages: Sequence[Message]) -> str:
    """A history entry that quotes the last messages, shortened, so that nothing is lost when the model fails."""
    lines = [f"{m.role}: {' '.join(m.text.split())[:RAW_CHARACTERS]}" for m in messages[-RAW_MESSAGES:]]
    return "\n".join([f"[{messages[-1].at:%Y-%m-%d %H:%M}] [raw-fallback]", *lines])
