"""Reads and writes the user's settings file, and reads settings from the environment.

Later sources win: the default, the user's settings file, `HOLDFAST_…` in the environment, arguments.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from holdfast.core.errors import FileNotWritten, InvalidSettings
from holdfast.core.settings import ENVIRONMENT, Settings, apply, from_environment
from holdfast.system.files import make_folders, read_file, replace_file

_LARGEST_FILE = 1_000_000


def read(file: str | None, environment: Mapping[str, str], arguments: Mapping[str, Any] | None = None) -> Settings:
    """Reads settings from a file, the environment and arguments, in this order. A missing file is no error."""
    settings = Settings()
    for origin, values in (
        (file or "", _from_file(file)),
        (ENVIRONMENT, from_environment(environment)),
        ("", {k: v for k, v in (arguments or {}).items() if v is not None}),
    ):
        settings = apply(settings, values, origin)
    return settings


def save(file: str, name: str, value: Any) -> Settings:
    """Writes one setting to the user's file, atomically; all other lines stay unchanged."""
    checked = apply(read(file, {}), {name: value})
    lines = _lines(file)
    written = f"{name} = {_toml(getattr(checked, name))}"
    place = _place(lines, name)
    lines = [*lines, written] if place is None else [*lines[:place], written, *lines[place + 1 :]]
    _write(file, lines)
    return checked


def unset(file: str, name: str) -> Settings:
    """Removes one setting from the user's file, atomically; all other lines stay unchanged."""
    apply(Settings(), {name: getattr(Settings(), name, "")})  # Raises if there is no such setting.
    lines = _lines(file)
    place = _place(lines, name)
    if place is not None:
        _write(file, [*lines[:place], *lines[place + 1 :]])
    return read(file, {})


def origins(file: str | None, environment: Mapping[str, str]) -> dict[str, str]:
    """Where each setting that is set comes from: the path of the file, or the name of an environment variable."""
    found = dict.fromkeys(_from_file(file), file or "")
    return found | {name: f"HOLDFAST_{name.upper()}" for name in from_environment(environment)}


def _place(lines: Sequence[str], name: str) -> int | None:
    return next((i for i, line in enumerate(lines) if line.split("=", 1)[0].strip() == name), None)


def _write(file: str, lines: Sequence[str]) -> None:
    file = os.path.realpath(file)  # Why: people keep their settings elsewhere and link to them.
    try:
        make_folders(os.path.dirname(file))
        # The file may contain API keys: only the user can read it, or whoever could before.
        replace_file(file, ("\n".join(lines) + "\n").encode())
    except OSError as error:
        raise FileNotWritten(f"{file} ({error.strerror})") from error


def _lines(file: str) -> list[str]:
    if not os.path.exists(file):
        return []
    return read_file(file, _LARGEST_FILE, links=True).decode().splitlines()


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        import json

        # JSON escapes are valid in TOML, except that TOML also requires one for DEL.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return str(value)


def _from_file(file: str | None) -> Mapping[str, Any]:
    if not file or not os.path.exists(file):
        return {}
    import tomllib

    try:
        return tomllib.loads(read_file(file, _LARGEST_FILE, links=True).decode())
    except (ValueError, RecursionError) as error:  # Includes UnicodeDecodeError for text that is not UTF-8.
        raise InvalidSettings(f"{file} is not valid TOML ({error})", hint="Correct or move that file.") from error
    except OSError as error:
        raise InvalidSettings(f"{file} cannot be read ({error.strerror})", hint="Check its permissions.") from error
