"""Reading the code graph."""

from __future__ import annotations

from typing import Protocol

from holdfast.core.code import CodeIndexState, StoredGraph, UnresolvedName


class GraphReading(Protocol):
    """Reads the code graph of a project."""

    def code_generation(self, project: str) -> int:
        """A number that grows with every change of the graph; 0 if nothing was ever indexed. Cheap."""
        ...

    def code_graph(self, project: str) -> StoredGraph:
        """All files with their languages, all symbols and all edges, in one consistent state. Stale edges included."""
        ...

    def stale_code(self, project: str) -> tuple[str, ...]:
        """The paths of files whose edges may be out of date."""
        ...

    def unresolved(self, project: str, path: str) -> tuple[UnresolvedName, ...]:
        """What could not be resolved in a file, by line."""
        ...

    def code_state(self, project: str) -> CodeIndexState: ...
