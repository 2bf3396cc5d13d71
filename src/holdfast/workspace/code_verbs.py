"""The operations on the code graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.core.job import CODE
from holdfast.workspace.operation_verbs import Operations

if TYPE_CHECKING:
    from holdfast.core.code import CodeIndexState, ScipReport
    from holdfast.core.code_analysis import Arrival, DataFlow, Dependencies, Impact, ModuleMap


class CodeOperations(Operations):
    """Answers questions about the project's code, after `index`. Code is named as in `src/app.py:Client.get`."""

    def impact(self, target: str, depth: int = 3) -> Impact:
        """What a change of a file, folder or symbol can affect: dependents, tests to run and memories about them.

        `target` is a path, the end of one, `path:symbol`, `path:line` or a symbol. Files that changed since they were
        indexed are indexed first. Raises NotFound with similar names for an unknown one.
        """
        return self._then_wake(self.container.code_analysis.impact(target, depth), CODE)

    def dependencies(self, target: str, depth: int = 1) -> Dependencies:
        """The code that a file, folder or symbol depends on, and the names in it that could not be resolved."""
        return self._then_wake(self.container.code_analysis.dependencies(target, depth), CODE)

    def flow(self, target: str, depth: int = 3) -> DataFlow:
        """How data gets to a symbol or file and where it goes: entry points, calls, results and errors."""
        return self._then_wake(self.container.code_analysis.flow(target, depth), CODE)

    def entry_points(self) -> tuple[Arrival, ...]:
        """The places where the project's programs are entered: main programs, commands, routes and handlers."""
        return self.container.code_analysis.entry_points()

    def modules(self) -> ModuleMap:
        """The modules of the project, their roles and dependencies, and how much is remembered of each."""
        return self.container.code_analysis.modules()

    def import_scip(self, path: str) -> ScipReport:
        """Adds the edges that a compiler-based indexer found, from its SCIP index, to the code graph.

        Files that changed after the index was made are skipped; the edges of a file stay until it is resolved again.
        """
        from holdfast.codegraph.scip_import import import_scip

        return import_scip(path, self.container.code_analysis.graph(), self.container.store.graph, self.project)

    def code_state(self) -> CodeIndexState:
        """The size, languages and age of the code index, and the number of files that wait to be indexed."""
        return self.container.reading.code_state(self.project)
