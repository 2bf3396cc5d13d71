"""Keeps the memories of a project bound to its code; the part of this package that others use."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from holdfast.codegraph.anchors.named_code import names_code
from holdfast.core.anchor import CodeAnchor, CodeBinding, CodeChange
from holdfast.core.built_once import built_once

# Other modules are imported where they are used: most calls need none of them, and start-up time matters.
if TYPE_CHECKING:
    from holdfast.codegraph.anchors.branch import MainBranch
    from holdfast.codegraph.anchors.check import AnchorCheck
    from holdfast.codegraph.anchors.make import AnchorMaker
    from holdfast.codegraph.anchors.sources import CodeSources
    from holdfast.core.events import MemoryAboutToBeWritten
    from holdfast.core.memory import Memory
    from holdfast.core.memory_description import MemoryDescription
    from holdfast.core.memory_types import TypeRegistry
    from holdfast.store.reading import AnchorReading
    from holdfast.trust.code_state import Anchors, CodeState


class CodeMemory:
    """Binds memories to code and checks them against it."""

    def __init__(
        self,
        reading: AnchorReading,
        state: Callable[[], CodeState],
        types: TypeRegistry,
        redact: Callable[[str], str],
        project: str,
        root: str,
    ) -> None:
        self._reading = reading
        self._state = state
        self._types = types
        self._redact = redact
        self._project = project
        self._root = root
        self._found: dict[str, tuple[Anchors, Anchors]] = {}
        self._lock = threading.Lock()

    def bind(self, memory: Memory) -> CodeBinding:
        """Finds the code that a memory is about."""
        if not memory.files and not memory.target_node and not names_code(memory.content):
            return CodeBinding()
        return self._maker(memory)

    def bind_new(self, event: MemoryAboutToBeWritten) -> MemoryAboutToBeWritten:
        """Binds a new memory to its code."""
        binding = self.bind(event.memory)
        return replace(event, memory=event.memory.bound_to(binding.anchors), code=binding.texts)

    def recheck(self, anchors: Mapping[str, Anchors]) -> Mapping[str, Anchors]:
        """Returns the present anchors of memories by id, for those that differ; reads only files that changed.

        Looks for nothing that moved, so that it is fast. `write` stores what it found.
        """
        found = {id: (before, self._quick.check(before)) for id, before in anchors.items()}
        changed = {id: pair for id, pair in found.items() if pair[0] != pair[1]}
        with self._lock:
            self._found |= changed
        return {id: after for id, (_, after) in changed.items()}

    def write(self) -> None:
        """Stores what `recheck` found, unless code seems to be gone: it may have moved, which `check_all` finds out."""
        with self._lock:
            found, self._found = self._found, {}
        if found:
            self._state().apply({id: pair for id, pair in found.items() if _is_certain(*pair)})

    def check_all(self) -> Mapping[str, int]:
        """Checks all memories against the code, follows moved code and sees merged branches. Returns counts by verb."""
        from holdfast.codegraph.anchors.branch import MainBranch
        from holdfast.codegraph.anchors.check import AnchorCheck
        from holdfast.codegraph.anchors.follow import MovedCode

        memories = self._reading.anchored(self._project)
        if not memories:
            return {}
        moved = MovedCode(self._reading, self._project, self._root)
        check = AnchorCheck(self._sources, self._reading, self._project, moved)
        waits = any(anchor.branch for memory in memories for anchor in memory.anchors)
        main = MainBranch(self._root) if waits else None
        found = {memory.id: (memory.anchors, _merged(check.check(memory.anchors), main)) for memory in memories}
        return self._state().apply({id: pair for id, pair in found.items() if pair[0] != pair[1]})

    def described(self, found: MemoryDescription, diff: bool = False) -> MemoryDescription:
        """Returns the same description with the present state of its code, and with `diff` what changed in it."""
        memory = found.memory
        if not memory.anchors:
            return found
        present = self.recheck({memory.id: memory.anchors}).get(memory.id, memory.anchors)
        changes = self._changes(present) if diff else ()
        return replace(found, memory=replace(memory, anchors=present), changes=changes)

    def _changes(self, present: Anchors) -> tuple[CodeChange, ...]:
        from holdfast.codegraph.anchors.anchor_changes import code_changes

        return code_changes(present, self._sources, self._reading, self._project)

    @built_once
    def _sources(self) -> CodeSources:
        from holdfast.codegraph.anchors.sources import CodeSources

        return CodeSources(self._root)

    @built_once
    def _maker(self) -> AnchorMaker:
        from holdfast.codegraph.anchors.make import AnchorMaker

        return AnchorMaker(self._sources, self._reading, self._types, self._redact, self._project, self._root)

    @built_once
    def _quick(self) -> AnchorCheck:
        from holdfast.codegraph.anchors.check import AnchorCheck

        return AnchorCheck(self._sources, self._reading, self._project)


def _is_certain(before: Sequence[CodeAnchor], after: Sequence[CodeAnchor]) -> bool:
    from holdfast.core.anchor import GONE

    gone = {(anchor.path, anchor.symbol) for anchor in before if anchor.state == GONE}
    return all(anchor.state != GONE or (anchor.path, anchor.symbol) in gone for anchor in after)


def _merged(anchors: Anchors, main: MainBranch | None) -> Anchors:
    """The anchors; those whose code is on the main branch now no longer wait for their branch."""
    if main is None:
        return anchors
    return tuple(
        replace(a, branch=None) if a.branch and not main.lacks(a.path, a.symbol, a.hash) else a for a in anchors
    )
