"""The providers of a language model: a server for `llm_url`, a program or a row of the table for `llm_command`."""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

from holdfast.core.errors import InvalidSettings
from holdfast.llm.program import ProgramEndpoint, check_program, words_of
from holdfast.models.endpoint import Endpoint, RetryPolicy

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.core.settings import Settings
    from holdfast.models.http import ChatEndpoint

    class Provider(Protocol):
        """What the module of a provider offers."""

        def endpoint(self, settings: Settings, seconds: float, redact: Callable[[str], str]) -> ChatEndpoint:
            """What answers requests. Applies `redact` to every text that it sends."""
            ...

        def check(self, settings: Settings) -> None:
            """Raises InvalidSettings if it cannot answer with these settings."""
            ...


# Values of `llm_command` that are more than a command line, and the module of each.
PROVIDERS: dict[str, str] = {
    "claude": "holdfast.llm.claude_provider",
    "codex": "holdfast.llm.codex_provider",
}
_ALONE = "Give its name alone; llm_model chooses its model. A script of your own may start it with other arguments."


def endpoint_of(settings: Settings, seconds: float, redact: Callable[[str], str]) -> ChatEndpoint | None:
    """What answers the requests of a chat; None if the settings name no language model."""
    if settings.llm_url:
        return Endpoint(settings.llm_url, settings.llm_key, RetryPolicy(seconds, retries=0), redact)
    if not settings.llm_command:
        return None
    found = _provider(settings.llm_command)
    if found is None:
        return ProgramEndpoint(settings.llm_command, seconds, redact)
    return found.endpoint(settings, seconds, redact)


def check_command(settings: Settings) -> None:
    """Raises InvalidSettings if `llm_command` cannot be read, its program is not there, or it would keep its tools."""
    program, *arguments = words_of(settings.llm_command)
    if arguments and _name_of(program) in PROVIDERS:
        why = f"llm_command: {_name_of(program)} with arguments keeps its tools and hooks"
        raise InvalidSettings(why, hint=_ALONE)
    found = _provider(settings.llm_command)
    if found is None:
        check_program(settings.llm_command)
    else:
        found.check(settings)


def _provider(command: str) -> Provider | None:
    """The provider that a command names alone; None for any other command line."""
    program, *arguments = words_of(command)
    module = None if arguments else PROVIDERS.get(_name_of(program))
    return cast("Provider", import_module(module)) if module else None


def _name_of(program: str) -> str:
    return os.path.basename(program).removesuffix(".exe")
