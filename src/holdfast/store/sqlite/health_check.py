"""Is the store healthy, and can what is derived be made right again?"""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import stat
from typing import TYPE_CHECKING

from holdfast.core.errors import StoreError
from holdfast.core.health import HealthFinding, HealthLevel
from holdfast.store.rows.memories import memory_of
from holdfast.store.sqlite.chunks import add_missing_passages
from holdfast.store.sqlite.memories import add_passage
from holdfast.store.sqlite.statements import statements
from holdfast.store.sqlite.traits import put_missing_bags

if TYPE_CHECKING:
    from holdfast.store.sqlite.database import Database

_ENOUGH_SPACE = 200 * 1024 * 1024
_LARGE_WAL = 256 * 1024 * 1024


class HealthCheck:
    """Examines a store and repairs what is derived. Canonical rows are never changed."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def examine(self) -> tuple[HealthFinding, ...]:
        """Every check with its outcome, the good ones too."""
        found = [self._integrity(), self._foreign_keys(), self._full_text()]
        found += [self._unfindable(), self._orphans(), self._unvectored()]
        found += [self._disk(), self._permissions(), self._wal()]
        return tuple(found)

    def repair(self) -> tuple[str, ...]:
        """Brings derived tables back in step with memories and documents; says what was done. Safe at any time."""
        done = []
        sql = statements("writing")
        with self._database.write(durable=True) as connection:
            # Why first: removing a passage fails where the index does not know it.
            connection.execute(sql["rebuild_fts"])
            orphans = connection.execute(sql["orphaned_passages"]).rowcount
            strays = sum(connection.execute(sql[name]).rowcount for name in _STRAYS)
            missing, pieces = self._add_missing(connection), add_missing_passages(connection)
            bags = put_missing_bags(connection)
            waiting = connection.execute(sql["requeue_unmarked"]).rowcount
        for count, what in (
            (orphans, "passages without a memory or a document removed"),
            (strays, "vectors and paths without a passage removed"),
            (missing, "memories made findable"),
            (pieces, "pieces of documents made findable"),
            (bags, "passages counted word by word"),
            (waiting, "passages queued for embedding"),
        ):
            if count > 0:
                done.append(f"{count} {what}")
        from holdfast.store.vectors.vector_file import remove_files

        if remove_files(self._database.path):
            done.append("vector codes removed; the next search makes them anew")
        return (*done, "full-text index rebuilt")

    def rebuild(self) -> None:
        """Makes every derived table anew from memories and documents; vectors follow in the background."""
        sql = statements("writing")
        with self._database.write(durable=True) as connection:
            connection.execute(sql["rebuild_fts"])
            connection.execute(sql["delete_passages"])
            self._add_missing(connection)
            add_missing_passages(connection)
        from holdfast.store.vectors.vector_file import remove_files

        remove_files(self._database.path)

    def _add_missing(self, connection: sqlite3.Connection) -> int:
        rows = connection.execute(statements("writing")["memories_without_passage"]).fetchall()
        for row in rows:
            found = connection.execute(statements("reading")["memory"], {"id": row["id"]}).fetchone()
            add_passage(connection, memory_of(found))
        return len(rows)

    def _integrity(self) -> HealthFinding:
        rows = self._database.read("pragma integrity_check(5)")
        said = "; ".join(str(row[0]) for row in rows)
        if said == "ok":
            return HealthFinding("integrity", HealthLevel.GOOD, "every page of the file is sound")
        return HealthFinding(
            "integrity", HealthLevel.BAD, said[:200], "Restore a backup; nothing is repaired in place."
        )

    def _foreign_keys(self) -> HealthFinding:
        rows = self._database.read("pragma foreign_key_check")
        if not rows:
            return HealthFinding("references", HealthLevel.GOOD, "no row points to a missing one")
        return HealthFinding("references", HealthLevel.BAD, f"{len(rows)} rows point to missing ones", _REPAIR)

    def _full_text(self) -> HealthFinding:
        try:
            with self._database.write(durable=False) as connection:
                connection.execute(statements("writing")["check_fts"])
        except StoreError as error:
            return HealthFinding(
                "full text", HealthLevel.BAD, f"the index disagrees with the passages ({error})"[:200], _REPAIR
            )
        return HealthFinding("full text", HealthLevel.GOOD, "the index agrees with the passages")

    def _unfindable(self) -> HealthFinding:
        memories = len(self._database.read(statements("writing")["memories_without_passage"]))
        pieces = len(self._database.read(statements("documents")["without_passage"]))
        if not memories and not pieces:
            return HealthFinding("findable", HealthLevel.GOOD, "every memory and every document can be found")
        counts = ((memories, "memories"), (pieces, "pieces of documents"))
        missing = " and ".join(f"{count} {what}" for count, what in counts if count)
        return HealthFinding("findable", HealthLevel.BAD, f"{missing} cannot be found by search", _REPAIR)

    def _orphans(self) -> HealthFinding:
        count = self._database.read(statements("writing")["count_orphaned_passages"])[0][0]
        if not count:
            return HealthFinding("orphans", HealthLevel.GOOD, "no passage without its memory or document")
        return HealthFinding("orphans", HealthLevel.BAD, f"{count} passages have no memory or document", _REPAIR)

    def _unvectored(self) -> HealthFinding:
        count = self._database.read(statements("writing")["count_unmarked"])[0][0]
        if not count:
            return HealthFinding("vectors", HealthLevel.GOOD, "every passage marked as embedded has its vector")
        return HealthFinding("vectors", HealthLevel.BAD, f"{count} passages lost their vector", _REPAIR)

    def _disk(self) -> HealthFinding:
        free = shutil.disk_usage(os.path.dirname(os.path.abspath(self._database.path))).free
        said = f"{free / 1e9:.1f} GB free"
        if free >= _ENOUGH_SPACE:
            return HealthFinding("disk space", HealthLevel.GOOD, said)
        return HealthFinding(
            "disk space", HealthLevel.WARNING, said, "Free some space; writes will fail when it is gone."
        )

    def _permissions(self) -> HealthFinding:
        path = self._database.path
        if not os.access(path, os.W_OK):
            return HealthFinding("permissions", HealthLevel.BAD, f"{path} cannot be written", "Check who owns it.")
        mode = stat.S_IMODE(os.stat(path).st_mode)
        if os.name == "posix" and mode & 0o077:
            hint = f"Run: chmod 600 {path}"
            return HealthFinding("permissions", HealthLevel.WARNING, f"others may read {path} ({mode:o})", hint)
        return HealthFinding("permissions", HealthLevel.GOOD, "only you can read the file")

    def _wal(self) -> HealthFinding:
        size = 0
        with contextlib.suppress(FileNotFoundError):
            size = os.stat(self._database.path + "-wal").st_size
        said = f"write-ahead log {size / 1e6:.1f} MB"
        if size < _LARGE_WAL:
            return HealthFinding("log", HealthLevel.GOOD, said)
        return HealthFinding("log", HealthLevel.WARNING, said, "A reader is held open somewhere; close that program.")


_STRAYS = ("stray_vectors", "stray_files", "stray_bags", "stray_codes")
_REPAIR = "Run `holdfast doctor --repair`."
