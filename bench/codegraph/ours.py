"""The code graph of a folder, made by Holdfast, in the form that is scored."""

from __future__ import annotations

import hashlib
import subprocess
from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path

from bench.codegraph.errors import NoResolver
from bench.codegraph.places import Columns
from bench.codegraph.score import Graph, Target
from bench.codegraph.truth import Place
from holdfast.codegraph.code_records import CALLS, EXPORTS, GUESS, IMPORTS, FileRecord, FileResolution
from holdfast.codegraph.languages import Language
from holdfast.codegraph.languages.language_registry import language_name


@dataclass
class Folder:
    """The files of a repository, for a resolver: `ProjectFiles` in memory."""

    root: Path
    records: dict[str, FileRecord] = field(default_factory=dict)
    sources: dict[str, bytes] = field(default_factory=dict)

    @property
    def paths(self) -> Collection[str]:
        return self.records.keys()

    def record(self, path: str) -> FileRecord | None:
        return self.records.get(path)

    def text(self, path: str) -> str | None:
        file = self.root / path
        return file.read_text(encoding="utf-8", errors="replace") if file.is_file() else None


@dataclass(frozen=True)
class Indexed:
    """A folder after indexing, and its graph."""

    folder: Folder
    graph: Graph

    @property
    def sources(self) -> Mapping[str, bytes]:
        return self.folder.sources


def language_named(name: str) -> Language:
    """The language of a repository: each package in `holdfast.codegraph.languages` offers one as `LANGUAGE`."""
    try:
        language: Language = import_module(f"holdfast.codegraph.languages.{name}").LANGUAGE
    except (ImportError, AttributeError) as error:
        raise NoResolver(f"there is no resolver for {name}") from error
    return language


def listed(root: Path) -> list[str]:
    """The tracked files of a clone."""
    done = subprocess.run(["git", "-C", str(root), "ls-files", "-z"], capture_output=True, check=True)
    return [path for path in done.stdout.decode().split("\0") if path and (root / path).is_file()]


def index(root: Path, name: str) -> Indexed:
    """Reads and resolves all files of a language."""
    language = language_named(name)
    folder = Folder(root)
    for path in listed(root):
        if language_name(path) == name:
            folder.sources[path] = (root / path).read_bytes()
    for path, source in folder.sources.items():
        folder.records[path] = language.extract(path, source, hashlib.sha256(source).hexdigest())
    resolver = language.resolver(folder)
    resolutions = [resolver.resolve(path) for path in folder.records]
    return Indexed(folder, graph_of(folder, resolutions))


def graph_of(folder: Folder, resolutions: list[FileResolution]) -> Graph:
    """The edges and calls of all resolved files, without guesses."""
    targets = _targets(folder)
    imports: set[tuple[str, str]] = set()
    edges: set[tuple[str, str]] = set()
    calls: dict[Place, list[Target]] = defaultdict(list)
    for resolution in resolutions:
        columns = Columns(folder.sources[resolution.path])
        for site in resolution.sites:
            if site.confidence == GUESS:
                continue
            edges.add((resolution.path, site.path))
            if site.type in (IMPORTS, EXPORTS):
                imports.add((resolution.path, site.path))
            if site.type == CALLS and (target := targets.get((site.path, site.symbol))):
                calls[resolution.path, *columns.place(site.line - 1, site.column)].append(target)
    return Graph(frozenset(imports), frozenset(edges), {place: tuple(found) for place, found in calls.items()})


def _targets(folder: Folder) -> Mapping[tuple[str, str], Target]:
    places: dict[tuple[str, str], set[Place]] = defaultdict(set)
    for path, record in folder.records.items():
        columns = Columns(folder.sources[path])
        for one in record.definitions:
            places[path, one.qualified].add((path, *columns.place(one.name_line - 1, one.name_column)))
    return {key: Target(*key, frozenset(found)) for key, found in places.items()}
