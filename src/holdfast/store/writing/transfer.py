"""Export and import of whole projects: used by intake only."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Protocol

from holdfast.store.writing.memories import MemoryChange

if TYPE_CHECKING:
    from holdfast.core.archive import ProjectArchive
    from holdfast.core.conversation import HistoryEntry, SessionState
    from holdfast.core.entity import Entity, EntityMerge


class ProjectImport(MemoryChange, Protocol):
    """One transaction that imports a project. Existing rows stay as they are."""

    def owner(self, id: str) -> str | None:
        """The project that owns the history paragraph or entity with that id; merged entities count."""
        ...

    def add_session(self, project: str, state: SessionState) -> bool:
        """Adds a session; returns whether it was new. A known one is only extended. Add its messages first."""
        ...

    def add_history(self, project: str, entry: HistoryEntry) -> bool:
        """Adds a paragraph of history; returns whether it was new."""
        ...

    def find_entity(self, entity: Entity) -> Entity | None:
        """The same entity in this store, by id, merged or not, or by name and type; None if there is none."""
        ...

    def add_entity(self, entity: Entity, memories: Iterable[str]) -> None:
        """Adds an entity with the memories that name it."""
        ...

    def link(self, entity: Entity, memories: Iterable[str]) -> None:
        """Links an entity to further memories."""
        ...

    def add_merge(self, merge: EntityMerge) -> None:
        """Adds a merge, so that it can be undone here as well."""
        ...


class ProjectTransfer(Protocol):
    """Exports and imports whole projects."""

    def start_export(self, project: str) -> AbstractContextManager[ProjectArchive]:
        """Everything of a project, forgotten memories included, in one consistent state and in stored order.

        Rows are read while they are iterated, in this thread only, so that a large project needs little memory.
        """
        ...

    def start_import(self) -> AbstractContextManager[ProjectImport]:
        """Starts a durable transaction, all or nothing."""
        ...
