"""Builds the components of the code graph, each when it is first used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING

from holdfast.core.built_once import built_once
from holdfast.core.frozen import frozen

if TYPE_CHECKING:
    from holdfast.codegraph.analysis.graph_questions import CodeAnalysis
    from holdfast.codegraph.anchors.code_memory import CodeMemory
    from holdfast.codegraph.closeness import CodeCloseness
    from holdfast.codegraph.code_index import CodeIndexer, Progress
    from holdfast.codegraph.history.companions import CodeCompanions
    from holdfast.codegraph.index_job import CodeIndexing
    from holdfast.codegraph.passages.texts import CodeTexts
    from holdfast.core.code import CodeIndexState, ScipReport
    from holdfast.core.settings import Settings
    from holdfast.store.protocol import Store


@frozen(slots=False, eq=False)
class CodeComponents:
    """The code graph of one project.

    `memory` returns what keeps memories bound to its code; `store_chunks` makes the code that changed searchable.
    """

    settings: Settings
    store: Store
    now: Callable[[], datetime]
    project: str
    root: str
    memory: Callable[[], CodeMemory]
    store_chunks: Callable[[Progress], object]

    @built_once
    def indexer(self) -> CodeIndexer:
        """Updates the graph from the project's files."""
        from holdfast.codegraph.code_index import CodeIndexer

        patterns = tuple(filter(None, map(str.strip, self.settings.index_ignore.split(","))))
        return CodeIndexer(self.store.graph, self.now, self.project, self.root, patterns, self._finish_index)

    def count_unknown(self) -> int:
        """The number of code files of a project whose code was never indexed."""
        if not self.settings.index_code or self.store.reading.code_generation(self.project):
            return 0
        return self.indexer.count_files()

    @built_once
    def job(self) -> CodeIndexing:
        """Updates the graph in the background."""
        from holdfast.codegraph.index_job import CodeIndexing

        return CodeIndexing(self.store.reading, lambda: self.indexer, self.project)

    @built_once
    def closeness(self) -> CodeCloseness:
        """Knows which files are close to each other, for recall."""
        from holdfast.codegraph.closeness import CodeCloseness

        return CodeCloseness(self.analysis.graph, self.companions, self.store.reading, self.project)

    @property
    def texts(self) -> CodeTexts:
        """The code that is searched, cut at its definitions."""
        from holdfast.codegraph.passages.texts import CodeTexts

        return CodeTexts(self.store.graph, self.project, self.root)

    def _finish_index(self, progress: Progress) -> Mapping[str, int]:
        from holdfast.codegraph.history.git_history import ProjectHistory

        ProjectHistory(self.store.reading, self.store.graph, self.project, self.root).refresh()
        self.store_chunks(progress)
        return self.check_memories()

    @built_once
    def companions(self) -> CodeCompanions:
        """Knows which files change together."""
        from holdfast.codegraph.history.companions import CodeCompanions

        return CodeCompanions(self.store.reading, self.project)

    def check_memories(self) -> Mapping[str, int]:
        """Compares all memories with the code they are about; returns counts by what happened to them."""
        return self.memory().check_all()

    @built_once
    def analysis(self) -> CodeAnalysis:
        """Answers questions about the graph."""
        from holdfast.codegraph.analysis.graph_questions import CodeAnalysis

        usual = self.companions.usual
        return CodeAnalysis(self.store.reading, lambda: self.indexer, self.project, self.root, usual)

    def import_scip(self, path: str) -> ScipReport:
        """Adds the edges of a SCIP index."""
        from holdfast.codegraph.scip_import import import_scip

        return import_scip(path, self.analysis.graph(), self.store.graph, self.project)

    def state(self) -> CodeIndexState:
        """Returns the size and age of the graph."""
        return self.store.reading.code_state(self.project)
