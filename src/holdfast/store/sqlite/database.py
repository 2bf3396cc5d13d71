"""SQLite connections and transactions: one connection per thread, one writer at a time, errors of our own tree."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
import time
from functools import partial
from typing import TYPE_CHECKING, Any

from holdfast.core.clock import stored_time
from holdfast.core.decay import current_confidence, document_confidence
from holdfast.core.errors import (
    InvalidInput,
    StoreBusy,
    StoreClosed,
    StoreDamaged,
    StoreError,
    StoreForeign,
    StoreFull,
    StoreReadOnly,
    StoreReplaced,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeVar

    T = TypeVar("T")

# Seconds between two attempts to lock, chosen at random: SQLite's own busy handler starves writers under load.
_WAIT = (0.0002, 0.003)
_PRAGMAS = (
    "pragma foreign_keys = on",
    "pragma temp_store = memory",
    # More than the default of 2 MB: a search touches more pages, and would read them from the file each time.
    "pragma cache_size = -16000",
    f"pragma journal_size_limit = {64 * 1024 * 1024}",
    # Mapped, because a query reads a thousand pages all over the file, each of which would be a system call.
    # It costs address space, not memory. SQLite ignores it for a database in memory.
    f"pragma mmap_size = {2 * 1024 * 1024 * 1024}",
)


class Database:
    """One SQLite file, shared by any number of threads and processes.

    `busy_seconds` bounds the wait for other writers; `all_durable` makes every commit survive a power cut.
    """

    def __init__(
        self,
        path: str,
        *,
        busy_seconds: float = 30.0,
        all_durable: bool = False,
        factory: type[sqlite3.Connection] = sqlite3.Connection,
    ) -> None:
        self.path = path
        self._busy_seconds = busy_seconds
        self._all_durable = all_durable
        self._factory = factory
        self._local = threading.local()
        self._opened: list[tuple[int, sqlite3.Connection]] = []
        self._file: tuple[int, int] | None = None
        self._is_closed = False

    def connection(self) -> sqlite3.Connection:
        """This thread's connection, opened at first use; a forked child opens its own. Raises StoreClosed."""
        if self._is_closed:
            raise StoreClosed(self.path)
        pid = os.getpid()
        if getattr(self._local, "pid", None) != pid:
            with errors_of(self.path):
                connection = self._open()
            self._local.connection, self._local.pid, self._local.log = connection, pid, None
            self._opened.append((pid, connection))
        opened: sqlite3.Connection = self._local.connection
        return opened

    def read(self, sql: str, parameters: Any = ()) -> list[sqlite3.Row]:
        """All rows of a query. Readers are never blocked by a writer."""
        return self._reading(lambda: self.connection().execute(sql, parameters).fetchall())

    def read_plain(self, sql: str, parameters: Any = ()) -> list[tuple[Any, ...]]:
        """All rows of a query as tuples: several times faster for many rows."""

        def fetch() -> list[tuple[Any, ...]]:
            cursor = self.connection().execute(sql, parameters)
            cursor.row_factory = None
            return cursor.fetchall()

        return self._reading(fetch)

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[sqlite3.Connection]:
        """A transaction in which all reads see the same state. Damaged text is read as far as it can be."""
        with errors_of(self.path), contextlib.ExitStack() as opened:
            try:
                self._patiently(lambda: _begin_reading(self.connection()))
            except (sqlite3.OperationalError, StoreFull) as error:
                if not _lacks_room(error):
                    raise
                opened.enter_context(self._alone())
                self._patiently(lambda: _begin_reading(self.connection()))
            connection = self.connection()
            connection.text_factory = _decoded
            try:
                yield connection
            finally:
                if connection.in_transaction:
                    connection.execute("rollback")
                connection.text_factory = str

    @contextlib.contextmanager
    def write(self, *, durable: bool, within: float | None = None) -> Iterator[sqlite3.Connection]:
        """A write transaction, all or nothing. A `durable` one survives a power cut.

        `within` bounds the wait for other writers, for writes that need not succeed.
        """
        connection = self.connection()
        with errors_of(self.path):
            full = durable or self._all_durable
            self._patiently(lambda: connection.execute(f"pragma synchronous = {'full' if full else 'normal'}"))
            self._patiently(lambda: connection.execute("begin immediate"), within)
            if self._local.log is None:
                self._local.log = self._log_identity()
            try:
                yield connection
                self._assert_in_place()
                connection.execute("commit")
            except BaseException:
                # BaseException, because an interrupt must not leave the file locked for other writers.
                if connection.in_transaction:
                    connection.execute("rollback")
                raise

    def use_wal(self) -> None:
        """Switches to write-ahead logging, so that readers and a writer work at once. Changes the file."""

        def switch() -> None:
            # Extra: a power cut must not bring back the journal of this switch, which would undo it.
            self.connection().execute("pragma synchronous = extra")
            self.connection().execute("pragma journal_mode = wal").fetchone()

        with errors_of(self.path):
            self._reading(switch)

    def compact(self) -> None:
        """Writes the file again without free pages; the old ones may be in the file until its log is empty."""
        connection = self.connection()
        with errors_of(self.path):
            self._patiently(lambda: connection.execute("vacuum"))

    def empty_log(self) -> bool:
        """Writes the log into the file and empties it. Returns False if a reader needs the log."""
        connection = self.connection()
        with errors_of(self.path):
            blocked: int = self._patiently(lambda: connection.execute("pragma wal_checkpoint(truncate)").fetchone()[0])
        return not blocked

    def close(self) -> None:
        """Closes every connection of this process; there will be no others."""
        self._is_closed = True
        for pid, connection in self._opened:
            if pid == os.getpid():
                connection.close()
        self._opened.clear()
        self._local = threading.local()

    def _assert_in_place(self) -> None:
        """Raises StoreReplaced if the path is no longer the file that is open: a commit would go to a file without a
        name, and be gone when the last process closes it. The same holds for the log beside it.
        """
        if self._file is not None and _identity(self.path) != self._file:
            raise StoreReplaced(self.path)
        if getattr(self._local, "log", None) is not None and self._log_identity() != self._local.log:
            raise StoreReplaced(f"{self.path}-wal")

    def _log_identity(self) -> tuple[object, ...] | None:
        """What tells the log and its index from others; None without a log. SQLite keeps both while one has it open."""
        log = _identity(f"{self.path}-wal")
        return None if log is None else (log, _identity(f"{self.path}-shm"))

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """Reads on a full disk: with the file locked, SQLite needs no index of the log, a file that processes share.

        The block must be short, because all others have to wait.
        """
        usual, alone = dict(self._local.__dict__), self._open(locked=True)
        self._local.connection, self._local.pid, self._local.log = alone, os.getpid(), None
        try:
            yield
        finally:
            alone.close()
            self._local.__dict__.clear()
            self._local.__dict__.update(usual)

    def _open(self, *, locked: bool = False) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self.path, timeout=0, isolation_level=None, check_same_thread=False, factory=self._factory
        )
        connection.row_factory = sqlite3.Row
        connection.create_function("decayed_confidence", 5, _decayed_confidence, deterministic=True)
        connection.create_function("folded", 1, _folded, deterministic=True)
        connection.create_function("document_confidence", 3, _document_confidence, deterministic=True)
        try:
            for pragma in (*(("pragma locking_mode = exclusive",) if locked else ()), *_PRAGMAS):
                self._patiently(partial(connection.execute, pragma))
        except (sqlite3.Error, StoreBusy):
            connection.close()
            raise
        if self._file is None:
            self._file = _identity(self.path)
        elif self._file is not None:
            self._assert_in_place()
        return connection

    def _reading(self, act: Callable[[], T]) -> T:
        try:
            return act()
        except (sqlite3.Error, StoreFull, UnicodeEncodeError) as error:
            # Retry only after an error: a query reads a dozen times, and the retry loop costs as much as a small read.
            with (
                errors_of(self.path),
                self._alone() if _lacks_room(error) else contextlib.nullcontext(),
                self._any_text(),
            ):
                return self._patiently(act)

    @contextlib.contextmanager
    def _any_text(self) -> Iterator[None]:
        """Reads damaged text too. Not always, because it is several times slower."""
        connection = self.connection()
        connection.text_factory = _decoded
        try:
            yield
        finally:
            connection.text_factory = str

    def _patiently(self, act: Callable[[], T], within: float | None = None) -> T:
        patience = self._busy_seconds if within is None else within
        deadline = time.monotonic() + patience
        while True:
            try:
                return act()
            except sqlite3.OperationalError as error:
                if not _is_busy(error):
                    raise
                if time.monotonic() > deadline:
                    raise StoreBusy(f"waited {patience:g} s for {self.path}") from error
                time.sleep(_any_of(*_WAIT))


def _identity(path: str) -> tuple[int, int] | None:
    """What tells the file at a path from every other; None if there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


@contextlib.contextmanager
def errors_of(path: str) -> Iterator[None]:
    """Turns SQLite's errors inside into errors of our own tree, each with a hint."""
    try:
        yield
    except sqlite3.Error as error:
        raise _translate(error, path) from error
    except UnicodeEncodeError as error:
        raise InvalidInput(f"{error.object[:40]!r} is not text", hint="Decode it as UTF-8 first.") from error


def _folded(text: object) -> str:
    return str(text).casefold()


def _decayed_confidence(base: float, half_life: float | None, since: str, at: str, protected: int) -> float:
    """`current_confidence` for SQL, with time stamps as text."""
    return current_confidence(base, half_life, stored_time(since), stored_time(at), protected=bool(protected))


def _document_confidence(base: float, since: str, at: str) -> float:
    """`document_confidence` for SQL, with time stamps as text."""
    return document_confidence(base, stored_time(since), stored_time(at))


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _begin_reading(connection: sqlite3.Connection) -> None:
    # Read at once: `begin` alone takes no snapshot, and the first read may have to wait for a lock.
    if not connection.in_transaction:
        connection.execute("begin")
    connection.execute("select count(*) from sqlite_schema").fetchone()


def _lacks_room(error: Exception) -> bool:
    """Has the disk no room for the index of the log, without which nothing can be read?"""
    reason = error.__cause__ if isinstance(error, StoreFull) else error
    return getattr(reason, "sqlite_errorname", "") == "SQLITE_IOERR_SHMSIZE"


def _translate(error: sqlite3.Error, path: str) -> StoreError:
    if _lacks_room(error):
        return StoreFull(path)
    text = str(error).lower()
    for words, kind in _MEANINGS:
        if any(word in text for word in words):
            return kind(path)
    return StoreError(f"{path}: {error}")


_MEANINGS: tuple[tuple[tuple[str, ...], type[StoreError]], ...] = (
    (("disk is full", "no space left"), StoreFull),
    (("readonly", "unable to open", "read-only", "permission"), StoreReadOnly),
    (("locked", "busy"), StoreBusy),
    (("file is not a database", "file is encrypted"), StoreForeign),
    (("malformed", "corrupt", "disk i/o error"), StoreDamaged),
)


def _any_of(low: float, high: float) -> float:
    """A random number between two, without the cost of importing `random`."""
    return low + (high - low) * int.from_bytes(os.urandom(2), "big") / 65_536


def _is_busy(error: sqlite3.OperationalError) -> bool:
    return "locked" in str(error) or "busy" in str(error)
