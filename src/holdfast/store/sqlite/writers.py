"""Smaller writers on SQLite: usage, embedding cache, background jobs, projects."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from holdfast.core.clock import stamp, stored_time
from holdfast.core.errors import StoreBusy, StoreError, StoreFull, StoreReadOnly
from holdfast.store.sqlite.sqlite_statements import statements
from holdfast.system.project_match import has_other_remote, match_project, person_of

if TYPE_CHECKING:
    from sqlite3 import Connection

    from holdfast.core.memory_use import MemoryUse
    from holdfast.store.sqlite.database import Database
    from holdfast.system.project import ProjectIdentity

_CACHE_LIFE = timedelta(days=7)
_TOGETHER = 5
_PATIENCE = 0.05
# How long a session is known to have what it was given, and the most rows for one session.
_SUPPLY_LIFE = timedelta(days=30)
_SUPPLIES = 1_000


class SqliteUsage:
    """Counts what was found and records what was supplied, if it need not wait for other writers."""

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

    def supply(self, project: str, session: str, ids: Sequence[str], at: datetime) -> bool:
        sql, of_session = statements("writing"), {"project": project, "session": session}
        try:
            with self._database.write(durable=False, within=_PATIENCE) as connection:
                connection.execute(sql["supply"], {**of_session, "ids": json.dumps(list(ids)), "at": stamp(at)})
                connection.execute(sql["expire_supplied"], {"before": stamp(at - _SUPPLY_LIFE)})
                connection.execute(sql["trim_supplied"], {**of_session, "most": _SUPPLIES})
        except (StoreBusy, StoreFull, StoreReadOnly):
            return False
        return True

    def supplied(self, project: str, session: str) -> frozenset[str]:
        rows = self._database.read(statements("reading")["supplied"], {"project": project, "session": session})
        return frozenset(row["owner_id"] for row in rows)

    def last_supplied(self, project: str, id: str) -> str | None:
        rows = self._database.read(statements("reading")["last_supplied"], {"project": project, "id": id})
        return next((row["session_id"] for row in rows), None)

    def record_uses(self, project: str, session: str, uses: Sequence[MemoryUse]) -> None:
        of_session = {"project": project, "session": session}
        with self._database.write(durable=False) as connection:
            for use in uses:
                values = {"memory": use.memory, "at": stamp(use.at), "point": use.point, "outcome": use.outcome}
                connection.execute(statements("writing")["put_use"], {**of_session, **values, "evidence": use.evidence})

    def uses(self, project: str, session: str) -> tuple[MemoryUse, ...]:
        from holdfast.core.memory_use import MemoryUse

        rows = self._database.read(statements("reading")["uses"], {"project": project, "session": session})
        return tuple(
            MemoryUse(r["memory_id"], stored_time(r["at"]), r["point"], r["outcome"], r["evidence"]) for r in rows
        )


class SqliteCache:
    """The embedding cache of one model."""

    def __init__(self, database: Database, now: Callable[[], datetime], model: str) -> None:
        self._database = database
        self._now = now
        self._model = model

    def get(self, keys: Sequence[str]) -> dict[str, bytes]:
        parameters = {"keys": json.dumps(list(keys)), "now": stamp(self._now())}
        rows = self._database.read(statements("reading")["cache_get"], parameters)
        return {row["key"]: row["embedding"] for row in rows}

    def put(self, entries: Mapping[str, bytes]) -> None:
        # A query must not wait for other writers; a vector that is not cached is computed again.
        with (
            suppress(StoreBusy, StoreFull, StoreReadOnly),
            self._database.write(durable=False, within=_PATIENCE) as connection,
        ):
            self._put(connection, entries)

    def _put(self, connection: Connection, entries: Mapping[str, bytes]) -> None:
        expires = stamp(self._now() + _CACHE_LIFE)
        for key, embedding in entries.items():
            parameters = {"key": key, "embedding": embedding, "model": self._model, "dims": len(embedding) // 2}
            connection.execute(statements("writing")["cache_put"], {**parameters, "expires": expires})

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
        expires = stamp(now + timedelta(seconds=seconds))
        parameters = {"name": name, "holder": holder, "now": stamp(now), "expires": expires}
        return self._change("take_lease", parameters)

    def keep(self, name: str, holder: str, seconds: float, progress: Mapping[str, Any]) -> bool:
        expires = stamp(self._now() + timedelta(seconds=seconds))
        parameters = {"name": name, "holder": holder, "expires": expires, "progress": json.dumps(dict(progress))}
        return self._change("keep_lease", parameters)

    def free(self, name: str, holder: str) -> None:
        self._change("free_lease", {"name": name, "holder": holder})

    def record(
        self,
        name: str,
        started: datetime,
        finished: datetime,
        outcome: str,
        detail: Mapping[str, Any],
        project: str | None = None,
    ) -> None:
        parameters = {"name": name, "started": stamp(started), "finished": stamp(finished), "outcome": outcome}
        self._change("insert_job_run", {**parameters, "detail": json.dumps(dict(detail)), "project": project})

    def _change(self, name: str, parameters: Mapping[str, Any]) -> bool:
        with self._database.write(durable=False) as connection:
            return connection.execute(statements("writing")[name], parameters).rowcount > 0


class SqliteProjects:
    """The register of projects."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def recognise(self, identity: ProjectIdentity, new_id: str, at: datetime) -> str:
        id = self._recognised(identity, new_id, at)
        folder = _folder(id, identity)
        if folder["root"] not in self.folders(id):
            # Not worth failing for, or waiting: it is noted when the folder is opened again.
            with suppress(StoreError), self._database.write(durable=False, within=_PATIENCE) as connection:
                connection.execute(statements("writing")["add_project_folder"], folder)
        return id

    def folders(self, project: str) -> Mapping[str, bool]:
        rows = self._database.read(statements("writing")["project_folders"], {"project": project})
        return {row["root"]: bool(row["behind"]) for row in rows}

    def mark_folder(self, project: str, root: str, *, behind: bool) -> None:
        parameters = {"project": project, "root": root, "behind": behind}
        with self._database.write(durable=True) as connection:
            connection.execute(statements("writing")["mark_project_folder"], parameters)

    def _recognised(self, identity: ProjectIdentity, new_id: str, at: datetime) -> str:
        sql = statements("reading")["projects"]
        known = match_project(identity, [dict(row) for row in self._database.read(sql)])
        if known is not None and _is_identified(identity, known):
            return str(known["id"])
        unread = known is None or known["root_commit"] is None
        commit = _root_commit(identity.root) if identity.common_dir and unread else None
        if known is not None and commit is None and _unchanged(identity, known):
            return str(known["id"])
        with self._database.write(durable=True) as connection:
            # Read again: another process may have registered the same project.
            rows = [dict(row) for row in connection.execute(sql)]
            known = match_project(identity, rows) or _moved(commit, rows, identity)
            id = str(known["id"]) if known else _free_id(identity, rows, new_id)
            about = {"id": id, "root_commit": commit, "at": stamp(at), "person": person_of(identity)}
            connection.execute(statements("writing")["insert_person"], about)
            connection.execute(statements("writing")["upsert_project"], {**identity._asdict(), **about})
            connection.execute(statements("writing")["add_project_folder"], _folder(id, identity))
        return id

    def person(self, project: str) -> str:
        return str(self._database.read(statements("writing")["person"], {"id": project})[0]["person_id"])


def _folder(id: str, identity: ProjectIdentity) -> dict[str, str]:
    """A project's folder, without the name of the person whose part of the project it is."""
    return {"project": id, "root": str(identity.root).partition("::")[0]}


def _root_commit(folder: str) -> str | None:
    from holdfast.system.git import root_commit  # Imported here: few commands run git.

    return root_commit(folder)


def _moved(commit: str | None, rows: list[dict[str, Any]], identity: ProjectIdentity) -> dict[str, Any] | None:
    """A repository with the same first commit whose old folder no longer exists: it was moved, not copied."""
    for row in rows:
        gone = row["common_dir"] is not None and not os.path.exists(row["common_dir"])
        if commit is not None and row["root_commit"] == commit and gone and not has_other_remote(identity, row):
            return row
    return None


def _is_identified(identity: ProjectIdentity, row: Mapping[str, Any]) -> bool:
    # A repository without a remote can be recognised after a move only by its first commit.
    has_lasting_mark = identity.common_dir is None or identity.remote is not None or row["root_commit"] is not None
    return has_lasting_mark and _unchanged(identity, row)


def _unchanged(identity: ProjectIdentity, row: Mapping[str, Any]) -> bool:
    names = ("common_dir", "remote") if identity.common_dir else ("root",)
    return all(getattr(identity, name) in (None, row[name]) for name in names)


def _free_id(identity: ProjectIdentity, rows: list[dict[str, Any]], new_id: str) -> str:
    """The id of the marker or of the remote; a new one if another project has it."""
    taken = {row["id"] for row in rows}
    preferred = (identity.marker, _id_of(identity.remote))
    # A marker in downloaded files must not claim the memories of a person.
    return next((id for id in preferred if id and id not in taken and not id.startswith("::")), new_id)


def _id_of(remote: str | None) -> str | None:
    """An id made from the remote, the same on every machine."""
    import hashlib

    return hashlib.sha256(remote.encode()).hexdigest()[:20] if remote else None
