"""Review of memories by their ids: confirm, flag, pin, release, forget, restore."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import TYPE_CHECKING

from holdfast.core.errors import NotFound
from holdfast.core.frozen import frozen
from holdfast.core.memory import EPISODE, USER_TAUGHT
from holdfast.core.memory_description import MemoryDescription
from holdfast.trust import actions

if TYPE_CHECKING:
    from holdfast.core.anchor import CodeBinding
    from holdfast.core.memory import Memory
    from holdfast.core.memory_description import LoggedOperation, Operation
    from holdfast.store.reading import MemoryChangeReading
    from holdfast.store.writing.memories import MemoryWriting


@frozen
class Review:
    """Reviews memories of one project; `redact` removes secrets from reasons, `bind` finds the code of a memory.

    Every method takes an id or the end of one, and raises NotFound.
    """

    memories: MemoryWriting
    reading: MemoryChangeReading
    project: str
    now: Callable[[], datetime]
    redact: Callable[[str], str]
    bind: Callable[[Memory], CodeBinding] | None = None

    def get(self, id: str) -> Memory:
        """The memory with that id."""
        memory = self.reading.memory(self.reading.resolve(self.project, id))
        if memory is None:
            raise NotFound(f"memory {id}")
        return memory

    def describe(self, id: str) -> MemoryDescription:
        """The memory with its history, its successors and the memories of the project that its relations name."""
        memory = self.get(id)
        named = dict.fromkeys(relation.memory for relation in memory.relations if relation.memory)
        related = tuple(found for other in named if (found := self._visible(other)))
        return MemoryDescription(memory, self.reading.events(memory.id), self._successors(memory), related)

    def _successors(self, memory: Memory) -> tuple[Memory, ...]:
        """The memories that replaced it, or that replaced what was learned from it if it is a message."""
        if memory.type == EPISODE:
            return self.reading.replacements(self.project, [memory]).get(memory.id, ())
        return self.reading.successors(memory)

    def _visible(self, id: str) -> Memory | None:
        """A memory that the project may see: an imported relation can name the id of any project's memory."""
        try:
            return self.get(id)
        except NotFound:
            return None

    def confirm(self, id: str, source: str = USER_TAUGHT) -> Memory:
        """Marks a memory as verified; a program's word only makes it surer, and is not permitted for what waits.

        A memory that is bound to code is bound to the code as it is now.
        """
        memory = self.get(id)
        code = self.bind(memory) if self.bind is not None and memory.anchors else None
        return actions.confirm(self.memories, memory.id, self.now(), source, code)

    def flag(self, id: str, why: str = "") -> Memory:
        """Marks a memory for review."""
        return actions.flag(self.memories, self.get(id).id, self.redact(why), self.now())

    def pin(self, id: str, on: bool = True) -> Memory:
        """Pins a memory, or unpins it."""
        return actions.pin(self.memories, self.get(id).id, self.now(), on)

    def release(self, id: str) -> Memory:
        """Lets model endpoints see a memory from which a secret was removed."""
        return actions.release(self.memories, self.get(id).id, self.now())

    def forget_all(self, ids: Iterable[str], reason: str = "", source: str = USER_TAUGHT) -> tuple[Memory, ...]:
        """Hides several memories, all or none. Raises NotPermitted when a program forgets a person's memory."""
        found = [self.get(id).id for id in ids]
        return actions.forget_all(self.memories, found, self.redact(reason), self.now(), source)

    def restore(self, id: str) -> tuple[Memory, tuple[str, ...]]:
        """Undoes a forgetting or a correction."""
        return actions.restore(self.memories, self.get(id).id, self.now())

    def undo(self, dry_run: bool = False) -> Operation:
        """Undoes the latest change; called again, the one before it. With `dry_run`, changes nothing."""
        return actions.undo(self.memories, self.project, self.now(), dry_run)

    def redo(self) -> Operation:
        """Does again what was undone last; called again, what was undone before it."""
        return actions.redo(self.memories, self.project, self.now())

    def log(self, limit: int) -> tuple[LoggedOperation, ...]:
        """The latest changes that can be undone, latest first."""
        return self.reading.operations(self.project, limit)
