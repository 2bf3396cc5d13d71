"""The operations with which a person corrects memories."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from holdfast.core.arguments import several
from holdfast.core.errors import InvalidInput
from holdfast.workspace.operation_verbs import Operations

if TYPE_CHECKING:
    from holdfast.core.admission import Admission
    from holdfast.core.memory import Memory
    from holdfast.core.memory_description import LoggedOperation, Operation
    from holdfast.sessions.memory_files.sync import SyncReport
    from holdfast.upkeep.erase import ErasureReport


class ReviewOperations(Operations):
    """Corrects, confirms, hides and restores memories, also through MEMORY.md."""

    def correct(
        self, id: str, text: str, reason: str = "", how: str = "inaccurate", source: str = "user_taught"
    ) -> Admission:
        """Replaces a memory with a better text; the old one is kept, and `restore` brings it back.

        `how`: inaccurate, outdated, generalise, or duplicate_of, where `text` is the id that stays.
        """
        return self._then_wake(self.container.teaching.correct(id, text, reason, how, source))

    def confirm(self, id: str, source: str = "user_taught") -> Memory:
        """Marks a memory as verified: it no longer decays. A proposed correction replaces the memory it corrects.

        With the `source` of an agent, the memory only becomes as sure as what an agent says.
        """
        return self.container.review.confirm(id, source)

    def flag(self, id: str, why: str = "") -> Memory:
        """Marks a memory for review: it may be wrong."""
        return self.container.review.flag(id, why)

    def pin(self, id: str, on: bool = True) -> Memory:
        """Pins a memory: it is part of every context, never decays and is never pruned."""
        return self.container.review.pin(id, on)

    def make_personal(self, id: str, on: bool = True) -> Memory:
        """Makes a memory hold in all of the person's projects, or in this one only; it gets a new id."""
        return self._then_wake(self.container.teaching.make_personal(id, on))

    def personal_suggestions(self) -> tuple[Memory, ...]:
        """Memories of this project that are about the person, who may make them personal."""
        return self.container.teaching.suggestions()

    def release(self, id: str) -> Memory:
        """Lets model endpoints see a memory from which a secret was removed. Until then it stays on this machine."""
        return self._then_wake(self.container.review.release(id))

    def forget(self, id: str, reason: str = "", source: str = "user_taught") -> Memory:
        """Hides a memory; `restore` brings it back."""
        return self.forget_all([id], reason, source)[0]

    def forget_all(self, ids: Iterable[str], reason: str = "", source: str = "user_taught") -> tuple[Memory, ...]:
        """Hides several memories, all or none. They leave the files of the project at once."""
        memories = self.container.review.forget_all(several(ids), reason, source)
        self.container.every_folder.remove(memories)
        return memories

    def erase(self, ids: Iterable[str]) -> ErasureReport:
        """Erases memories for good: their text is removed from every table, index, file, journal and backup.

        So is every sentence elsewhere that repeats it: in this project, in its other worktrees, and in all projects of
        the person if a memory is personal. Nothing of it can be restored. Documents are not changed, because they are
        read from your files. An erasure that is killed is finished by the next command or background run.
        """
        return self.container.eraser.erase([self.container.review.get(id).id for id in several(ids)])

    def resume_erasures(self) -> ErasureReport | None:
        """Finishes erasures that were killed or could not change a file; None if there are none, or one is at work."""
        return self.container.eraser.resume() if self.container.store.erasure.recorded() else None

    def undo(self, dry_run: bool = False) -> Operation:
        """Undoes the latest change: what it stored is forgotten, what it changed is as before.

        Changes are those made by people and agents, and what a command learned from sessions; what background work
        learned only directly after an import of sessions, or if there is nothing else. Called again, it undoes the one
        before. With `dry_run`, returns what would be undone and changes nothing.
        """
        operation = self.container.review.undo(dry_run)
        if not dry_run:
            self._leave_files(memory.id for memory in operation.memories)
        return operation

    def redo(self) -> Operation:
        """Does again what was undone last, unless something was changed since. Called again, what was undone before."""
        operation = self.container.review.redo()
        self._leave_files(memory.id for memory in operation.memories)
        return operation

    def log(self, limit: int = 20) -> tuple[LoggedOperation, ...]:
        """The latest changes that `undo` takes back one by one, latest first."""
        return self.container.review.log(limit)

    def restore(self, id: str) -> tuple[Memory, tuple[str, ...]]:
        """Undoes a forgetting or a correction. Returns the memory and the ids of the corrections it undid."""
        restored, replaced = self.container.review.restore(id)
        self._leave_files(replaced)
        return restored, replaced

    @property
    def memory_file(self) -> str:
        """The path of MEMORY.md, in which people read and edit memories."""
        return self.container.views.memory.path

    def memory_page(self) -> str:
        """The most important memories as a page of at most 8,192 bytes for every prompt; empty when there are none."""
        return self.container.views.memory.page()

    def sync_memory(self, confirm: bool = False) -> SyncReport:
        """Applies a person's edits of MEMORY.md, writes the file again, and restores what the files beside it lack.

        Edits that look like an accident wait for `confirm`: most lines deleted, or a file not written by Holdfast.
        The memories of one `user` are not for the files of a project: raises InvalidInput.
        """
        if user := self.container.settings.user:
            hint = "Others read the project's MEMORY.md. Use `holdfast list` and `holdfast correct`."
            raise InvalidInput(f"the memories of {user} have no MEMORY.md", hint=hint)
        self.container.views.restore(logs=self.container.settings.memory_files)
        report = self.container.views.memory.sync(confirm)
        self._leave_files(change.id for change in report.changes if change.what == "forgotten")
        return self._then_wake(report)

    def _leave_files(self, ids: Iterable[str]) -> None:
        """Removes those of the memories that are forgotten now from the files of the project."""
        memories = [self.container.review.get(id) for id in ids]
        forgotten = [memory for memory in memories if memory.forgotten_at is not None]
        if forgotten:
            self.container.every_folder.remove(forgotten)
