"""HISTORY.md and a HISTORY-YYYY-MM.md for each month: the history entries, append-only, for people and for grep."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from holdfast.core.clock import stamp
from holdfast.core.conversation import HistoryEntry
from holdfast.core.frozen import frozen
from holdfast.sessions.memory_files.folder import Folder
from holdfast.sessions.memory_files.one_line import fold, fold_lines
from holdfast.text.removal import SentenceRemoval

NAME = "HISTORY.md"
_RAW = "[raw-fallback]"
# It ends an entry, so that an entry truncated by a crash has none and is written again.
_ENDING = re.compile(rb"^<!-- entry ([^\n]+) -->$", re.MULTILINE)


@frozen
class HistoryFiles:
    """The history files of one project, a view of its rows. Rebuilding and appending give the same files."""

    folder: Folder
    forgotten: Callable[[], Sequence[str]] = tuple

    def add(self, entries: Sequence[HistoryEntry]) -> int:
        """Appends the entries that the files do not have yet, in order. Returns how many were missing.

        With all rows it restores a lost file, without what was forgotten since. It never changes what a file contains:
        an entry truncated by a crash stays, and is appended once more in full.
        """
        months: dict[str, list[HistoryEntry]] = {}
        for entry in entries:
            months.setdefault(f"HISTORY-{stamp(entry.at)[:7]}.md", []).append(entry)
        with self.folder.locked():
            added = self._add(NAME, entries)
            for name, month_entries in months.items():
                self._add(name, month_entries)
        return added

    def _add(self, name: str, entries: Iterable[HistoryEntry]) -> int:
        content = self.folder.read(name) or b""
        known = set(_ENDING.findall(content))
        missing = [entry for entry in entries if _key(entry).encode() not in known]
        if not known and len(missing) > 1:
            missing = self._without_forgotten(missing)
        text = _repair(content) + "".join(map(entry_text, missing))
        if text:
            self.folder.append(name, text.encode())
        return len(missing)

    def _without_forgotten(self, entries: Sequence[HistoryEntry]) -> list[HistoryEntry]:
        removal = SentenceRemoval(self.forgotten())
        return [replace(entry, text=removal.clean(entry.text)) for entry in entries]


def entry_text(entry: HistoryEntry) -> str:
    """One entry: its time as a heading, its text, the tools used, and a hidden line that ends it."""
    text = fold_lines(entry.text.strip())
    if entry.how == "raw-fallback" and _RAW not in text:
        text = f"{_RAW}\n{text}"
    tools = f"\n\nTools: {', '.join(map(fold, entry.tools))}" if entry.tools else ""
    session = f"\n\nSession: {fold(entry.session)}" if entry.session else ""
    return f"## {stamp(entry.at)}\n\n{text}{tools}{session}\n\n<!-- entry {_key(entry)} -->\n\n"


def _key(entry: HistoryEntry) -> str:
    """The entry's id with the characters replaced that a comment cannot contain."""
    return re.sub(r"[^0-9A-Za-z_.:-]|--", "?", entry.id)


def _repair(content: bytes) -> str:
    """The line breaks missing at the end of a file that was truncated or edited."""
    if not content or content.endswith(b"\n\n"):
        return ""
    return "\n" if content.endswith(b"\n") else "\n\n"
