"""Finds what a new project has: documents and code to index, instruction files and sessions of agents to import."""

from __future__ import annotations

import glob
import hashlib
import json
import os
import re
from typing import TYPE_CHECKING

from holdfast.core.frozen import frozen
from holdfast.system.git import is_tracked, may_be_in_git
from holdfast.system.project import relative

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from holdfast.documents.index_rules import DocumentRules

INSTRUCTIONS = (
    "CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", "GEMINI.md", ".cursorrules", ".windsurfrules",
    ".github/copilot-instructions.md",
)  # fmt: skip
# Sessions of other programs than Claude Code lie in one folder for all projects; the newest ones are examined.
_EXAMINED, _LONGEST_LINE = 200, 200_000
_LENGTH_OF_ID = 36  # Of a session, a UUID.
_SPECSTORY_ID = re.compile(r"^<!-- [A-Za-z][A-Za-z0-9 .]{0,30} Session ([0-9A-Za-z-]{8,64}) ", re.M)
_SPECSTORY_HEAD = 4096


@frozen
class SessionFolder:
    """The sessions that an agent program recorded in this project and that are not known: how many, and their path."""

    program: str
    path: str
    sessions: int


@frozen
class ProjectSurvey:
    """What a project has that memory does not know yet: documents, code, instruction files, sessions of agents."""

    documents: int
    code: int
    instructions: tuple[str, ...]
    sessions: tuple[SessionFolder, ...]


def survey(
    root: str,
    home: str,
    rules: DocumentRules,
    indexed: int,
    code: int,
    is_new: Callable[[str], bool],
    known_sessions: Collection[str],
) -> ProjectSurvey:
    """Finds what memory does not know yet. `is_new` says whether an instruction file has new statements."""
    from holdfast.documents.document_files import discover

    documents = len(discover(root, rules).files)
    files = {name: os.path.join(root, name) for name in INSTRUCTIONS}
    instructions = tuple(name for name, path in files.items() if os.path.isfile(path) and is_new(path))
    folders = (look(root, home, known_sessions) for look in (_claude_code, _codex, _gemini, _copilot, _specstory))
    return ProjectSurvey(max(0, documents - indexed), code, instructions, tuple(one for one in folders if one.sessions))


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


def _gemini(root: str, home: str, known: Collection[str]) -> SessionFolder:
    """Gemini CLI writes the hash of the folder near the beginning of a chat."""
    path = os.path.join(home, ".gemini", "tmp")
    files = glob.glob(os.path.join(glob.escape(path), "*", "chats", "*.json*"))
    hash = hashlib.sha256(os.fsencode(root)).hexdigest()
    newest = sorted(files, key=os.path.basename, reverse=True)[:_EXAMINED]
    heads = (_head(file) for file in newest)
    return SessionFolder("Gemini CLI", path, sum(hash in head and not _names_known(head, known) for head in heads))


def _copilot(root: str, home: str, known: Collection[str]) -> SessionFolder:
    path = os.path.join(home, ".copilot", "session-state")
    files = sorted(glob.glob(os.path.join(glob.escape(path), "*", "events.jsonl")))[:_EXAMINED]
    new = (file for file in files if os.path.basename(os.path.dirname(file)) not in known)
    return SessionFolder("Copilot CLI", path, sum(_is_of(file, root) for file in new))


def _specstory(root: str, home: str, known: Collection[str]) -> SessionFolder:
    """SpecStory saves sessions in the project: most of them with their id, the oldest ones without.

    None unless git is there and does not track them: in what others made, the person who speaks is somebody else.
    """
    path = os.path.join(root, ".specstory", "history")
    if not os.path.isdir(path) or not may_be_in_git(root) or is_tracked(root, ".specstory"):
        return SessionFolder("SpecStory", path, 0)
    sessions = set()
    for file in sorted(glob.glob(os.path.join(glob.escape(path), "*.md")), reverse=True)[:_EXAMINED]:
        found = _SPECSTORY_ID.search(_head(file, _SPECSTORY_HEAD))
        sessions.add(found[1] if found else os.path.basename(file).removesuffix(".md"))
    return SessionFolder("SpecStory", path, len(sessions.difference(known)))


def _is_unknown(file: str, known: Collection[str]) -> bool:
    """Is no known session named by the file? Its name is the id of the session, or ends with it."""
    name = os.path.basename(file).removesuffix(".jsonl")
    return name not in known and name[-_LENGTH_OF_ID:] not in known


def _names_known(head: str, known: Collection[str]) -> bool:
    return any(f'"{id}"' in head for id in known)


def _is_of(file: str, root: str) -> bool:
    """Does the first line of a session of Codex or Copilot CLI name a folder of this project?"""
    try:
        first = json.loads(_head(file).partition("\n")[0])
        about = first.get("payload") or first["data"]["context"]
        return relative(str(about["cwd"]), root) is not None
    except (ValueError, KeyError, AttributeError, TypeError):
        return False


def _head(file: str, longest: int = _LONGEST_LINE) -> str:
    """The beginning of a file; empty if it cannot be read, or is a pipe or a device, which might never end."""
    if not os.path.isfile(file):
        return ""
    try:
        with open(file, encoding="utf-8", errors="replace") as opened:
            return opened.read(longest)
    except OSError:
        return ""
