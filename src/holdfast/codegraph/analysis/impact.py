"""What a change affects, and what code depends on: walks over the graph, with everything that belongs to the answer."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from holdfast.codegraph.analysis.adjacency import Adjacency
from holdfast.codegraph.analysis.reached import reached_code
from holdfast.codegraph.analysis.targets import Target, find_target
from holdfast.codegraph.analysis.tests_to_run import tests_to_run
from holdfast.core.answer import Filters
from holdfast.core.code_analysis import (
    CoChange,
    Dependencies,
    Impact,
    LinkedMemory,
    ReachedCode,
    UnresolvedUse,
)
from holdfast.core.errors import InvalidInput

if TYPE_CHECKING:
    from holdfast.codegraph.index import CodeIndexer
    from holdfast.core.code import IndexedFile
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
    edges of many are left out, and the answer names these files.
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

    def graph(self) -> Adjacency:
        """Returns the graph as it is now; the same one until it changes."""
        generation = self._reading.code_generation(self._project)
        if self._graph is None or self._graph.generation != generation:
            self._graph = Adjacency(self._reading, self._project, generation)
        return self._graph

    def impact(self, target: str, depth: int = 3) -> Impact:
        """Returns what a change of a file, folder or symbol can affect. Raises NotFound for an unknown name."""
        graph, found, affected = self._walk(target, depth, dependents=True)
        paths = [file.path for file in found.files]
        return Impact(
            target=found.name,
            kind=found.kind,
            depth=depth,
            affected=affected,
            tests=tests_to_run(graph, found, depth, affected),
            memories=self._memories(paths, affected),
            co_changed=tuple(self._co_changes(paths)),
            stale=graph.stale,
        )

    def dependencies(self, target: str, depth: int = 1) -> Dependencies:
        """Returns the code that a file, folder or symbol depends on. Raises NotFound for an unknown name."""
        graph, found, needed = self._walk(target, depth, dependents=False)
        unresolved = self._reading.unresolved(self._project, found.files[0].path) if found.kind == "file" else ()
        uses = tuple(UnresolvedUse(name.expression, name.type, name.why, name.line) for name in unresolved)
        external = self._reading.external_uses([file.id for file in found.files])
        return Dependencies(found.name, found.kind, depth, needed, uses, external, graph.stale)

    def _walk(self, name: str, depth: int, dependents: bool) -> tuple[Adjacency, Target, tuple[ReachedCode, ...]]:
        if not 1 <= depth <= DEEPEST:
            raise InvalidInput(f"depth {depth}", hint=f"Use a depth from 1 to {DEEPEST}.")

        def answer() -> tuple[Adjacency, Target, tuple[ReachedCode, ...]]:
            graph = self.graph()
            target = find_target(graph, name)
            return graph, target, reached_code(graph, target, depth, dependents)

        result = answer()
        graph, target, reached = result
        near = dict.fromkeys(code.path for code in reached)
        files = [*target.files, *(graph.by_path[path] for path in near)]
        return answer() if self._updated(files[:_FILES_COMPARED]) else result

    def _updated(self, files: Iterable[IndexedFile]) -> bool:
        """Brings the graph up to date with changes of these files; returns whether there were any."""
        changed = [file.path for file in files if not file.stale and _has_changed(self._root, file)]
        if changed and len(changed) <= _MOST_UPDATED:
            self._indexer().run(within=changed)
        elif changed:
            self._indexer().graph.mark_stale(self._project, changed)
        return bool(changed)

    def _memories(self, targets: Sequence[str], affected: Sequence[ReachedCode]) -> tuple[LinkedMemory, ...]:
        depths = dict.fromkeys(targets[:_FILES_WITH_MEMORIES], 0)
        for code in affected:
            if code.depth == 1 and len(depths) < _FILES_WITH_MEMORIES:
                depths.setdefault(code.path, 1)
        found = self._reading.memories(self._project, Filters(files=tuple(depths)), limit=_MOST_MEMORIES)
        linked = (_linked(memory, depths) for memory in found)
        return tuple(sorted(linked, key=lambda memory: (memory.depth, memory.path, memory.id)))


def _linked(memory: Memory, depths: dict[str, int]) -> LinkedMemory:
    path = min(memory.files, key=lambda file: (depths.get(file, 2), file))
    # A memory about a folder is about the target if the target is in that folder.
    return LinkedMemory(memory.id, memory.type, memory.content, path, depths.get(path, 0))


def _has_changed(root: str, file: IndexedFile) -> bool:
    try:
        status = os.lstat(os.path.join(root, file.path))
    except OSError:
        return True
    return (status.st_size, status.st_mtime_ns) != (file.size, file.mtime_ns)
