"""Looks at what a new project has: documents to index, instruction files and sessions of agents to import."""

from __future__ import annotations

import glob
import os
from typing import TYPE_CHECKING

from holdfast.core.frozen import frozen
from holdfast.core.project import relative

if TYPE_CHECKING:
    from holdfast.documents.rules import DocumentRules

INSTRUCTIONS = (
    "CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", "GEMINI.md", ".cursorrules", ".windsurfrules",
    ".github/copilot-instructions.md",
)  # fmt: skip
# Sessions of Codex lie in one folder for all projects; the newest ones are examined.
_EXAMINED, _LONGEST_LINE = 200, 20_000


@frozen
class SessionFolder:
    """The sessions that an agent program recorded in this project: how many, and the path to import."""

    program: str
    path: str
    sessions: int


@frozen
class ProjectSurvey:
    """What a project has that memory could begin with. `documents` counts those that are not indexed yet."""

    documents: int
    instructions: tuple[str, ...]
    sessions: tuple[SessionFolder, ...]


def survey(root: str, home: str, rules: DocumentRules, indexed: int) -> ProjectSurvey:
    """Counts without reading more than the first line of a file."""
    from holdfast.documents.discover import discover

    found = len(discover(root, rules).files)
    instructions = tuple(name for name in INSTRUCTIONS if os.path.isfile(os.path.join(root, name)))
    folders = (_claude_code(root, home), _codex(root, home))
    return ProjectSurvey(max(0, found - indexed), instructions, tuple(one for one in folders if one.sessions))


def _claude_code(root: str, home: str) -> SessionFolder:
    """Claude Code names the folder of a project after its path."""
    name = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in root)
    path = os.path.join(home, ".claude", "projects", name)
    return SessionFolder("Claude Code", path, len(glob.glob(os.path.join(glob.escape(path), "*.jsonl"))))


def _codex(root: str, home: str) -> SessionFolder:
    path = os.path.join(home, ".codex", "sessions")
    files = glob.glob(os.path.join(glob.escape(path), "*", "*", "*", "rollout-*.jsonl"))
    newest = sorted(files, reverse=True)[:_EXAMINED]
    return SessionFolder("Codex", path, sum(_is_of(file, root) for file in newest))


def _is_of(file: str, root: str) -> bool:
    """Does the first line of a session of Codex name a folder of this project?"""
    import json

    try:
        with open(file, encoding="utf-8", errors="replace") as opened:
            payload = json.loads(opened.readline(_LONGEST_LINE)).get("payload", {})
        return relative(str(payload["cwd"]), root) is not None
    except (OSError, ValueError, KeyError, AttributeError, TypeError):
        return False
