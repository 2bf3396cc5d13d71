"""Looks at what a new project has: documents to index, instruction files and sessions of agents to import."""

from __future__ import annotations

import glob
import os
from typing import TYPE_CHECKING

from holdfast.core.frozen import frozen
from holdfast.core.project import relative

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from holdfast.documents.rules import DocumentRules

INSTRUCTIONS = (
    "CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", "GEMINI.md", ".cursorrules", ".windsurfrules",
    ".github/copilot-instructions.md",
)  # fmt: skip
# Sessions of Codex lie in one folder for all projects; the newest ones are examined.
_EXAMINED, _LONGEST_LINE = 200, 20_000
_LENGTH_OF_ID = 36  # Of a session of Codex, a UUID.


@frozen
class SessionFolder:
    """The sessions that an agent program recorded in this project and that are not known: how many, and their path."""

    program: str
    path: str
    sessions: int


@frozen
class ProjectSurvey:
    """What a project has that memory does not know yet: documents, instruction files, sessions of agents."""

    documents: int
    instructions: tuple[str, ...]
    sessions: tuple[SessionFolder, ...]


def survey(
    root: str,
    home: str,
    rules: DocumentRules,
    indexed: int,
    is_new: Callable[[str], bool],
    known_sessions: Collection[str],
) -> ProjectSurvey:
    """Looks for what is not known. `is_new` says whether an instruction file has statements that were not imported."""
    from holdfast.documents.discover import discover

    found = len(discover(root, rules).files)
    files = {name: os.path.join(root, name) for name in INSTRUCTIONS}
    instructions = tuple(name for name, path in files.items() if os.path.isfile(path) and is_new(path))
    folders = (_claude_code(root, home, known_sessions), _codex(root, home, known_sessions))
    return ProjectSurvey(max(0, found - indexed), instructions, tuple(one for one in folders if one.sessions))


def _claude_code(root: str, home: str, known: Collection[str]) -> SessionFolder:
    """Claude Code names the folder of a project after its path."""
    name = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in root)
    path = os.path.join(home, ".claude", "projects", name)
    files = glob.glob(os.path.join(glob.escape(path), "*.jsonl"))
    return SessionFolder("Claude Code", path, sum(_is_unknown(file, known) for file in files))


def _codex(root: str, home: str, known: Collection[str]) -> SessionFolder:
    path = os.path.join(home, ".codex", "sessions")
    files = glob.glob(os.path.join(glob.escape(path), "*", "*", "*", "rollout-*.jsonl"))
    newest = sorted(files, reverse=True)[:_EXAMINED]
    return SessionFolder("Codex", path, sum(_is_unknown(file, known) and _is_of(file, root) for file in newest))


def _is_unknown(file: str, known: Collection[str]) -> bool:
    """Is no known session named by the file? Its name is the id of the session, or ends with it."""
    name = os.path.basename(file).removesuffix(".jsonl")
    return name not in known and name[-_LENGTH_OF_ID:] not in known


def _is_of(file: str, root: str) -> bool:
    """Does the first line of a session of Codex name a folder of this project?"""
    import json

    try:
        with open(file, encoding="utf-8", errors="replace") as opened:
            payload = json.loads(opened.readline(_LONGEST_LINE)).get("payload", {})
        return relative(str(payload["cwd"]), root) is not None
    except (OSError, ValueError, KeyError, AttributeError, TypeError):
        return False
