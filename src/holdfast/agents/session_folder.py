"""Finds the sessions that agent programs recorded of a project: looks at names and beginnings of files only."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from holdfast.core.frozen import frozen
from holdfast.system.project import relative

if TYPE_CHECKING:
    from collections.abc import Collection

# Sessions of most programs lie in one folder for all projects; the newest ones are examined.
EXAMINED, _LONGEST_LINE = 200, 200_000
_LENGTH_OF_ID = 36  # Of a session, a UUID.


@frozen
class SessionFolder:
    """The sessions that an agent program recorded in this project and that are not known: how many, and their path."""

    program: str
    path: str
    sessions: int


def is_unknown(file: str, known: Collection[str]) -> bool:
    """Is no known session named by the file? Its name is the id of the session, or ends with it."""
    name = os.path.basename(file).removesuffix(".jsonl")
    return name not in known and name[-_LENGTH_OF_ID:] not in known


def is_of(file: str, root: str) -> bool:
    """Does the first line of a session of Codex or Copilot CLI name a folder of this project?"""
    try:
        first = json.loads(head(file).partition("\n")[0])
        about = first.get("payload") or first["data"]["context"]
        return relative(str(about["cwd"]), root) is not None
    except (ValueError, KeyError, AttributeError, TypeError):
        return False


def head(file: str, longest: int = _LONGEST_LINE) -> str:
    """The beginning of a file; empty if it cannot be read, or is a pipe or a device, which might never end."""
    if not os.path.isfile(file):
        return ""
    try:
        with open(file, encoding="utf-8", errors="replace") as opened:
            return opened.read(longest)
    except OSError:
        return ""
