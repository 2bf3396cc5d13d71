"""Turns reason codes into messages.

Each module holds the English messages of one package in a table `MESSAGES`; `languages/` translates them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from holdfast.interfaces.language import number, translate

if TYPE_CHECKING:
    from collections.abc import Mapping

    from holdfast.core.reason import Reason


def text_of(reason: Reason) -> str:
    """Returns the message of a reason in the chosen language, without a full stop."""
    template = messages(str(reason.code).partition(".")[0])[reason.code]
    return translate(template, **{name: _shown(value) for name, value in reason.values.items()})


def text_of_stored(value: Any) -> str:
    """Returns the text of a value from the database: the message of a reason, anything else verbatim.

    A reason is stored as `{"code": …, "values": …}`. Releases without codes stored sentences.
    """
    if not isinstance(value, dict) or set(value) != {"code", "values"}:
        return str(value)
    try:
        template = messages(value["code"].partition(".")[0])[value["code"]]
    except (KeyError, ModuleNotFoundError):  # A later release stored a code that this one does not know.
        return str(value["code"])
    return translate(template, **{name: text_of_stored(inner) for name, inner in value["values"].items()})


def messages(package: str) -> Mapping[str, str]:
    """Returns the English message of each code of a package."""
    from importlib import import_module

    table: Mapping[str, str] = import_module(f"holdfast.interfaces.messages.{package}_messages").MESSAGES
    return table


def _shown(value: Any) -> str:
    from holdfast.core.reason import Reason

    if isinstance(value, Reason):
        return text_of(value)
    if isinstance(value, tuple | list):
        return ", ".join(map(_shown, value))
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    return number(value, 0 if isinstance(value, int) else len(str(value).partition(".")[2]))
