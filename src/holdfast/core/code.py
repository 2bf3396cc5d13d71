"""The values of the code graph that are stored: files, symbols, edges, and the state of the index."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime
from typing import NamedTuple

from holdfast.core.frozen import frozen
from holdfast.core.memory import empty_mapping

# How sure an edge is, the surest first.
CONFIDENCES = ("exact", "inferred", "guess")


class CodeSymbol(NamedTuple):
    """A named definition in a file; `name` is qualified, as in `Client.get`.

    `hash` identifies its text whatever its name and blank space, so that it is recognised where it was moved to.
    """

    name: str
    kind: str
    start_line: int
    end_line: int
    hash: str = ""


class CodeEdge(NamedTuple):
    """A dependency: `source` in a file depends on `target` in another or the same file; "" is the file itself.

    `line` is the first of `places`. `confidence` is `exact`, `inferred` or `guess`; `origin` says who found it.
    """

    source_path: str
    source: str
    target_path: str
    target: str
    type: str
    confidence: str
    line: int
    places: int = 1
    origin: str = "tree-sitter"


class UnresolvedName(NamedTuple):
    """An expression that leads to nothing known: `why` is `missing` or `unknown`; `line` is the first of `places`."""

    expression: str
    type: str
    why: str
    line: int
    places: int = 1


class FileStamp(NamedTuple):
    """What shows that a stored file is up to date, and that other files need not be resolved again."""

    size: int
    mtime_ns: int
    hash: str
    version: int
    interface: str


class EntryPoint(NamedTuple):
    """A place where a program is entered from outside: in a symbol, or at the top level of a file if it is "".

    `kind` is `main`, `command`, `route` or `handler` (of events, messages and errors); `name` is the name outside, such
    as `GET /users`.
    """

    symbol: str
    kind: str
    name: str
    line: int


class CodeFile(NamedTuple):
    """A file as read: its stamp, its record in the form that only the code graph reads, symbols and entry points."""

    path: str
    language: str
    lines: int
    stamp: FileStamp
    record: bytes
    symbols: tuple[CodeSymbol, ...]
    entry_points: tuple[EntryPoint, ...] = ()


class ResolvedFile(NamedTuple):
    """A file as resolved. `external` counts the places that lead out of the project.

    `consulted` and `lookups` say which files and names the result depends on.
    """

    path: str
    hash: str
    edges: tuple[CodeEdge, ...]
    unresolved: tuple[UnresolvedName, ...]
    external: int
    consulted: tuple[str, ...]
    lookups: tuple[str, ...]


class IndexedFile(NamedTuple):
    """A file of the code graph. `id` is its number in edges; `size` and `mtime_ns` are those it was read with.

    `has_entry_points` is 1 if the file has some.
    """

    id: int
    path: str
    language: str
    lines: int
    size: int
    mtime_ns: int
    stale: int
    has_entry_points: int = 0


class FileEdge(NamedTuple):
    """One file depends on another; `types` lists the types of edges between them: `calls exact,uses inferred`."""

    source: int
    target: int
    types: str


class SymbolEdge(NamedTuple):
    """A `CodeEdge` whose files are numbers."""

    source_file: int
    source: str
    target_file: int
    target: str
    type: str
    confidence: str
    line: int
    places: int


class StoredGraph(NamedTuple):
    """The whole graph of a project at one moment; `generation` grows with every change."""

    generation: int
    files: tuple[tuple[str, str], ...]
    symbols: tuple[tuple[str, CodeSymbol], ...]
    edges: tuple[CodeEdge, ...]


class CodeSpan(NamedTuple):
    """Lines of a file that belong together, counted from 1 and inclusive; `heading` names the definitions around them.

    The last part of the heading is `function: Client.get` and alike; code outside definitions has none of its own.
    """

    line: int
    end_line: int
    heading: tuple[str, ...] = ()


class CodeText(NamedTuple):
    """A file to be searched: its text, its hash, and its spans in order; none if its format is unknown."""

    path: str
    size: int
    mtime_ns: int
    hash: str
    text: str
    spans: tuple[CodeSpan, ...] | None = None


class CoChangedFiles(NamedTuple):
    """Two files that changed in the same `commits`; in `weight`, recent and small ones count more."""

    path: str
    other: str
    commits: int
    weight: float


@frozen
class CodeIndexState:
    """The state of a project's code index. `stale` files changed, or depend on a change, and wait to be resolved."""

    files: int
    symbols: int
    edges: int
    unresolved: int
    external: int
    stale: int
    languages: Mapping[str, int]
    indexed_at: datetime | None


@frozen
class ScipReport:
    """The number of files and edges that a SCIP index added, and of files that changed after it was made."""

    files: int
    edges: int
    outdated: int


@frozen
class CodeReport:
    """The number of code files by what happened to them; `skipped` counts files by the code of the reason.

    `unread` has the reason of each file of source code that could not be read; `skipped` counts these files too.
    `resolved` counts the files whose dependencies were found again: changed files and those that depend on a change.
    `memories` counts memories about this code by what happened to them: `stale fresh follow retire doubt return
    merged`.
    """

    added: int = 0
    updated: int = 0
    removed: int = 0
    unchanged: int = 0
    resolved: int = 0
    files: int = 0
    skipped: Mapping[str, int] = field(default_factory=empty_mapping)
    unread: Mapping[str, str] = field(default_factory=empty_mapping)
    seconds: float = 0.0
    memories: Mapping[str, int] = field(default_factory=empty_mapping)

    @property
    def changed(self) -> bool:
        """Did the run change the graph, or memories about code?"""
        return bool(self.added or self.updated or self.removed or self.resolved or self.memories)
