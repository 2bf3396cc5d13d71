"""Observations of agents' sessions on SQLite."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from holdfast.core.clock import stamp, stored_time
from holdfast.store.sqlite.sqlite_statements import statements
from holdfast.store.writing.observations import ObservedFile, ObservedSession, Promotion, SeenObservation

if TYPE_CHECKING:
    from holdfast.core.renamed_files import RenamedFiles
    from holdfast.store.sqlite.database import Database


class SqliteObservations:
    """`ObservationWriting` on SQLite."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def put(self, project: str, session: ObservedSession, observations: Sequence[SeenObservation]) -> None:
        sql, own = statements("observations"), {"project": project, "session": session.session}
        about = {"at": stamp(session.at), "steps": session.steps, "branches": json.dumps(session.branches)}
        untrusted = json.dumps(session.untrusted) if session.untrusted else None
        said = {"prompt": session.prompt, "later": session.later, "untrusted": untrusted}
        with self._database.write(durable=False) as connection:
            connection.execute(sql["drop_session"], own)
            connection.execute(sql["put_session"], {**own, **about, **said})
            connection.executemany(sql["put_file"], [{**own, **file._asdict()} for file in session.files])
            connection.executemany(sql["put_observation"], [{**own, **_row(one)} for one in observations])

    def sessions(self, project: str, limit: int) -> tuple[ObservedSession, ...]:
        sql = statements("observations")
        with self._database.snapshot() as connection:
            rows = connection.execute(sql["sessions"], {"project": project, "limit": limit}).fetchall()
            chosen = json.dumps([row["session_id"] for row in rows])
            files = dict(connection.execute(sql["files"], {"project": project, "sessions": chosen}).fetchall())
        return tuple(
            ObservedSession(
                row["session_id"], stored_time(row["at"]), row["steps"], tuple(json.loads(row["branches"])),
                row["prompt"], row["later"],
                tuple(map(ObservedFile._make, json.loads(files.get(row["session_id"], "[]")))),
                _taint(row["untrusted"]),
            )
            for row in reversed(rows)
        )  # fmt: skip

    def seen(self, project: str, signal: str, key: str | None = None) -> tuple[SeenObservation, ...]:
        parameters = {"project": project, "signal": signal, "key": key}
        rows = self._database.read(statements("observations")["seen"], parameters)
        return tuple(
            SeenObservation(
                row["signal"], row["key"], row["session_id"], tuple(json.loads(row["files"])), json.loads(row["vals"]),
                tuple(json.loads(row["steps"])), _taint(row["taint"]),
            )
            for row in reversed(rows)
        )  # fmt: skip

    def promotions(self, project: str) -> Mapping[tuple[str, str], Promotion]:
        rows = self._database.read(statements("observations")["promotions"], {"project": project})
        return {(row["signal"], row["key"]): Promotion(*row) for row in rows}

    def reviews(self, project: str) -> Mapping[str, tuple[int, int]]:
        rows = self._database.read(statements("observations")["reviews"], {"project": project})
        return {row["signal"]: (row["rejected"], row["confirmed"]) for row in rows}

    def put_promotions(self, project: str, promotions: Sequence[Promotion]) -> None:
        with self._database.write(durable=False) as connection:
            rows = [{"project": project, **promotion._asdict()} for promotion in promotions]
            connection.executemany(statements("observations")["put_promotion"], rows)

    def rename(self, project: str, renamed: RenamedFiles) -> tuple[str, ...]:
        sql, own = statements("observations"), {"project": project, "names": json.dumps(list(renamed.names))}
        with self._database.write(durable=False) as connection:
            paths = connection.execute(sql["renamed_files"], own).fetchall()
            pairs = [{**own, "old": path, "new": renamed.path(path)} for (path,) in paths]
            connection.executemany(sql["rename_files"], pairs)
            own["names"] = json.dumps([path for (path,) in paths])
            for row in connection.execute(sql["renamed_observations"], own).fetchall() if pairs else ():
                files, values = renamed.value(json.loads(row["files"])), renamed.value(json.loads(row["vals"]))
                new = {"new": renamed.key(row["key"]), "files": json.dumps(files), "vals": json.dumps(values)}
                connection.execute(sql["rename_observation"], {**own, **dict(row), **new})
            known = connection.execute(sql["promoted"], own).fetchall() if pairs else ()
            for row in known:
                connection.execute(sql["rename_promotion"], {**own, **dict(row), "new": renamed.key(row["key"])})
        return tuple(dict.fromkeys(row["memory_id"] for row in known))


def _taint(stored: str | None) -> tuple[str, int] | None:
    """The tool and the step that are stored as JSON."""
    if not stored:
        return None
    tool, step = json.loads(stored)
    return str(tool), int(step)


def _row(one: SeenObservation) -> dict[str, str | None]:
    return {
        "signal": one.signal,
        "key": one.key,
        "files": json.dumps(one.files),
        "vals": json.dumps(dict(one.values)),
        "steps": json.dumps(one.steps),
        "taint": json.dumps(one.taint) if one.taint else None,
    }
