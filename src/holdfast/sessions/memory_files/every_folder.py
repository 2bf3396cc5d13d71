"""Removes forgotten and erased memories from the memory files in every folder of the projects that had them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.core.errors import HoldfastError
from holdfast.core.frozen import frozen
from holdfast.core.ids import short
from holdfast.sessions.memory_files.file_cleaning import GoneMemories, clean_folder
from holdfast.sessions.memory_files.folder import Folder
from holdfast.sessions.memory_files.sync import NAME, clean_pages
from holdfast.system.project_lookup import worktrees
from holdfast.text.removal import SentenceRemoval

if TYPE_CHECKING:
    from holdfast.core.memory import Memory
    from holdfast.sessions.memory_files.views import FileViews
    from holdfast.store.protocol import Store


@frozen
class EveryFolder:
    """The memory files of all folders of a project, and of other projects that had its personal memories."""

    store: Store
    views: Callable[[], FileViews]
    now: Callable[[], datetime]
    project: str
    root: str

    def remove(self, memories: Sequence[Memory]) -> None:
        """Removes forgotten memories. Files of a folder that cannot be reached now are cleaned at their next sync."""
        ids, store = [memory.id for memory in memories], self.store
        texts = (memory.content for memory in memories if not memory.is_erased)
        gone = GoneMemories(ids, SentenceRemoval(texts, anchors=map(short, ids)))
        if os.path.isdir(os.path.join(self.root, ".holdfast", "memory")):
            self.views().remove(memories, gone)
        for project in store.erasure.projects(self.project, ids):
            clean_pages(store.sessions, project, gone.clean_page, self.now())
            self._clean(project, gone, but=self.root)

    def erase(self, project: str, ids: Sequence[str], removal: SentenceRemoval) -> list[str]:
        """Removes erased memories from the files of a project. Returns what could not be cleaned, and why."""
        return self._clean(project, GoneMemories(ids, removal, everywhere=True))

    def _clean(self, project: str, gone: GoneMemories, but: str = "") -> list[str]:
        failed: list[str] = []
        known = self.store.projects.folders(project)
        if self._writes_no_files(project):
            return failed
        for root in sorted({*known, *self._worktrees(project)} - {but}):
            try:
                clean_folder(Folder(Path(root)), gone)
                is_away = not os.path.isdir(root)
            except (HoldfastError, OSError) as error:
                is_away = True
                failed.append(f"{root} ({error})")
            if is_away and root in known:
                self.store.projects.mark_folder(project, root, behind=True)
        return failed

    def _writes_no_files(self, project: str) -> bool:
        """Is it a person's part of a project, whose memory files belong to everybody, and never wrote a page there?"""
        of_person = any(row["id"] == project and "::" in row["root"] for row in self.store.reading.projects())
        return of_person and self.store.sessions.page(project, NAME) is None

    def _worktrees(self, project: str) -> Iterable[str]:
        """The worktrees that git knows: one may have been used before Holdfast noted the folders of a project."""
        rows = (row for row in self.store.reading.projects() if row["id"] == project and row["common_dir"])
        return [root for row in rows for root in worktrees(row["common_dir"])]
