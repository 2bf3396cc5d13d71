"""Reads the journals of a project's sessions: which there are, which sessions are over, and how far each was read.

A reader has a mark of its own, a file beside the journal with the size up to which it was read.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

from holdfast.agents import event as kinds
from holdfast.agents import journal
from holdfast.core.frozen import frozen
from holdfast.system.files import replace_file

# An ended session has its last event at the end of the file.
_TAIL = 4_096


@frozen
class SessionJournals:
    """The journals in the folder of one project. `idle_seconds` without an event end a session that was abandoned."""

    folder: str
    idle_seconds: float

    def files(self) -> list[str]:
        """The journals, by name."""
        return journal.journals_in(self.folder)

    def grown(self, mark: str) -> list[str]:
        """The journals that have grown since a reader set its mark."""
        return [file for file in self.files() if os.path.getsize(file) > position(file, mark)[0]]

    def due(self, mark: str) -> Iterator[str]:
        """The journals that have grown and whose session is over."""
        grown = self.grown(mark)
        over = self.over() if grown else frozenset()
        return (file for file in grown if file in over)

    def running(self) -> dict[str, float]:
        """The sessions of which not all messages are stored, and their latest time; latest first."""
        times = {file: os.path.getmtime(file) for file in self.grown(journal.STORED)}
        return {journal.session_of(file): times[file] for file in sorted(times, key=times.__getitem__, reverse=True)}

    def written_since(self, moment: float) -> list[str]:
        """The sessions whose journal was written since then."""
        return [journal.session_of(file) for file in self.files() if os.path.getmtime(file) >= moment]

    def over(self) -> frozenset[str]:
        """The journals of sessions that are over: they ended, were idle for long, or a newer one has begun since."""
        begun = {file: _begun(file) for file in self.files()}
        return frozenset(file for file in begun if self._is_over(file, [at for f, at in begun.items() if f != file]))

    def _is_over(self, file: str, others_begun: list[float]) -> bool:
        touched = os.path.getmtime(file)
        is_idle = time.time() - touched >= self.idle_seconds
        return is_idle or any(at > touched for at in others_begun) or _has_ended(file)


def position(file: str, mark: str) -> tuple[int, int]:
    """The size up to which a reader has read a journal, and how many memories it kept of that."""
    try:
        with open(file + mark, encoding="ascii") as opened:
            size, _, kept = opened.read().partition(" ")
            return int(size or 0), int(kept or 0)
    except (OSError, ValueError):
        return 0, 0


def set_position(file: str, mark: str, size: int, kept: int = 0) -> None:
    """Sets the mark of a reader."""
    replace_file(file + mark, f"{size} {kept}".encode())


def _begun(file: str) -> float:
    """When a session began: the time of its first event."""
    return next((event.at for _, event in journal.read(file)), 0.0)


def _has_ended(file: str) -> bool:
    return any(event.kind == kinds.END for event in journal.tail(file, _TAIL))
