"""Keeps the co-changes of a project in step with its commits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.codegraph.history.co_changes import count_co_changes
from holdfast.codegraph.history.commits import read_commits
from holdfast.core.frozen import frozen
from holdfast.system.git import run_git
from holdfast.system.project import head_commit

if TYPE_CHECKING:
    from holdfast.store.reading import HistoryReading
    from holdfast.store.writing.graph import GraphWriting

_SECONDS = 20.0


@frozen
class ProjectHistory:
    """The history of one project."""

    reading: HistoryReading
    graph: GraphWriting
    project: str
    root: str

    def refresh(self) -> bool:
        """Counts co-changes again if another commit is checked out; returns whether it did. Nothing outside git."""
        head = head_commit(self.root)
        if head is None or head == self.reading.counted_commit(self.project):
            return False
        listed = run_git(self.root, "ls-files", "-z", seconds=_SECONDS)
        present = {path.decode("utf-8", "surrogateescape") for path in (listed or b"").split(b"\0") if path}
        table = count_co_changes(read_commits(self.root), present)
        self.graph.put_co_changes(self.project, head, table.files, table.pairs)
        return True
