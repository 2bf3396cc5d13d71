"""The token that clients of the HTTP server must send, kept in a file that only the user can read."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from holdfast.core.errors import InvalidFile
from holdfast.system.files import create_file, make_folders, read_file

_FEWEST_CHARACTERS = 16
_MOST_BYTES = 1_000


def read_or_create(path: Path) -> str:
    """Returns the token in the file; creates a random one if there is no file. Raises InvalidFile."""
    make_folders(path.parent)
    try:
        handle = create_file(path)
    except FileExistsError:
        return _read(path)
    token = secrets.token_urlsafe(32)
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(token + "\n")
    return token


def _read(path: Path) -> str:
    try:
        token = read_file(path, _MOST_BYTES, links=True).decode("ascii").strip()
    except (OSError, ValueError) as error:
        raise InvalidFile(f"the token in {path} cannot be read: {error}", hint="Delete the file.") from None
    if len(token) < _FEWEST_CHARACTERS or not token.isprintable():
        raise InvalidFile(f"{path} has no token of at least {_FEWEST_CHARACTERS} characters", hint="Delete the file.")
    return token
