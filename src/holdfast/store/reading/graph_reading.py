"""Reading the code graph."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from holdfast.core.code import (
    CodeIndexState,
    CodeSymbol,
    EntryPoint,
    FileEdge,
    IndexedFile,
    StoredGraph,
    SymbolEdge,
    UnresolvedName,
)


class GraphReading(Protocol):
    """Reads the code graph of a project."""

    def code_generation(self, project: str) -> int:
        """A number that grows with every change of the graph; 0 if nothing was ever indexed. Cheap."""
        ...

    def code_folders(self, project: str) -> str:
        """The folders of the latest run over the whole project, as they were stored; "" if there was none."""
        ...

    def code_graph(self, project: str) -> StoredGraph:
        """All files with their languages, all symbols and all edges, in one consistent state. Stale edges included."""
        ...

    def code_files(self, project: str) -> tuple[IndexedFile, ...]:
        """All files, by path."""
        ...

    def entry_points(self, project: str) -> tuple[tuple[int, EntryPoint], ...]:
        """The entry points of all files, each with its file, by path and line."""
        ...

    def file_edges(self, files: Collection[int], reverse: bool = False) -> tuple[FileEdge, ...]:
        """The edges from these files to others; with `reverse`, those from others to these. Stale ones included."""
        ...

    def symbol_edges(
        self, symbols: Collection[tuple[int, str]], reverse: bool = False, members: bool = True
    ) -> tuple[SymbolEdge, ...]:
        """The edges from these symbols, each a file and a name; with `reverse`, those to them. Stale ones included.

        With `members`, also those of symbols inside these: of `Client.get` for `Client`.
        """
        ...

    def symbols_of(self, files: Collection[int]) -> tuple[tuple[int, CodeSymbol], ...]:
        """The symbols of these files, each with its file, by line."""
        ...

    def external_uses(self, files: Collection[int]) -> int:
        """The number of places in these files that lead out of the project."""
        ...

    def stale_code(self, project: str) -> tuple[str, ...]:
        """The paths of files whose edges may be out of date."""
        ...

    def unresolved(self, project: str, path: str) -> tuple[UnresolvedName, ...]:
        """What could not be resolved in a file, by line."""
        ...

    def code_state(self, project: str) -> CodeIndexState: ...
