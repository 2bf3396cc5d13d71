"""An open SQLite store: the file, its schema, its readers and writers."""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from datetime import datetime
from typing import TYPE_CHECKING

from holdfast.core.errors import HoldfastError, StoreBusy, StoreReadOnly
from holdfast.core.ids import Ids
from holdfast.store.sqlite.database import Database
from holdfast.store.sqlite.memory_writes import SqliteMemories
from holdfast.store.sqlite.migrate import migrate
from holdfast.store.sqlite.queries import SqliteReading
from holdfast.store.sqlite.writers import SqliteCache, SqliteJobs, SqliteProjects, SqliteUsage
from holdfast.store.writing.memories import no_vectors
from holdfast.system.data_folder import DataFolder
from holdfast.system.files import create_file, make_folders

# Modules of writers that a process may never use are imported at first use: start-up time counts.
if TYPE_CHECKING:
    from tempfile import TemporaryDirectory

    from holdfast.core.entity import MentionsByMemory
    from holdfast.store.protocol import HealthCheck
    from holdfast.store.reading import Reading
    from holdfast.store.sqlite.entity_writes import SqliteEntities
    from holdfast.store.writing.cache import CacheWriting
    from holdfast.store.writing.cleaning import CleaningWriting
    from holdfast.store.writing.documents import DocumentWriting
    from holdfast.store.writing.entities import EntityWriting
    from holdfast.store.writing.erasure import ErasureWriting
    from holdfast.store.writing.graph import GraphWriting
    from holdfast.store.writing.items import ItemWriting
    from holdfast.store.writing.jobs import JobWriting
    from holdfast.store.writing.links import LinkWriting, RecordWriting
    from holdfast.store.writing.memories import EmbedNow, EpisodeWriting, MemoryWriting
    from holdfast.store.writing.observations import ObservationWriting
    from holdfast.store.writing.projects import ProjectWriting
    from holdfast.store.writing.sessions import SessionWriting, UsageCounting
    from holdfast.store.writing.transfer import ProjectTransfer
    from holdfast.store.writing.usage import UsageWriting


_PATIENCE = 60.0


class SqliteStore:
    """The embedded `Store`: one file. `temporary` is the folder of a store that is deleted when it is closed."""

    def __init__(
        self,
        path: str,
        *,
        now: Callable[[], datetime],
        ids: Ids,
        busy_seconds: float = 30.0,
        all_durable: bool = False,
        embed_now: EmbedNow = no_vectors,
        factory: type[sqlite3.Connection] = sqlite3.Connection,
        temporary: TemporaryDirectory[str] | None = None,
    ) -> None:
        self.address = path
        self.data_folder = DataFolder.beside(path)
        self._temporary = temporary
        self._embed_now = embed_now
        self._now = now
        self._ids = ids
        _create(path)
        self._database = Database(path, busy_seconds=busy_seconds, all_durable=all_durable, factory=factory)
        try:
            migrate(self._database, ids)
        except HoldfastError:
            self._database.close()
            raise
        memories = SqliteMemories(self._database, self._link, embed_now, now)
        self._reading = SqliteReading(self._database, now)
        self.reading: Reading = self._reading
        self.memories: MemoryWriting = memories
        self.episodes: EpisodeWriting = memories
        self.usage: UsageWriting = SqliteUsage(self._database)
        self.jobs: JobWriting = SqliteJobs(self._database, now)
        self.projects: ProjectWriting = SqliteProjects(self._database)

    @property
    def documents(self) -> DocumentWriting:
        from holdfast.store.sqlite.document_writes import SqliteDocuments

        return SqliteDocuments(self._database, self._embed_now)

    @property
    def cleaning(self) -> CleaningWriting:
        from holdfast.store.sqlite.cleaning_writes import SqliteCleaning

        return SqliteCleaning(self._database, self._embed_now)

    @property
    def links(self) -> LinkWriting:
        from holdfast.store.sqlite.link_writes import SqliteLinks

        return SqliteLinks(self._database)

    @property
    def graph(self) -> GraphWriting:
        from holdfast.store.sqlite.graph_writes import SqliteGraph

        return SqliteGraph(self._database)

    @property
    def records(self) -> RecordWriting:
        from holdfast.store.sqlite.link_writes import SqliteLinks

        return SqliteLinks(self._database)

    @property
    def sessions(self) -> SessionWriting:
        from holdfast.store.sqlite.session_writes import SqliteSessions

        return SqliteSessions(self._database)

    @property
    def model_usage(self) -> UsageCounting:
        from holdfast.store.sqlite.session_writes import SqliteSessions

        return SqliteSessions(self._database)

    @property
    def observations(self) -> ObservationWriting:
        from holdfast.store.sqlite.observation_writes import SqliteObservations

        return SqliteObservations(self._database)

    @property
    def items(self) -> ItemWriting:
        from holdfast.store.sqlite.item_writes import SqliteItems

        return SqliteItems(self._database)

    @property
    def entities(self) -> EntityWriting:
        return self._entities()

    @property
    def transfer(self) -> ProjectTransfer:
        from holdfast.store.sqlite.transfer_writes import SqliteTransfer

        return SqliteTransfer(self._database, self._link, self._embed_now)

    @property
    def erasure(self) -> ErasureWriting:
        from holdfast.store.sqlite.erasure_writes import SqliteErasure

        return SqliteErasure(self._database, self._link, self._embed_now)

    @property
    def health(self) -> HealthCheck:
        from holdfast.store.sqlite.health_check import SqliteHealthCheck

        return SqliteHealthCheck(self._database, self._embed_now)

    def cache(self, model: str) -> CacheWriting:
        return SqliteCache(self._database, self._now, model)

    def size(self) -> int:
        path = self._database.path
        files = (path, f"{path}-wal")
        return sum(os.path.getsize(file) for file in files if os.path.exists(file))

    def back_up(self, keep: int) -> bool:
        from holdfast.store.sqlite.backups import back_up_daily
        from holdfast.store.writing.erasure import LOCK

        # A copy that is begun before an erasure and completed after it would keep the text.
        with suppress(StoreBusy), self.exclusive(LOCK, _PATIENCE):
            return back_up_daily(self._database.path, self._now(), keep) is not None
        return False

    def exclusive(self, name: str, patience: float) -> AbstractContextManager[None]:
        from holdfast.system.locking import locked

        return locked(f"{self._database.path}-{name}-lock", patience)

    def close(self) -> None:
        self._reading.close()
        self._database.close()
        if self._temporary is not None:
            self._temporary.cleanup()

    def _entities(self) -> SqliteEntities:
        from holdfast.store.sqlite.entity_writes import SqliteEntities

        return SqliteEntities(self._database, self._ids, self._now)

    def _link(self, connection: sqlite3.Connection, project: str, pairs: MentionsByMemory, at: datetime) -> int:
        return self._entities().link(connection, project, pairs, at)


def _create(path: str) -> None:
    """Makes the folder and the file if they do not exist, readable by their owner alone."""
    if os.path.exists(path):
        _unlock_log(path)
        return
    folder = os.path.dirname(os.path.abspath(path))
    try:
        make_folders(folder)
        if os.path.exists(path + "-wal"):
            _put_log_aside(path)
        with suppress(FileExistsError):  # Another process created it.
            os.close(create_file(path))
    except OSError as error:
        raise StoreReadOnly(f"{path} ({error.strerror})") from error


def _unlock_log(path: str) -> None:
    """Makes the log writable if the database is: SQLite created it while the database was read-only."""
    with suppress(OSError):
        mode = stat.S_IMODE(os.stat(path).st_mode)
        for file in (f"{path}-wal", f"{path}-shm"):
            if mode & stat.S_IWUSR and os.path.exists(file) and not os.stat(file).st_mode & stat.S_IWUSR:
                os.chmod(file, mode)


def _put_log_aside(path: str) -> None:
    """Renames the log of a database that was deleted: SQLite would take it for the log of the new one."""
    from holdfast.system.locking import locked

    with locked(f"{path}-create-lock", 10.0):
        if not os.path.exists(path):
            for ending in ("-wal", "-shm"):
                with suppress(FileNotFoundError):
                    os.replace(path + ending, f"{path}.deleted{ending}")
            with suppress(FileExistsError):
                os.close(create_file(path))
