"""Answers questions about code: what a change affects, what code depends on, how data flows, which modules exist."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from holdfast.codegraph.analysis.adjacency import Adjacency
from holdfast.codegraph.analysis.flow import Define, FlowTrace
from holdfast.codegraph.analysis.left_out import EMPTY_FOLDER, OUTSIDE, in_project, why_left_out
from holdfast.codegraph.analysis.modules import module_map
from holdfast.codegraph.analysis.reached import reached_code
from holdfast.codegraph.analysis.scripts import installed_commands
from holdfast.codegraph.analysis.targets import Target, file_named, find_target
from holdfast.codegraph.analysis.tests_to_run import tests_to_run
from holdfast.codegraph.code_index import read_text
from holdfast.codegraph.encoding import decode
from holdfast.codegraph.new_files import new_files
from holdfast.core.answer import Filters
from holdfast.core.code_analysis import (
    Arrival,
    CoChange,
    DataFlow,
    Dependencies,
    Impact,
    LinkedMemory,
    ModuleMap,
    ReachedCode,
    UnresolvedUse,
)
from holdfast.core.errors import InvalidInput, NotFound

if TYPE_CHECKING:
    from holdfast.codegraph.code_index import CodeIndexer
    from holdfast.codegraph.code_records import Definition, FileRecord
    from holdfast.core.code import EntryPoint, IndexedFile
    from holdfast.core.memory import Memory
    from holdfast.store.reading import Reading

DEEPEST = 20
# Memories are looked up for the target and the files next to it.
_FILES_WITH_MEMORIES, _MOST_MEMORIES = 100, 20
# The nearest files of an answer are compared with those on disk.
_FILES_COMPARED = 300
# Changed files that an answer waits for; more are left to the background.
_MOST_UPDATED = 20


class CodeAnalysis:
    """Answers questions about the code of one project.

    Before an answer is given, its files are compared with those on disk. A few changed ones are indexed at once; the
    edges of many are left out, and the answer names these files. So it is with files that are new.
    """

    def __init__(
        self,
        reading: Reading,
        indexer: Callable[[], CodeIndexer],
        project: str,
        root: str,
        co_changes: Callable[[Sequence[str]], Iterable[CoChange]] = lambda paths: (),
    ) -> None:
        self._reading = reading
        self._indexer = indexer
        self._project = project
        self._root = root
        self._co_changes = co_changes
        self._graph: Adjacency | None = None
        # Code files that the index leaves out: generated ones, for example, and those that git ignores.
        self._left_out: set[str] = set()

    def graph(self) -> Adjacency:
        """Returns the graph as it is now; the same one until it changes."""
        generation = self._reading.code_generation(self._project)
        if self._graph is None or self._graph.generation != generation:
            self._graph = Adjacency(self._reading, self._project, generation)
        return self._graph

    def impact(self, target: str, depth: int = 3) -> Impact:
        """Returns what a change of a file, folder or symbol can affect. Raises NotFound for an unknown name."""
        new = self._new_files()
        graph, found, affected = self._walk(target, depth, dependents=True)
        paths = [file.path for file in found.files]
        return Impact(
            target=found.name,
            kind=found.kind,
            depth=depth,
            affected=affected,
            tests=graph.answer(("tests", found, depth), lambda: tests_to_run(graph, found, depth, affected)),
            memories=self._memories(paths, affected),
            co_changed=tuple(self._co_changes(paths)),
            stale=(*graph.stale, *new),
        )

    def dependencies(self, target: str, depth: int = 1) -> Dependencies:
        """Returns the code that a file, folder or symbol depends on. Raises NotFound for an unknown name."""
        new = self._new_files()
        graph, found, needed = self._walk(target, depth, dependents=False)
        unresolved = self._reading.unresolved(self._project, found.files[0].path) if found.kind == "file" else ()
        uses = tuple(UnresolvedUse(name.expression, name.type, name.why, name.line) for name in unresolved)
        files = [file.id for file in found.files]
        external = self._reading.external_uses(files) if found.symbol is None else None
        return Dependencies(found.name, found.kind, depth, needed, uses, external, (*graph.stale, *new))

    def flow(self, target: str, depth: int = 3) -> DataFlow:
        """Returns how data gets to a symbol or file and where it goes. Raises NotFound for an unknown name."""
        _check_depth(depth)
        new = self._new_files()

        def answer() -> tuple[Adjacency, Target, DataFlow]:
            graph, found = self._found(target)
            trace = FlowTrace(graph, found, depth, self._definitions(graph))
            return graph, found, trace.trace(self._entry_points(graph))

        graph, found, flow = answer()
        near = dict.fromkeys(step.path for step in (*flow.passed_to, *flow.returned_to))
        if self._updated([*found.files, *(graph.by_path[path] for path in near)]):
            flow = answer()[2]
        return replace(flow, stale=(*flow.stale, *new))

    def entry_points(self) -> tuple[Arrival, ...]:
        """Returns all places where the project's programs are entered from outside."""
        graph = self.graph()
        found = ((graph.files[file].path, point) for file, point in self._entry_points(graph))
        return tuple(Arrival(p.kind, p.name, path, p.line, (f"{path}:{p.symbol}".rstrip(":"),)) for path, p in found)

    def modules(self) -> ModuleMap:
        """Returns the modules of the project, how they depend on each other, and how much is remembered of them."""
        graph = self.graph()
        points = Counter(file for file, _ in self._entry_points(graph))
        memories: dict[str, set[str]] = {}
        for path, id in self._reading.memory_files(self._project):
            memories.setdefault(path, set()).add(id)
        anchored = self._reading.anchored(self._project)
        for memory in anchored:
            for anchor in memory.anchors:
                memories.setdefault(anchor.path, set()).add(memory.id)
        outdated = [memory.id for memory in anchored if any(anchor.is_flagged for anchor in memory.anchors)]
        return module_map(graph, points, memories, outdated)

    def slowest_walk(self, samples: int = 20) -> float:
        """Returns the longest time in seconds of walks from some files, each with nothing in memory."""
        paths = list(self.graph().by_path)
        took = [0.0]
        for path in paths[:: max(1, len(paths) // samples)]:
            begun = time.perf_counter()
            graph = Adjacency(self._reading, self._project, 0)
            reached_code(graph, find_target(graph, path), 3, dependents=True)
            took.append(time.perf_counter() - begun)
        return max(took)

    def _entry_points(self, graph: Adjacency) -> list[tuple[int, EntryPoint]]:
        stored = [(file, point) for file, point in self._reading.entry_points(self._project) if file in graph.files]
        return [*stored, *installed_commands(graph, partial(read_text, self._root))]

    def _definitions(self, graph: Adjacency) -> Define:
        """Returns a function that reads the definition of a symbol from the record of its file."""
        records: dict[int, FileRecord | None] = {}

        def define(node: tuple[int, str]) -> Definition | None:
            file, name = node
            if file not in records:
                data = self._indexer().graph.record(self._project, graph.files[file].path)
                records[file] = decode(data) if data else None
            record = records[file]
            return next((d for d in record.definitions if d.qualified == name), None) if record else None

        return define

    def _walk(self, name: str, depth: int, dependents: bool) -> tuple[Adjacency, Target, tuple[ReachedCode, ...]]:
        _check_depth(depth)

        def answer() -> tuple[Adjacency, Target, tuple[ReachedCode, ...]]:
            graph, target = self._found(name)
            question = ("reached", target, depth, dependents)
            return graph, target, graph.answer(question, lambda: reached_code(graph, target, depth, dependents))

        result = answer()
        graph, target, reached = result
        near = dict.fromkeys(code.path for code in reached)
        files = [*target.files, *(graph.by_path[path] for path in near)]
        return answer() if self._updated(files[:_FILES_COMPARED]) else result

    def _found(self, name: str) -> tuple[Adjacency, Target]:
        """Returns the graph and what a text names in it. A file that was never indexed is indexed first."""
        inside = in_project(self._root, name.strip())
        if inside is None:
            raise NotFound(f"{name} in the code index", hint=OUTSIDE)
        try:
            return self.graph(), find_target(self.graph(), inside)
        except NotFound:
            path = file_named(inside)
            if self.graph().files and _is_inside(self._root, path, os.path.isdir):
                raise NotFound(f"{path} in the code index", hint=EMPTY_FOLDER) from None
            if not self.graph().files or not _is_inside(self._root, path, os.path.isfile):
                raise
            skipped = self._indexer().run(within=[path]).skipped
            if path not in self.graph().by_path:
                raise NotFound(f"{path} in the code index", hint=why_left_out(path, skipped)) from None
        return self.graph(), find_target(self.graph(), inside)

    def _updated(self, files: Iterable[IndexedFile]) -> bool:
        """Brings the graph up to date with changes of these files; returns whether there were any."""
        changed = [file.path for file in files if not file.stale and _has_changed(self._root, file)]
        if changed and len(changed) <= _MOST_UPDATED:
            self._indexer().run(within=changed)
        elif changed:
            self._indexer().graph.mark_stale(self._project, changed)
        return bool(changed)

    def _new_files(self) -> tuple[str, ...]:
        """Indexes files that appeared since the last index. Returns those that are too many to wait for."""
        known = self.graph().by_path
        kept = self._reading.code_folders(self._project) if known else ""
        found = [path for path in new_files(self._root, kept, known) if path not in self._left_out]
        if len(found) > _MOST_UPDATED:
            files = self._indexer().find(found)
            self._left_out.update(set(found).difference(files))
            found = list(files)
        if not found or len(found) > _MOST_UPDATED:
            return tuple(found)
        self._indexer().run(within=found)
        self._left_out.update(path for path in found if path not in self.graph().by_path)
        return ()

    def _memories(self, targets: Sequence[str], affected: Sequence[ReachedCode]) -> tuple[LinkedMemory, ...]:
        depths = dict.fromkeys(targets[:_FILES_WITH_MEMORIES], 0)
        for code in affected:
            if code.depth == 1 and len(depths) < _FILES_WITH_MEMORIES:
                depths.setdefault(code.path, 1)
        found = self._reading.memories(self._project, Filters(files=tuple(depths)), limit=_MOST_MEMORIES)
        linked = (_linked(memory, depths) for memory in found)
        return tuple(sorted(linked, key=lambda memory: (memory.depth, memory.path, memory.id)))


def _check_depth(depth: int) -> None:
    if not 1 <= depth <= DEEPEST:
        raise InvalidInput(f"depth {depth}", hint=f"Use a depth from 1 to {DEEPEST}.")


def _linked(memory: Memory, depths: dict[str, int]) -> LinkedMemory:
    path = min(memory.files, key=lambda file: (depths.get(file, 2), file))
    # A memory about a folder is about the target if the target is in that folder.
    return LinkedMemory(memory.id, memory.type, memory.content, path, depths.get(path, 0))


def _is_inside(root: str, path: str, exists: Callable[[str], bool]) -> bool:
    """Is there a file or folder of that relative path in the project?"""
    leaves = os.path.isabs(path) or ".." in path.split("/")
    return not leaves and exists(os.path.join(root, path))


def _has_changed(root: str, file: IndexedFile) -> bool:
    try:
        status = os.lstat(os.path.join(root, file.path))
    except OSError:
        return True
    return (status.st_size, status.st_mtime_ns) != (file.size, file.mtime_ns)
