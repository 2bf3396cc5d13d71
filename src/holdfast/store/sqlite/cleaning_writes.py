"""Removes and restores chunks and documents on SQLite; everything removed is recorded first."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from holdfast.core.clock import stamp, stored_time
from holdfast.core.document import Chunk, Document, DocumentChunk, RestoredDocuments
from holdfast.store.rows.document_rows import chunk_of, chunk_row, document_chunk_of, document_of, dump
from holdfast.store.sqlite.chunks import add_chunks, drop
from holdfast.store.sqlite.sqlite_statements import statements
from holdfast.store.writing.cleaning import DuplicatePair

if TYPE_CHECKING:
    from holdfast.store.sqlite.database import Database
    from holdfast.store.writing.memories import EmbedNow


class SqliteCleaning:
    """`CleaningWriting` on SQLite."""

    def __init__(self, database: Database, embed: EmbedNow) -> None:
        self._database = database
        self._embed = embed

    def chunks(self, project: str) -> tuple[tuple[int, Chunk, Document], ...]:
        rows = self._database.read(statements("cleaning")["chunks"], {"project": project})
        documents = {row["document_id"]: row for row in rows}
        known = {id: document_of(row) for id, row in documents.items()}
        return tuple((row["passage_id"], chunk_of(row, row["path"]), known[row["document_id"]]) for row in rows)

    def take_out(
        self,
        project: str,
        run: str,
        at: datetime,
        chunks: Sequence[DuplicatePair],
        documents: Sequence[tuple[str, str]],
    ) -> None:
        parameters = {"project": project, "run": run, "at": stamp(at)}
        with self._database.write(durable=True) as connection:
            _take_chunks(connection, parameters, chunks)
            for id, why in documents:
                _hide(connection, {**parameters, "why": why}, id)

    def put_back(self, project: str) -> RestoredDocuments | None:
        sql, parameters = statements("cleaning"), {"project": project}
        with self._database.write(durable=True) as connection:
            run = connection.execute(sql["latest_run"], parameters).fetchone()
            if run is None:
                return None
            rows = connection.execute(sql["of_run"], {**parameters, "run": run["run"]}).fetchall()
            chunks, documents = _restore(connection, project, rows, self._embed)
            return RestoredDocuments(run["run"], stored_time(run["at"]), chunks, documents)


def held_back(connection: sqlite3.Connection, project: str, path: str) -> dict[str, int]:
    """The hashes of removed chunks of a document, which stay removed, and how often each occurs."""
    found: dict[str, int] = {}
    for row in connection.execute(statements("cleaning")["of_document"], {"project": project, "path": path}):
        found[row["hash"]] = found.get(row["hash"], 0) + 1
    return found


def hold_back(connection: sqlite3.Connection, document: Document, chunks: Sequence[Chunk]) -> None:
    """Updates the positions of chunks that stay removed; forgets those the document no longer contains."""
    sql = statements("cleaning")
    still: dict[str, list[Chunk]] = {}
    for chunk in reversed(chunks):
        still.setdefault(chunk.hash, []).append(chunk)
    parameters = {"project": document.project, "path": document.path}
    for row in connection.execute(sql["of_document"], parameters).fetchall():
        if own := still.get(row["hash"]):
            kept = {"id": row["id"], "document_hash": document.hash, "chunk": _chunk(document, own.pop())}
            connection.execute(sql["keep"], kept)
        elif not (row["whole"] and row["hash"] == document.hash):
            connection.execute(sql["forget"], {"id": row["id"]})


def give_back(connection: sqlite3.Connection, project: str, gone: Iterable[str], embed: EmbedNow) -> None:
    """Restores the chunks whose duplicates were deleted: no other chunk has their content now."""
    rows = connection.execute(statements("cleaning")["without_twin"], {"ids": dump(list(gone))}).fetchall()
    if rows:
        _restore(connection, project, rows, embed)


def _take_chunks(connection: sqlite3.Connection, parameters: dict[str, Any], twins: Sequence[DuplicatePair]) -> None:
    sql = statements("documents")
    stays = {twin.gone: twin.stays for twin in twins}
    rows = connection.execute(sql["chunks"], {"ids": dump(list(stays))})
    for document, chunk in map(document_chunk_of, rows.fetchall()):
        place = {"path": document.path, "hash": chunk.hash, "document_hash": document.hash}
        row = {**parameters, **place, "why": "duplicate", "twin": stays[chunk.id], "chunk": _chunk(document, chunk)}
        connection.execute(statements("cleaning")["insert"], row)
    drop(connection, stays)


def _hide(connection: sqlite3.Connection, parameters: dict[str, Any], id: str) -> None:
    sql = statements("cleaning")
    row = connection.execute(sql["document"], {"id": id}).fetchone()
    if row is not None:
        document = document_of(row)
        place = {"path": document.path, "hash": document.hash, "document_hash": document.hash}
        connection.execute(sql["insert"], {**parameters, **place, "twin": None, "chunk": None})
        connection.execute(sql["hide"], {"id": id, "deprecated": 1})


def _restore(
    connection: sqlite3.Connection, project: str, rows: Sequence[sqlite3.Row], embed: EmbedNow
) -> tuple[int, int]:
    """Restores removed chunks and hidden documents, if the document is unchanged; returns how many of each."""
    sql, back, shown = statements("cleaning"), list[DocumentChunk](), 0
    for row in rows:
        connection.execute(sql["forget"], {"id": row["id"]})
        found = connection.execute(
            statements("documents")["document"], {"project": project, "path": row["path"]}
        ).fetchone()
        document = document_of(found) if found else None
        if document is None or document.hash != row["document_hash"]:
            continue
        if row["chunk"] is None:
            shown += connection.execute(sql["hide"], {"id": document.id, "deprecated": 0}).rowcount
        else:
            back.append(DocumentChunk(document, _as_chunk(row["path"], json.loads(row["chunk"]))))
    add_chunks(connection, back, embed)
    return len(back), shown


def _chunk(document: Document, chunk: Chunk) -> str:
    return dump({name: value for name, value in chunk_row(document, chunk).items() if name != "document_id"})


def _as_chunk(path: str, row: dict[str, Any]) -> Chunk:
    place = (row["start_at"], row["end_at"], row["line"], row["end_line"])
    return Chunk(row["id"], path, row["ordinal"], tuple(json.loads(row["heading"])), row["text"], *place)
