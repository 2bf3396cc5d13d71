"""The code graph: written by the codegraph package only."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from holdfast.core.code import CoChangedFiles, CodeEdge, CodeFile, FileStamp, ResolvedFile


class GraphWriting(Protocol):
    """Writes the code graph of a project. Every method is one transaction.

    A file is stale from the moment it was written until `resolve` stores its edges. Writing a file makes stale what
    depends on it, so that a run that was killed can be continued.
    """

    def stamps(self, project: str) -> Mapping[str, FileStamp]:
        """The stamp of every file, by path."""
        ...

    def put(self, project: str, files: Sequence[CodeFile], names: Collection[str] = ()) -> None:
        """Stores files in place of earlier ones at the same paths.

        Makes stale: these files; files that consulted one whose interface changed; files that looked up one of the
        `names` of new files.
        """
        ...

    def remove(self, project: str, paths: Collection[str], names: Collection[str] = ()) -> None:
        """Removes files. Makes stale what consulted them or looked up one of the `names`."""
        ...

    def restat(self, project: str, stamps: Mapping[str, FileStamp]) -> None:
        """Stores new sizes and times of files with unchanged contents."""
        ...

    def move(self, project: str, file: CodeFile, lines: Mapping[int, int]) -> None:
        """Stores a file in which only places changed, with the new lines of its edges; makes nothing stale."""
        ...

    def mark_stale(self, project: str, paths: Collection[str]) -> None:
        """Makes files stale that are known to have changed and will be read later."""
        ...

    def invalidate(self, project: str) -> None:
        """Makes all files stale."""
        ...

    def stale(self, project: str) -> tuple[str, ...]:
        """The paths of stale files, in order."""
        ...

    def record(self, project: str, path: str) -> bytes | None:
        """The record of a file as it was put."""
        ...

    def resolve(self, project: str, resolved: Sequence[ResolvedFile], at: datetime) -> None:
        """Stores the edges of files in place of earlier ones; a file whose hash changed meanwhile stays stale."""
        ...

    def add_edges(self, project: str, edges: Mapping[str, Sequence[CodeEdge]]) -> None:
        """Adds edges to those of files, by path; they stay until the file is resolved again."""
        ...

    def keep_folders(self, project: str, folders: str) -> None:
        """Stores the folders that a run over the whole project found, in place of earlier ones."""
        ...

    def configuration(self, project: str) -> str:
        """The hash of the configuration files with which the graph was resolved; "" at first."""
        ...

    def configure(self, project: str, hash: str) -> None:
        """Stores the hash of the configuration files."""
        ...

    def put_co_changes(
        self, project: str, commit: str, files: Mapping[str, tuple[int, float]], pairs: Sequence[CoChangedFiles]
    ) -> None:
        """Stores, in place of earlier ones, the number and weight of the commits of each file, and the pairs."""
        ...
