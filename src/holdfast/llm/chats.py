"""Provides the language model of the settings for each purpose, under one daily ceiling."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import TYPE_CHECKING

from holdfast.core.built_once import built_once
from holdfast.core.frozen import frozen

if TYPE_CHECKING:
    from holdfast.core.settings import Settings
    from holdfast.llm.ceiling import Ceiling
    from holdfast.models.protocols import Chat
    from holdfast.store.protocol import Store


@frozen(slots=False, eq=False)
class Chats:
    """The language model of one workspace."""

    settings: Settings
    store: Store
    now: Callable[[], datetime]
    redact: Callable[[str], str]

    @built_once
    def ceiling(self) -> Ceiling:
        """Counts the calls and tokens of each day."""
        from holdfast.llm.ceiling import Ceiling

        return Ceiling(self.store.model_usage, self.now, self.settings.llm_daily_calls, self.settings.llm_daily_tokens)

    def chat(self, purpose: str, fields: Iterable[str] = (), seconds: float | None = None) -> Chat | None:
        """The language model for one purpose; None when the settings name none.

        With `seconds` somebody waits for the answer, which is no job for a program that has to be started.
        """
        if not self.settings.llm_url and (seconds is not None or not self.settings.llm_command):
            return None
        from holdfast.llm.limited_chat import limited_chat

        timeout = seconds or self.settings.http_timeout
        return limited_chat(self.settings, purpose, self.ceiling, timeout, redact=self.redact, fields=tuple(fields))
