"""Writes the code graph on SQLite."""

from __future__ import annotations

import json
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from holdfast.core.clock import stamp
from holdfast.core.code import CONFIDENCES, CoChangedFiles, CodeEdge, CodeFile, FileStamp, ResolvedFile
from holdfast.store.sqlite.sqlite_statements import statements

if TYPE_CHECKING:
    from sqlite3 import Connection

    from holdfast.store.sqlite.database import Database

_CLEAR = ("clear_edges", "clear_file_edges", "clear_unresolved", "clear_consulted", "clear_lookups")


class SqliteGraph:
    """`GraphWriting` on SQLite. No write is durable: the files can be indexed again."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def stamps(self, project: str) -> Mapping[str, FileStamp]:
        rows = self._database.read_plain(statements("graph")["stamps"], {"project": project})
        return {path: FileStamp(*rest) for path, *rest in rows}

    def put(self, project: str, files: Sequence[CodeFile], names: Collection[str] = ()) -> None:
        sql = statements("graph")
        with self._database.write(durable=False) as connection:
            connection.execute(sql["advance"], {"project": project})
            connection.execute(sql["stale_by_name"], {"project": project, "names": json.dumps(_hashes(names))})
            for file in files:
                _put_file(connection, project, file)

    def remove(self, project: str, paths: Collection[str], names: Collection[str] = ()) -> None:
        sql, named = statements("graph"), {"project": project, "paths": json.dumps(sorted(paths))}
        with self._database.write(durable=False) as connection:
            connection.execute(sql["advance"], {"project": project})
            connection.execute(sql["stale_by_name"], {"project": project, "names": json.dumps(_hashes(names))})
            connection.execute(sql["stale_by_removal"], named)
            connection.execute(sql["remove"], named)

    def restat(self, project: str, stamps: Mapping[str, FileStamp]) -> None:
        rows = [{"project": project, "path": path, **stamp._asdict()} for path, stamp in stamps.items()]
        with self._database.write(durable=False) as connection:
            connection.executemany(statements("graph")["restat"], rows)

    def move(self, project: str, file: CodeFile, lines: Mapping[int, int]) -> None:
        sql = statements("graph")
        with self._database.write(durable=False) as connection:
            connection.execute(sql["advance"], {"project": project})
            was_stale = connection.execute(sql["is_stale"], {"project": project, "path": file.path}).fetchone()
            id = _put_file(connection, project, file)
            moved = {"file": id, "lines": json.dumps({str(old): new for old, new in lines.items() if old != new})}
            for name in ("move_edges", "move_unresolved"):
                connection.execute(sql[name], moved)
            if was_stale is not None and not was_stale[0]:
                connection.execute(sql["not_stale"], {"file": id})

    def mark_stale(self, project: str, paths: Collection[str]) -> None:
        sql, named = statements("graph"), {"project": project, "paths": json.dumps(sorted(paths))}
        with self._database.write(durable=False) as connection:
            if connection.execute(sql["mark_stale"], named).rowcount:
                connection.execute(sql["advance"], {"project": project})

    def invalidate(self, project: str) -> None:
        with self._database.write(durable=False) as connection:
            connection.execute(statements("graph")["invalidate"], {"project": project})

    def stale(self, project: str) -> tuple[str, ...]:
        return tuple(row[0] for row in self._database.read_plain(statements("graph")["stale"], {"project": project}))

    def record(self, project: str, path: str) -> bytes | None:
        rows = self._database.read_plain(statements("graph")["record"], {"project": project, "path": path})
        return rows[0][0] if rows else None

    def resolve(self, project: str, resolved: Sequence[ResolvedFile], at: datetime) -> None:
        sql = statements("graph")
        with self._database.write(durable=False) as connection:
            connection.execute(sql["advance"], {"project": project})
            ids = dict(tuple(row) for row in connection.execute(sql["ids"], {"project": project}))
            for file in resolved:
                named = {"project": project, "path": file.path, "hash": file.hash}
                if connection.execute(sql["is_still"], named).fetchone():
                    _put_resolution(connection, file, ids)
            connection.execute(sql["indexed"], {"project": project, "at": stamp(at)})

    def add_edges(self, project: str, edges: Mapping[str, Sequence[CodeEdge]]) -> None:
        sql = statements("graph")
        with self._database.write(durable=False) as connection:
            connection.execute(sql["advance"], {"project": project})
            ids = dict(tuple(row) for row in connection.execute(sql["ids"], {"project": project}))
            for path, found in edges.items():
                if path in ids:
                    _add_edges(connection, path, found, ids)

    def keep_folders(self, project: str, folders: str) -> None:
        with self._database.write(durable=False) as connection:
            connection.execute(statements("graph")["keep_folders"], {"project": project, "folders": folders})

    def configuration(self, project: str) -> str:
        rows = self._database.read_plain(statements("graph")["configuration"], {"project": project})
        return str(rows[0][0]) if rows else ""

    def configure(self, project: str, hash: str) -> None:
        with self._database.write(durable=False) as connection:
            connection.execute(statements("graph")["advance"], {"project": project})
            connection.execute(statements("graph")["configure"], {"project": project, "hash": hash})

    def put_co_changes(
        self, project: str, commit: str, files: Mapping[str, tuple[int, float]], pairs: Sequence[CoChangedFiles]
    ) -> None:
        sql, named = statements("graph"), {"project": project, "commit": commit}
        with self._database.write(durable=False) as connection:
            connection.execute(sql["put_counted_commit"], named)
            connection.execute(sql["clear_changes"], named)
            connection.execute(sql["clear_co_changes"], named)
            connection.executemany(sql["put_changes"], [(project, path, *counts) for path, counts in files.items()])
            connection.executemany(sql["put_co_changes"], [(project, *pair) for pair in pairs])


def _put_file(connection: Connection, project: str, file: CodeFile) -> int:
    sql = statements("graph")
    # Before the file is replaced: the statement compares the new interface with the stored one.
    about = {"project": project, "path": file.path, "interface": file.stamp.interface}
    connection.execute(sql["stale_by_interface"], about)
    read = {"language": file.language, "lines": file.lines, "record": file.record}
    row = {**read, **file.stamp._asdict(), **about, "entry_points": json.dumps(file.entry_points)}
    [id] = connection.execute(sql["put_file"], row).fetchone()
    connection.execute(sql["clear_symbols"], {"file": id})
    connection.executemany(sql["put_symbol"], [(id, *s, s.name.rpartition(".")[2]) for s in file.symbols])
    return int(id)


def _put_resolution(connection: Connection, file: ResolvedFile, ids: Mapping[str, int]) -> None:
    sql, id = statements("graph"), ids[file.path]
    for name in _CLEAR:
        connection.execute(sql[name], {"file": id})
    # A target that another process removed meanwhile made this file stale again, so that it is resolved once more.
    edges = [(id, e.source, ids[e.target_path], *e[3:]) for e in file.edges if e.target_path in ids]
    connection.executemany(sql["put_edge"], edges)
    connection.executemany(
        sql["put_file_edge"], [(ids[path], id, types) for path, types in _between_files(file.path, file.edges, ids)]
    )
    connection.executemany(sql["put_unresolved"], [(id, *name) for name in file.unresolved])
    connection.executemany(sql["put_consulted"], [(ids[path], id) for path in file.consulted if path in ids])
    connection.executemany(sql["put_lookup"], [(hash, id) for hash in _hashes(file.lookups)])
    connection.execute(sql["settle"], {"file": id, "external": file.external})


def _add_edges(connection: Connection, path: str, edges: Sequence[CodeEdge], ids: Mapping[str, int]) -> None:
    sql, id = statements("graph"), ids[path]
    rows = [(id, e.source, ids[e.target_path], *e[3:]) for e in edges if e.target_path in ids]
    connection.executemany(sql["add_edge"], rows)
    # A change of a target makes this file stale, even if its own resolution never looked at the target.
    connection.executemany(sql["put_consulted"], [(row[2], id) for row in rows if row[2] != id])
    known = connection.execute(sql["edges_between"], {"file": id})
    stored = [CodeEdge(path, "", target, "", type, confidence, 0) for target, type, confidence in known]
    connection.execute(sql["clear_file_edges"], {"file": id})
    joined = [(ids[target], id, types) for target, types in _between_files(path, stored, ids)]
    connection.executemany(sql["put_file_edge"], joined)


def _between_files(path: str, edges: Iterable[CodeEdge], ids: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """Yields the other files that a file depends on, each with the types of the edges and their best confidence."""
    best: dict[str, dict[str, str]] = {}
    for edge in edges:
        if edge.target_path in ids and edge.target_path != path:
            types = best.setdefault(edge.target_path, {})
            types[edge.type] = min(edge.confidence, types.get(edge.type, CONFIDENCES[-1]), key=CONFIDENCES.index)
    for target, types in best.items():
        yield target, ",".join(f"{type} {confidence}" for type, confidence in sorted(types.items()))


def _hashes(names: Collection[str]) -> list[int]:
    """Returns short hashes: there are millions of names, and two with the same hash only cost time."""
    return sorted({zlib.crc32(name.encode("utf-8", "surrogatepass")) for name in names})
