"""SpecStory: sessions of Cursor, Copilot and others, saved as Markdown in the project."""

from __future__ import annotations

import os

from holdfast.agents.agent_program import AgentProgram

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from holdfast.agents.session_folder import SessionFolder

_ID = r"^<!-- [A-Za-z][A-Za-z0-9 .]{0,30} Session ([0-9A-Za-z-]{8,64}) "
_HEAD = 4096


def _sessions(root: str, home: str, known: Collection[str]) -> SessionFolder:
    """SpecStory saves sessions in the project: most of them with their id, the oldest ones without.

    None unless git is there and does not track them: in what others made, the person who speaks is somebody else.
    """
    import glob
    import re

    from holdfast.agents.session_folder import EXAMINED, SessionFolder, head
    from holdfast.system.git import is_tracked, may_be_in_git

    path = os.path.join(root, ".specstory", "history")
    if not os.path.isdir(path) or not may_be_in_git(root) or is_tracked(root, ".specstory"):
        return SessionFolder(PROGRAM.title, path, 0)
    sessions = set()
    for file in sorted(glob.glob(os.path.join(glob.escape(path), "*.md")), reverse=True)[:EXAMINED]:
        found = re.search(_ID, head(file, _HEAD), re.M)
        sessions.add(found[1] if found else os.path.basename(file).removesuffix(".md"))
    return SessionFolder(PROGRAM.title, path, len(sessions.difference(known)))


PROGRAM = AgentProgram(
    "specstory", "SpecStory", reader="holdfast.agents.transcripts.specstory_reader", sessions=_sessions
)
