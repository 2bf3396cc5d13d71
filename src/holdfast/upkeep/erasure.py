"""Erases memories for good: tables, indexes, the project's files, journals of hooks, and backups."""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from holdfast.core.files import read_file, replace_file
from holdfast.core.frozen import frozen
from holdfast.core.journal import project_folder
from holdfast.text.removal import SentenceRemoval

if TYPE_CHECKING:
    from holdfast.core.memory import Memory
    from holdfast.store.protocol import Store

_MARK = "[erased]"
_LARGEST_JOURNAL = 1_000_000_000


@frozen
class ErasureReport:
    """What was erased: the memories, other memories that repeated their text, and the backups that were deleted.

    `log_emptied` is False while another process reads: the text may be in the database's log until it has finished.
    """

    memories: tuple[str, ...]
    cleaned: tuple[str, ...] = ()
    backups: tuple[str, ...] = ()
    log_emptied: bool = True


@frozen
class Eraser:
    """Erases memories of one project.

    `sync_files` applies a person's edits of MEMORY.md, `remove_from_files` removes memories from the project's files.
    """

    store: Store
    project: str
    now: Callable[[], datetime]
    sync_files: Callable[[], None]
    remove_from_files: Callable[[Sequence[Memory]], None]

    def erase(self, ids: Sequence[str]) -> ErasureReport:
        """Erases the memories with these ids, after a person's edits of MEMORY.md were applied."""
        self.sync_files()
        erasure = self.store.erasure
        projects = erasure.projects(self.project, ids)
        before = [memory for memory in erasure.connected(projects, ids) if memory.id in ids]
        texts = [memory.content for memory in before if memory.content != _MARK]
        changed = erasure.erase(projects, ids, SentenceRemoval(texts, _MARK), self.now())
        emptied = erasure.compact()
        self.remove_from_files(before)
        for project in projects:
            _clean_journals(project_folder(self.store.location, project), SentenceRemoval(texts))
        cleaned = tuple(memory.id for memory in changed if memory.id not in ids)
        return ErasureReport(tuple(ids), cleaned, _delete_backups(self.store.location), emptied)


def _clean_journals(folder: str, removal: SentenceRemoval) -> None:
    """Cleans the journals line by line. Each line keeps its length, because other files refer to positions."""
    for path in glob.glob(os.path.join(glob.escape(folder), "*.jsonl")):
        content = read_file(path, _LARGEST_JOURNAL)
        lines = [_cleaned(line, removal) for line in content.split(b"\n")]
        if b"\n".join(lines) != content:
            replace_file(path, b"\n".join(lines))


def _cleaned(line: bytes, removal: SentenceRemoval) -> bytes:
    text = line.decode("utf-8", "replace")
    clean = removal.clean_json(text)
    return line if clean == text else clean.encode("ascii", "backslashreplace")[: len(line)].ljust(len(line))


def _delete_backups(location: str) -> tuple[str, ...]:
    patterns = (".backup-*", ".damaged-*", ".deleted-*")
    found = sorted(path for pattern in patterns for path in glob.glob(glob.escape(location) + pattern))
    for path in found:
        os.unlink(path)
    return tuple(found)
