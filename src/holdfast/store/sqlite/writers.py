"""The smaller writing faces on SQLite: usage, cache, background work, projects."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from holdfast.core.clock import stamp
from holdfast.core.errors import StoreBusy, StoreFull, StoreReadOnly
from holdfast.core.project import root_commit
from holdfast.store.sqlite.statements import statements

if TYPE_CHECKING:
    from sqlite3 import Connection

    from holdfast.core.project import ProjectIdentity
    from holdfast.store.sqlite.database import Database

_CACHE_LIFE = timedelta(days=7)
_TOGETHER = 5
_PATIENCE = 0.05


class SqliteUsage:
    """Counts what was found; a count is not worth a wait."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def found(self, project: str, answers: Sequence[Sequence[str]], at: datetime) -> bool:
        sql = statements("writing")
        try:
            with self._database.write(durable=False, within=_PATIENCE) as connection:
                for ids in answers:
                    touched = {"ids": json.dumps(list(ids)), "at": stamp(at)}
                    connection.execute(sql["touch"], touched)
                    connection.execute(sql["touch_documents"], touched)
                    together = {"project": project, "ids": json.dumps(list(ids[:_TOGETHER])), "at": stamp(at)}
                    connection.execute(sql["co_access"], together)
        except (StoreBusy, StoreFull, StoreReadOnly):
            return False
        return True


class SqliteCache:
    """The embedding cache of one model."""

    def __init__(self, database: Database, now: Callable[[], datetime], model: str) -> None:
        self._database = database
        self._now = now
        self._model = model

    def get(self, keys: Sequence[str]) -> dict[str, bytes]:
        given = {"keys": json.dumps(list(keys)), "now": stamp(self._now())}
        return {row["key"]: row["embedding"] for row in self._database.read(statements("reading")["cache_get"], given)}

    def put(self, entries: Mapping[str, bytes]) -> None:
        # Why not waited for: a question must not wait for other writers, and what is not kept is computed again.
        with (
            suppress(StoreBusy, StoreFull, StoreReadOnly),
            self._database.write(durable=False, within=_PATIENCE) as connection,
        ):
            self._put(connection, entries)

    def _put(self, connection: Connection, entries: Mapping[str, bytes]) -> None:
        expires = stamp(self._now() + _CACHE_LIFE)
        for key, embedding in entries.items():
            given = {"key": key, "embedding": embedding, "model": self._model, "dims": len(embedding) // 2}
            connection.execute(statements("writing")["cache_put"], {**given, "expires": expires})

    def evict(self) -> int:
        with self._database.write(durable=False) as connection:
            return connection.execute(statements("writing")["cache_evict"], {"now": stamp(self._now())}).rowcount


class SqliteJobs:
    """Leases and records of background work."""

    def __init__(self, database: Database, now: Callable[[], datetime]) -> None:
        self._database = database
        self._now = now

    def take(self, name: str, holder: str, seconds: float) -> bool:
        now = self._now()
        given = {"name": name, "holder": holder, "now": stamp(now), "expires": stamp(now + timedelta(seconds=seconds))}
        return self._change("take_lease", given)

    def keep(self, name: str, holder: str, seconds: float, progress: Mapping[str, Any]) -> bool:
        expires = stamp(self._now() + timedelta(seconds=seconds))
        given = {"name": name, "holder": holder, "expires": expires, "progress": json.dumps(dict(progress))}
        return self._change("keep_lease", given)

    def free(self, name: str, holder: str) -> None:
        self._change("free_lease", {"name": name, "holder": holder})

    def record(self, name: str, started: datetime, finished: datetime, outcome: str, detail: Mapping[str, Any]) -> None:
        given = {"name": name, "started": stamp(started), "finished": stamp(finished), "outcome": outcome}
        self._change("insert_job_run", {**given, "detail": json.dumps(dict(detail))})

    def _change(self, name: str, given: Mapping[str, Any]) -> bool:
        with self._database.write(durable=False) as connection:
            return connection.execute(statements("writing")[name], given).rowcount > 0


class SqliteProjects:
    """The register of projects."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def recognise(self, signs: ProjectIdentity, new_id: str, at: datetime) -> str:
        sql = statements("reading")["projects"]
        known = _match(signs, [dict(row) for row in self._database.read(sql)])
        if known is not None and _unchanged(signs, known):
            return str(known["id"])
        unread = known is None or known["root_commit"] is None
        commit = root_commit(signs.root) if signs.common_dir and unread else None
        with self._database.write(durable=True) as connection:
            # Why again: another process may have registered this very project meanwhile.
            rows = [dict(row) for row in connection.execute(sql)]
            known = _match(signs, rows) or _moved(commit, rows, signs)
            id = str(known["id"]) if known else _free_id(signs, rows, new_id)
            given = {**signs._asdict(), "id": id, "root_commit": commit, "at": stamp(at)}
            connection.execute(statements("writing")["upsert_project"], given)
        return id


def _match(signs: ProjectIdentity, rows: list[dict[str, Any]]) -> dict[str, Any] | None:
    """The project with the same marker, remote or common directory; outside git with the same folder."""
    for sign, column in ((signs.marker, "id"), (signs.remote, "remote"), (signs.common_dir, "common_dir")):
        for row in rows:
            # Why the last: an id made of a remote can be guessed; a marker that came with a download must not claim it.
            claims = column == "id" and row["remote"] not in (None, signs.remote)
            if sign is not None and row[column] == sign and not _other_remote(signs, row) and not claims:
                return row
    if signs.common_dir is None:
        return next((row for row in rows if row["common_dir"] is None and row["root"] == signs.root), None)
    return None


def _moved(commit: str | None, rows: list[dict[str, Any]], signs: ProjectIdentity) -> dict[str, Any] | None:
    """A repository of the same first commit whose old place is gone: it was moved, not copied."""
    for row in rows:
        gone = row["common_dir"] is not None and not os.path.exists(row["common_dir"])
        if commit is not None and row["root_commit"] == commit and gone and not _other_remote(signs, row):
            return row
    return None


def _other_remote(signs: ProjectIdentity, row: Mapping[str, Any]) -> bool:
    """Do both have a remote, and not the same one? Then they are not the same project, whatever else agrees."""
    moved_in_place = signs.common_dir is not None and row["common_dir"] == signs.common_dir
    return None not in (signs.remote, row["remote"]) and signs.remote != row["remote"] and not moved_in_place


def _unchanged(signs: ProjectIdentity, row: Mapping[str, Any]) -> bool:
    names = ("common_dir", "remote") if signs.common_dir else ("root",)
    same = all(getattr(signs, name) in (None, row[name]) for name in names)
    # Why: a repository without a remote is known again after a move only by its first commit.
    return same and (signs.common_dir is None or signs.remote is not None or row["root_commit"] is not None)


def _free_id(signs: ProjectIdentity, rows: list[dict[str, Any]], new_id: str) -> str:
    """The marker's id or the remote's; a new one when that is another project's already."""
    taken = {row["id"] for row in rows}
    wished = (signs.marker, _id_of(signs.remote))
    return next((id for id in wished if id is not None and id not in taken), new_id)


def _id_of(remote: str | None) -> str | None:
    """The same id on every machine that has the same remote."""
    import hashlib

    return hashlib.sha256(remote.encode()).hexdigest()[:20] if remote else None
