"""What a storage engine offers: nothing else of an engine is used outside the store."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from holdfast.core.health import HealthFinding
    from holdfast.core.reason import Reason
    from holdfast.store.reading import Reading
    from holdfast.store.writing.cache import CacheWriting
    from holdfast.store.writing.cleaning import CleaningWriting
    from holdfast.store.writing.documents import DocumentWriting
    from holdfast.store.writing.entities import EntityWriting
    from holdfast.store.writing.erasure import ErasureWriting
    from holdfast.store.writing.graph import GraphWriting
    from holdfast.store.writing.items import ItemWriting
    from holdfast.store.writing.jobs import JobWriting
    from holdfast.store.writing.links import LinkWriting, RecordWriting
    from holdfast.store.writing.memories import EpisodeWriting, MemoryWriting
    from holdfast.store.writing.observations import ObservationWriting
    from holdfast.store.writing.projects import ProjectWriting
    from holdfast.store.writing.sessions import SessionWriting, UsageCounting
    from holdfast.store.writing.transfer import ProjectTransfer
    from holdfast.store.writing.usage import UsageWriting
    from holdfast.system.data_folder import DataFolder


class HealthCheck(Protocol):
    """Examines a store and repairs its derived tables and files. Never changes canonical rows."""

    def examine(self) -> tuple[HealthFinding, ...]:
        """Runs every check and returns all results, good ones too."""
        ...

    def repair(self) -> tuple[Reason, ...]:
        """Brings derived tables back in step with memories and documents; returns what was done. Safe at any time."""
        ...


class Store(Protocol):
    """An open store. Any number of threads may use it, and any number of processes may open the same one.

    Reading never waits for a writer. A write is kept as a whole or not at all.
    """

    @property
    def address(self) -> str:
        """Where the data is, to show and to open: in any process, it opens the same store."""
        ...

    @property
    def data_folder(self) -> DataFolder:
        """The local files that go with the store."""
        ...

    @property
    def reading(self) -> Reading: ...
    @property
    def memories(self) -> MemoryWriting: ...
    @property
    def episodes(self) -> EpisodeWriting: ...
    @property
    def sessions(self) -> SessionWriting: ...
    @property
    def model_usage(self) -> UsageCounting: ...
    @property
    def documents(self) -> DocumentWriting: ...
    @property
    def cleaning(self) -> CleaningWriting: ...
    @property
    def links(self) -> LinkWriting: ...
    @property
    def records(self) -> RecordWriting: ...
    @property
    def graph(self) -> GraphWriting: ...
    @property
    def observations(self) -> ObservationWriting: ...
    @property
    def items(self) -> ItemWriting: ...
    @property
    def entities(self) -> EntityWriting: ...
    @property
    def usage(self) -> UsageWriting: ...
    @property
    def jobs(self) -> JobWriting: ...
    @property
    def projects(self) -> ProjectWriting: ...
    @property
    def transfer(self) -> ProjectTransfer: ...
    @property
    def erasure(self) -> ErasureWriting: ...
    def cache(self, model: str) -> CacheWriting:
        """The embedding cache of one model."""
        ...

    @property
    def health(self) -> HealthCheck: ...
    def size(self) -> int:
        """The size of the stored data in bytes, without indexes that can be rebuilt."""
        ...

    def back_up(self, keep: int) -> bool:
        """Makes the backup of this day, and deletes all but the newest `keep`. Returns False if it made none."""
        ...

    def exclusive(self, name: str, patience: float) -> AbstractContextManager[None]:
        """A named lock that one thread of one process holds at a time; the lock of a dead process is free.

        Raises StoreBusy after waiting `patience` seconds.
        """
        ...

    def close(self) -> None: ...
