"""One open store: the file, its schema and all its faces."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

from holdfast.core.errors import HoldfastError, StoreReadOnly
from holdfast.core.ids import Ids
from holdfast.store.sqlite.database import Database
from holdfast.store.sqlite.memories import SqliteMemories
from holdfast.store.sqlite.migrate import migrate
from holdfast.store.sqlite.reading import SqliteReading
from holdfast.store.sqlite.writers import SqliteCache, SqliteJobs, SqliteProjects, SqliteUsage

if TYPE_CHECKING:
    from holdfast.core.entity import Pairs
    from holdfast.store.sqlite.entities import SqliteEntities
    from holdfast.store.sqlite.health_check import HealthCheck
    from holdfast.store.sqlite.links import SqliteLinks
    from holdfast.store.sqlite.sessions import SqliteSessions
    from holdfast.store.writing.cache import CacheWriting
    from holdfast.store.writing.cleaning import CleaningWriting
    from holdfast.store.writing.documents import DocumentWriting
    from holdfast.store.writing.transfer import ProjectTransfer


class SqliteStore:
    """The embedded store. Any number of processes may open the same file at the same time."""

    def __init__(
        self,
        path: str,
        *,
        now: Callable[[], datetime],
        ids: Ids,
        busy_seconds: float = 30.0,
        all_durable: bool = False,
        factory: type[sqlite3.Connection] = sqlite3.Connection,
    ) -> None:
        self.path = path
        self._now = now
        self._ids = ids
        _prepare(path)
        self._database = Database(path, busy_seconds=busy_seconds, all_durable=all_durable, factory=factory)
        try:
            self.backup = migrate(self._database, ids)
        except HoldfastError:
            self.close()
            raise
        self.reading = SqliteReading(self._database, now)
        self.memories = SqliteMemories(self._database, self._link)
        self.usage = SqliteUsage(self._database)
        self.jobs = SqliteJobs(self._database, now)
        self.projects = SqliteProjects(self._database)

    @property
    def documents(self) -> DocumentWriting:
        """Keeps documents and their chunks."""
        from holdfast.store.sqlite.documents import SqliteDocuments

        return SqliteDocuments(self._database)

    @property
    def sessions(self) -> SqliteSessions:
        """How far sessions have come, their history and views, and what models cost."""
        from holdfast.store.sqlite.sessions import SqliteSessions

        return SqliteSessions(self._database)

    @property
    def cleaning(self) -> CleaningWriting:
        """Takes out of documents what is of no use."""
        from holdfast.store.sqlite.cleaning import SqliteCleaning

        return SqliteCleaning(self._database)

    @property
    def links(self) -> SqliteLinks:
        """Keeps what documents say of each other."""
        from holdfast.store.sqlite.links import SqliteLinks

        return SqliteLinks(self._database)

    @property
    def entities(self) -> SqliteEntities:
        """Keeps who and what memories name."""
        from holdfast.store.sqlite.entities import SqliteEntities

        return SqliteEntities(self._database, self._ids, self._now)

    @property
    def moving(self) -> ProjectTransfer:
        """Takes whole projects out and brings them in."""
        from holdfast.store.sqlite.transfer import SqliteTransfer

        return SqliteTransfer(self._database, self._link)

    @property
    def checkup(self) -> HealthCheck:
        """Examines and repairs this store."""
        from holdfast.store.sqlite.health_check import HealthCheck

        return HealthCheck(self._database)

    def _link(self, connection: sqlite3.Connection, project: str, pairs: Pairs, at: datetime) -> int:
        return self.entities.link(connection, project, pairs, at)

    def cache(self, model: str) -> CacheWriting:
        """The embedding cache of one model."""
        return SqliteCache(self._database, self._now, model)

    def size(self) -> int:
        """The bytes that the database takes on disk."""
        files = (self.path, f"{self.path}-wal")
        return sum(os.path.getsize(file) for file in files if os.path.exists(file))

    def close(self) -> None:
        self._database.close()


def _prepare(path: str) -> None:
    """Makes the folder and the file, readable by their owner alone."""
    if path == ":memory:" or os.path.exists(path):
        return
    folder = os.path.dirname(os.path.abspath(path))
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        raise StoreReadOnly(f"{path} ({error.strerror})") from error
