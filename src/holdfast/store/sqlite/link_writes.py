"""The graph of documents on SQLite."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from holdfast.store.sqlite.sqlite_statements import statements
from holdfast.store.writing.links import DecisionRecord, DecisionText, DocumentLink, GraphNode, UnparsedDocument

if TYPE_CHECKING:
    import sqlite3

    from holdfast.store.sqlite.database import Database


class SqliteLinks:
    """`LinkWriting` and `RecordWriting` on SQLite."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def unread(self, project: str, limit: int) -> tuple[UnparsedDocument, ...]:
        sql = statements("links")
        with self._database.snapshot() as connection:
            rows = connection.execute(sql["unread"], {"project": project, "limit": limit}).fetchall()
            parameters = {"ids": json.dumps([row["id"] for row in rows])}
            texts: dict[str, list[str]] = {}
            for document, text in connection.execute(sql["texts"], parameters):
                texts.setdefault(document, []).append(text)
        return tuple(_unread(row, texts.get(row["id"], [])) for row in rows)

    def put(self, project: str, read: Sequence[tuple[UnparsedDocument, Sequence[tuple[str, str]]]]) -> None:
        sql = statements("links")
        with self._database.write(durable=False) as connection:
            documents = [{"id": one.id, "hash": one.hash} for one, _ in read]
            # Check again: another process may have deleted or replaced the document.
            still = {row[0] for one in documents for row in connection.execute(sql["is_still"], one)}
            own = [(one.id, pairs) for one, pairs in read if one.id in still]
            connection.executemany(sql["clear"], [{"id": id} for id, _ in own])
            rows = [{"project": project, "source": id, "target": t, "kind": k} for id, pairs in own for t, k in pairs]
            connection.executemany(sql["insert"], rows)
            connection.executemany(sql["mark_read"], documents)

    def graph(self, project: str) -> tuple[tuple[GraphNode, ...], tuple[DocumentLink, ...]]:
        sql, parameters = statements("links"), {"project": project}
        with self._database.snapshot() as connection:
            nodes = tuple(GraphNode(*row) for row in connection.execute(sql["nodes"], parameters))
            return nodes, tuple(DocumentLink(*row) for row in connection.execute(sql["links"], parameters))

    def related(self, project: str, id: str, limit: int) -> tuple[tuple[str, int], ...]:
        parameters = {"project": project, "id": id, "limit": limit}
        return tuple(map(tuple, self._database.read(statements("links")["related"], parameters)))

    def linked(self, id: str) -> tuple[tuple[str, str, bool], ...]:
        rows = self._database.read(statements("links")["linked"], {"id": id})
        return tuple((path, kind, bool(outgoing)) for path, kind, outgoing in rows)

    def records(self, project: str) -> tuple[DecisionRecord, ...]:
        return tuple(
            DecisionRecord(*row) for row in self._database.read(statements("links")["records"], {"project": project})
        )

    def telling(self, ids: Sequence[str]) -> Mapping[str, tuple[DecisionText, ...]]:
        found: dict[str, tuple[DecisionText, ...]] = {}
        for id, heading, text in self._database.read(statements("links")["telling"], {"ids": json.dumps(list(ids))}):
            found[id] = (*found.get(id, ()), DecisionText(tuple(json.loads(heading)), text))
        return found

    def decided(self, states: Mapping[str, str]) -> None:
        rows = [{"id": id, "decided": state} for id, state in states.items()]
        with self._database.write(durable=False) as connection:
            connection.executemany(statements("links")["mark_decided"], rows)

    def settle(self, links: Sequence[DocumentLink], nodes: Sequence[GraphNode]) -> None:
        if not links and not nodes:
            return
        sql = statements("links")
        with self._database.write(durable=False) as connection:
            connection.executemany(sql["resolve"], [link._asdict() for link in links])
            connection.executemany(sql["rank"], [node._asdict() for node in nodes])


def _unread(row: sqlite3.Row, texts: Sequence[str]) -> UnparsedDocument:
    return UnparsedDocument(row["id"], row["content_hash"], json.loads(row["front"]), "\n".join(texts))
