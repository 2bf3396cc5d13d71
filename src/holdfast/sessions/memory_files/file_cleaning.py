"""Removes forgotten and erased memories from the memory files in a folder, whatever a person changed there."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

from holdfast.core.frozen import frozen
from holdfast.sessions.memory_files.folder import Folder
from holdfast.sessions.memory_files.sync import NAME
from holdfast.text.removal import SentenceRemoval

SESSIONS = "sessions"
_HEADER = '{"type": "session"'
_ID = re.compile(r'"type": "message", "id": "([^"]+)"')


@frozen
class GoneMemories:
    """Memories that no file shall show any more: their ids, and what removes their text.

    `everywhere`: also what other lines say of it, because it was erased and not only forgotten.
    """

    ids: Collection[str]
    removal: SentenceRemoval
    everywhere: bool = False

    def clean_page(self, text: str) -> str:
        """MEMORY.md without their lines. Its other lines are memories of their own."""
        return self.removal.clean_page(text) if self.everywhere else self.removal.without_anchored(text)

    def clean_log_line(self, line: str) -> str | None:
        """A line of a session's log; None if it is one of these messages."""
        if (found := _ID.search(line)) and found[1] in self.ids:
            return None
        return self.removal.clean_json(line) if self.everywhere or _HEADER in line[:40] else line


def clean_folder(folder: Folder, gone: GoneMemories) -> None:
    """Removes memories from every memory file of a folder. One that does not exist is not created."""
    if not folder.is_present:
        return
    with folder.locked():
        folder.remove_parts()
        for name in folder.names():
            if name == NAME:
                _rewrite(folder, name, gone.clean_page)
            elif gone.everywhere or name.startswith("HISTORY"):
                _rewrite(folder, name, _by_line(gone.removal.clean_json))
    clean_logs(folder, gone)


def clean_logs(folder: Folder, gone: GoneMemories) -> None:
    """Removes memories from the logs of the sessions."""
    sessions = folder.subfolder(SESSIONS)
    if sessions.is_present:
        with sessions.locked():
            sessions.remove_parts()
            for name in sessions.names():
                _rewrite(sessions, name, _by_line(gone.clean_log_line))


def _rewrite(folder: Folder, name: str, change: Callable[[str], str]) -> None:
    content = folder.read(name) or b""
    text = change(content.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")
    if text != content:
        folder.write(name, text)


def _by_line(change: Callable[[str], str | None]) -> Callable[[str], str]:
    """Changes a text line by line; a line that becomes None or empty is dropped."""

    def changed(text: str) -> str:
        lines = ((line, change(line)) for line in text.split("\n"))
        return "\n".join(new for line, new in lines if new is not None and (new or not line))

    return changed
