"""Cleaning on SQLite: what is taken out is written down first, so that it can be put back."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from holdfast.core.clock import stamp, unstamp
from holdfast.core.document import Chunk, Document, DocumentChunk, RestoredDocuments
from holdfast.store.rows.documents import chunk_of, chunk_row, document_chunk_of, document_of, dump
from holdfast.store.sqlite.chunks import add_chunks, drop
from holdfast.store.sqlite.statements import statements
from holdfast.store.writing.cleaning import DuplicatePair

if TYPE_CHECKING:
    from holdfast.store.sqlite.database import Database


class SqliteCleaning:
    """The writing face for cleaning."""

    def __init__(self, database: Database) -> None:
        self._database = database

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
        given = {"project": project, "run": run, "at": stamp(at)}
        with self._database.write(durable=True) as connection:
            _take_chunks(connection, given, chunks)
            for id, why in documents:
                _hide(connection, {**given, "why": why}, id)

    def put_back(self, project: str) -> RestoredDocuments | None:
        sql, given = statements("cleaning"), {"project": project}
        with self._database.write(durable=True) as connection:
            run = connection.execute(sql["latest_run"], given).fetchone()
            if run is None:
                return None
            rows = connection.execute(sql["of_run"], {**given, "run": run["run"]}).fetchall()
            chunks, documents = _restore(connection, project, rows)
            return RestoredDocuments(run["run"], unstamp(run["at"]), chunks, documents)


def held_back(connection: sqlite3.Connection, project: str, path: str) -> dict[str, int]:
    """What stays out of a document while it says the same: hashes, and how often each."""
    found: dict[str, int] = {}
    for row in connection.execute(statements("cleaning")["of_document"], {"project": project, "path": path}):
        found[row["hash"]] = found.get(row["hash"], 0) + 1
    return found


def hold_back(connection: sqlite3.Connection, document: Document, chunks: Sequence[Chunk]) -> None:
    """Notes where the chunks stand that stay out of a document; what it no longer says is forgotten."""
    sql = statements("cleaning")
    still: dict[str, list[Chunk]] = {}
    for chunk in reversed(chunks):
        still.setdefault(chunk.hash, []).append(chunk)
    given = {"project": document.project, "path": document.path}
    for row in connection.execute(sql["of_document"], given).fetchall():
        if own := still.get(row["hash"]):
            kept = {"id": row["id"], "document_hash": document.hash, "chunk": _chunk(document, own.pop())}
            connection.execute(sql["keep"], kept)
        elif not (row["whole"] and row["hash"] == document.hash):
            connection.execute(sql["forget"], {"id": row["id"]})


def give_back(connection: sqlite3.Connection, project: str, gone: Iterable[str]) -> None:
    """Puts back the chunks whose twins are gone: nobody else says what they say any more."""
    rows = connection.execute(statements("cleaning")["without_twin"], {"ids": dump(list(gone))}).fetchall()
    if rows:
        _restore(connection, project, rows)


def _take_chunks(connection: sqlite3.Connection, given: dict[str, Any], twins: Sequence[DuplicatePair]) -> None:
    sql = statements("documents")
    stays = {twin.gone: twin.stays for twin in twins}
    rows = connection.execute(sql["chunks"], {"ids": dump(list(stays))})
    for document, chunk in map(document_chunk_of, rows.fetchall()):
        place = {"path": document.path, "hash": chunk.hash, "document_hash": document.hash}
        row = {**given, **place, "why": "duplicate", "twin": stays[chunk.id], "chunk": _chunk(document, chunk)}
        connection.execute(statements("cleaning")["insert"], row)
    drop(connection, stays)


def _hide(connection: sqlite3.Connection, given: dict[str, Any], id: str) -> None:
    sql = statements("cleaning")
    row = connection.execute(sql["document"], {"id": id}).fetchone()
    if row is not None:
        document = document_of(row)
        place = {"path": document.path, "hash": document.hash, "document_hash": document.hash}
        connection.execute(sql["insert"], {**given, **place, "twin": None, "chunk": None})
        connection.execute(sql["hide"], {"id": id, "deprecated": 1})


def _restore(connection: sqlite3.Connection, project: str, rows: Sequence[sqlite3.Row]) -> tuple[int, int]:
    """Puts back what rows tell of, where the document is still the one it was taken from; says how much."""
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
    add_chunks(connection, back)
    return len(back), shown


def _chunk(document: Document, chunk: Chunk) -> str:
    return dump({name: value for name, value in chunk_row(document, chunk).items() if name != "document_id"})


def _as_chunk(path: str, row: dict[str, Any]) -> Chunk:
    place = (row["start_at"], row["end_at"], row["line"], row["end_line"])
    return Chunk(row["id"], path, row["ordinal"], tuple(json.loads(row["heading"])), row["text"], *place)
