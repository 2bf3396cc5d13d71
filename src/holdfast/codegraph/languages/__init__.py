"""The languages of the code graph: each reads files into records and resolves the records of a project."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from holdfast.codegraph.code_records import FileRecord, FileResolution


class ProjectFiles(Protocol):
    """What a resolver sees of a project. Paths are relative to its root, with forward slashes."""

    @property
    def paths(self) -> Collection[str]:
        """All code files of the project, of every language; testing membership is fast."""
        ...

    def record(self, path: str) -> FileRecord | None:
        """Returns what a file says, or None if it is not a code file of the project. Loads it on first use."""
        ...

    def text(self, path: str) -> str | None:
        """Returns the text of a configuration file that the language names, or None if there is none."""
        ...


class Resolver(Protocol):
    """Resolves the names of one project's files. One instance serves one run and may cache what it finds."""

    def resolve(self, path: str) -> FileResolution:
        """Resolves all places of one file. The result depends only on the records, never on the order of calls."""
        ...


class Language(Protocol):
    """A language, or several that share one resolver."""

    @property
    def configuration(self) -> Collection[str]:
        """Names of files the resolver reads, such as `tsconfig.json`; a change of one resolves everything again."""
        ...

    @property
    def version(self) -> int:
        """Raised whenever records or resolution change, so that stored ones are made again."""
        ...

    def extract(self, path: str, source: bytes, hash: str) -> FileRecord:
        """Reads one file. Accepts any bytes; a file with errors is read in part. Raises `parsing.TooComplex`."""
        ...

    def resolver(self, project: ProjectFiles) -> Resolver:
        """Returns a resolver for the files of these languages in a project."""
        ...
