"""HISTORY.md and one HISTORY-YYYY-MM.md a month: what happened, appended and never cut, for people and for grep."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from holdfast.conversation.memory_files.folder import Folder
from holdfast.conversation.memory_files.one_line import fold, fold_lines
from holdfast.core.clock import stamp
from holdfast.core.conversation import HistoryEntry

NAME = "HISTORY.md"
_RAW = "[raw-fallback]"
# Why at the end of an entry: one that was cut off by a crash has none and is written again, whole.
_ENDING = re.compile(rb"^<!-- entry ([^\n]+) -->$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class HistoryFiles:
    """The history of one project, a view of its rows. Writing it anew and adding to it give the same files."""

    folder: Folder

    def add(self, entries: Sequence[HistoryEntry]) -> int:
        """Appends those of the entries that a file does not have yet, in their order. Returns how many were missing.

        Give it all the rows and a lost file comes back. What a file holds is never changed: an entry cut off by a
        crash stays as it is, and stands below once more in full.
        """
        months: dict[str, list[HistoryEntry]] = {}
        for entry in entries:
            months.setdefault(f"HISTORY-{stamp(entry.at)[:7]}.md", []).append(entry)
        with self.folder.locked():
            added = self._add(NAME, entries)
            for name, some in months.items():
                self._add(name, some)
        return added

    def _add(self, name: str, entries: Iterable[HistoryEntry]) -> int:
        there = self.folder.read(name) or b""
        known = set(_ENDING.findall(there))
        missing = [entry for entry in entries if _key(entry).encode() not in known]
        text = _repair(there) + "".join(map(entry_text, missing))
        if text:
            self.folder.append(name, text.encode())
        return len(missing)


def entry_text(entry: HistoryEntry) -> str:
    """One entry: its moment as a heading, what happened, the tools used, and a hidden line that ends it."""
    said = fold_lines(entry.text.strip())
    if entry.how == "raw-fallback" and _RAW not in said:
        said = f"{_RAW}\n{said}"
    tools = f"\n\nTools: {', '.join(map(fold, entry.tools))}" if entry.tools else ""
    session = f"\n\nSession: {fold(entry.session)}" if entry.session else ""
    return f"## {stamp(entry.at)}\n\n{said}{tools}{session}\n\n<!-- entry {_key(entry)} -->\n\n"


def _key(entry: HistoryEntry) -> str:
    """The entry's id as it stands in a comment."""
    return re.sub(r"[^0-9A-Za-z_.:-]|--", "?", entry.id)


def _repair(there: bytes) -> str:
    """What must come after a file that does not end as we end it."""
    if not there or there.endswith(b"\n\n"):
        return ""
    return "\n" if there.endswith(b"\n") else "\n\n"
