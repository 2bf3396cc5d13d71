"""A project out of a store and into another: held by intake, by nobody else."""

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
    """One transaction in which a project arrives. What is here already stays as it is."""

    def owner(self, id: str) -> str | None:
        """The project that has a paragraph of history or an entity of that id, be it one that was merged."""
        ...

    def add_session(self, project: str, state: SessionState) -> bool:
        """Was the session new? One that is known learns only that more was said in it. Messages come first."""
        ...

    def add_history(self, project: str, entry: HistoryEntry) -> bool:
        """Was it new?"""
        ...

    def stands_for(self, entity: Entity) -> Entity | None:
        """The entity that is the same one here: by its id, merged or not, or by name and type; None when it is new."""
        ...

    def add_entity(self, entity: Entity, memories: Iterable[str]) -> None:
        """A new entity, with the memories that name it."""
        ...

    def link(self, entity: Entity, memories: Iterable[str]) -> None:
        """These memories name it too."""
        ...

    def add_merge(self, merge: EntityMerge) -> None:
        """A merge that can be undone here as well."""
        ...


class ProjectTransfer(Protocol):
    """The face for whole projects."""

    def take(self, project: str) -> ProjectArchive:
        """Everything of a project, forgotten memories too; one consistent moment, in the order it was kept."""
        ...

    def bring(self) -> AbstractContextManager[ProjectImport]:
        """A durable transaction: all of it is kept, or nothing."""
        ...
