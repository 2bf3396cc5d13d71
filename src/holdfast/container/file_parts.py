"""Builds what keeps MEMORY.md and the files beside it."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.sessions.memory_files.believed import BelievedMemories
from holdfast.sessions.memory_files.every_folder import EveryFolder
from holdfast.sessions.memory_files.folder import Folder
from holdfast.sessions.memory_files.sync import NAME, MemoryFile
from holdfast.sessions.memory_files.views import FileViews
from holdfast.system.git import is_tracked

if TYPE_CHECKING:
    from holdfast.container import Container


def views(c: Container) -> FileViews:
    folder, sessions = Folder(Path(c.root)), c.store.sessions
    memories = BelievedMemories(c.reading, c.project, c.types)
    tracked = partial(is_tracked, c.root, "/".join((*folder.parts, NAME)))
    memory = MemoryFile(folder, c.project, memories, lambda: c.teaching, sessions, c.now, c.redact, tracked)
    return FileViews(folder, c.project, sessions, memory, c.store.projects)


def every_folder(c: Container) -> EveryFolder:
    return EveryFolder(c.store, lambda: c.views, c.now, c.project, c.root)
