"""Writes documents on SQLite: the document, its chunks and their passages in one transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from holdfast.core.document import Chunk, Document, DocumentChunk, DocumentReport, FileStat
from holdfast.store.rows.document_rows import chunk_of, chunk_row, document_of, document_row, dump
from holdfast.store.sqlite.chunks import add_chunks, drop, put_bags
from holdfast.store.sqlite.cleaning_writes import give_back, held_back, hold_back
from holdfast.store.sqlite.passage_vectors import EmbeddedAhead
from holdfast.store.sqlite.sqlite_statements import statements
from holdfast.text.words import chunk_terms

if TYPE_CHECKING:
    from holdfast.store.sqlite.database import Database
    from holdfast.store.writing.memories import EmbedNow


class SqliteDocuments:
    """`DocumentWriting` on SQLite."""

    def __init__(self, database: Database, embed: EmbedNow) -> None:
        self._database = database
        self._embed = embed

    def put(self, document: Document, chunks: Sequence[Chunk]) -> DocumentReport:
        return self.put_all([(document, chunks)])[0]

    def put_all(self, documents: Sequence[tuple[Document, Sequence[Chunk]]]) -> tuple[DocumentReport, ...]:
        if not documents:
            return ()
        with self._database.snapshot() as connection:
            new = [chunk for change in _changes(connection, documents) for chunk in change.new]
        # Before the transaction, so that no other writer waits for it.
        embed = EmbeddedAhead(self._embed, new)
        with self._database.write(durable=False) as connection:
            project = documents[0][0].project
            cleaned = _cleaned(connection, project)
            # Read again: another process may have changed the documents.
            changes = _changes(connection, documents)
            for change in changes:
                if change.document.path in cleaned:
                    _hold_back(connection, change)
            _carry_out(connection, project, changes, embed)
        return tuple(change.report for change in changes)

    def remove(self, project: str, path: str) -> int | None:
        with self._database.write(durable=False) as connection:
            known = _known(connection, project, [path])
            return _remove(connection, project, known.values(), self._embed) if known else None

    def remove_all(self, project: str, paths: Sequence[str]) -> int:
        with self._database.write(durable=False) as connection:
            known = _known(connection, project, paths)
            _remove(connection, project, known.values(), self._embed)
            return len(known)

    def rename(self, project: str, old: str, new: str) -> bool:
        with self._database.write(durable=False) as connection:
            known = _known(connection, project, [old, new])
            if new in known or old not in known:
                return False
            sql = statements("documents")
            connection.execute(sql["rename_document"], {"id": known[old].id, "new": new})
            connection.execute(sql["rename_removed"], {"project": project, "old": old, "new": new})
            _rename_passages(connection, replace(known[old], path=new))
            return True

    def relabel(self, project: str, labels: Mapping[str, tuple[str | None, str | None]]) -> int:
        rows = [{"project": project, "path": path, "label": a, "doc_type": b} for path, (a, b) in labels.items()]
        return self._update("relabel", rows)

    def restat(self, project: str, stats: Mapping[str, tuple[int, int]]) -> int:
        rows = [{"project": project, "path": path, "size": a, "mtime_ns": b} for path, (a, b) in stats.items()]
        return self._update("restat", rows)

    def stats(self, project: str) -> Mapping[str, FileStat]:
        rows = self._database.read(statements("documents")["stats"], {"project": project})
        return {path: FileStat(*rest) for path, *rest in rows}

    def _update(self, name: str, rows: Sequence[Mapping[str, Any]]) -> int:
        with self._database.write(durable=False) as connection:
            return connection.executemany(statements("documents")[name], rows).rowcount if rows else 0


@dataclass(slots=True)
class _DocumentChange:
    """The change of one document: new chunks, chunks that only move, and the ids of chunks to delete."""

    document: Document
    is_new: bool
    new: list[Chunk] = field(default_factory=list)
    moved: list[Chunk] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)

    @property
    def report(self) -> DocumentReport:
        return DocumentReport(self.document, len(self.new), len(self.moved), len(self.gone))


def _changes(
    connection: sqlite3.Connection, documents: Sequence[tuple[Document, Sequence[Chunk]]]
) -> list[_DocumentChange]:
    """What storing these documents of one project changes."""
    known = _known(connection, documents[0][0].project, [document.path for document, _ in documents])
    old = _chunks(connection, known.values())
    return [_change(document, chunks, known.get(document.path), old) for document, chunks in documents]


def _change(
    document: Document, chunks: Sequence[Chunk], known: Document | None, old: Mapping[str, Sequence[Chunk]]
) -> _DocumentChange:
    if known is None:
        return _DocumentChange(document, True, list(chunks))
    change = _DocumentChange(_as_used(document, known), False)
    _match(change, chunks, old.get(known.id, ()), same_type=known.type == document.type)
    return change


def _match(change: _DocumentChange, chunks: Sequence[Chunk], old: Sequence[Chunk], *, same_type: bool) -> None:
    """Matches each chunk with an old one of the same text and headings, if there is one."""
    free: dict[tuple[tuple[str, ...], str], list[Chunk]] = {}
    for chunk in reversed(old if same_type else ()):
        free.setdefault((chunk.heading, chunk.text), []).append(chunk)
    for chunk in chunks:
        twins = free.get((chunk.heading, chunk.text))
        if twins:
            change.moved.append(replace(chunk, id=twins.pop().id))
        else:
            change.new.append(chunk)
    stay = {chunk.id for chunk in change.moved}
    change.gone = [chunk.id for chunk in old if chunk.id not in stay]


def _hold_back(connection: sqlite3.Connection, change: _DocumentChange) -> None:
    """Leaves out chunks that cleaning removed before and that have not changed."""
    document, held, new = change.document, list[Chunk](), list[Chunk]()
    out = held_back(connection, document.project, document.path)
    for chunk in change.new:
        left = out.get(chunk.hash, 0)
        out[chunk.hash] = left - 1
        (held if left > 0 else new).append(chunk)
    change.document, change.new = replace(document, deprecated=document.deprecated or document.hash in out), new
    hold_back(connection, document, held)


def _carry_out(
    connection: sqlite3.Connection, project: str, changes: Sequence[_DocumentChange], embed: EmbedNow
) -> None:
    sql = statements("documents")
    connection.executemany(
        sql["insert_document"], [document_row(change.document) for change in changes if change.is_new]
    )
    connection.executemany(sql["update_document"], [document_row(c.document) for c in changes if not c.is_new])
    moved = [chunk_row(change.document, chunk) for change in changes for chunk in change.moved]
    connection.executemany(sql["move_chunk"], moved)
    _drop(connection, project, [id for change in changes for id in change.gone], embed)
    new = [DocumentChunk(change.document, chunk) for change in changes for chunk in change.new]
    add_chunks(connection, new, embed)


def _remove(connection: sqlite3.Connection, project: str, documents: Iterable[Document], embed: EmbedNow) -> int:
    """Deletes documents; returns how many chunks they had."""
    documents = list(documents)
    chunks = [chunk.id for own in _chunks(connection, documents).values() for chunk in own]
    _drop(connection, project, chunks, embed)
    connection.executemany(statements("documents")["delete_document"], [{"id": one.id} for one in documents])
    return len(chunks)


def _drop(connection: sqlite3.Connection, project: str, chunks: Sequence[str], embed: EmbedNow) -> None:
    drop(connection, chunks)
    give_back(connection, project, chunks, embed)


def _rename_passages(connection: sqlite3.Connection, document: Document) -> None:
    sql = statements("documents")
    rows = connection.execute(sql["chunks_of_all"], {"documents": dump([document.id])}).fetchall()
    numbered = [(row["passage_id"], DocumentChunk(document, chunk_of(row, document.path))) for row in rows]
    passages = [_place_of(*one) for one in numbered]
    connection.execute(sql["rename_passages"], {"rows": dump(passages)})
    connection.executemany(sql["rename_passage_file"], passages)
    put_bags(connection, numbered)


def _place_of(number: int, part: DocumentChunk) -> dict[str, Any]:
    text, heading, path = part.chunk.text, part.chunk.heading, part.document.path
    return {"passage": number, "path": path, "terms": chunk_terms(text, heading, path)}


def _known(connection: sqlite3.Connection, project: str, paths: Sequence[str]) -> dict[str, Document]:
    parameters = {"project": project, "paths": dump(list(paths))}
    rows = connection.execute(statements("documents")["documents_at"], parameters)
    return {document.path: document for document in map(document_of, rows)}


def _chunks(connection: sqlite3.Connection, documents: Iterable[Document]) -> dict[str, list[Chunk]]:
    """The chunks of documents, by the document's id, in order."""
    paths = {document.id: document.path for document in documents}
    found: dict[str, list[Chunk]] = {}
    if paths:
        parameters = {"documents": dump(list(paths))}
        for row in connection.execute(statements("documents")["chunks_of_all"], parameters):
            found.setdefault(row["document_id"], []).append(chunk_of(row, paths[row["document_id"]]))
    return found


def _cleaned(connection: sqlite3.Connection, project: str) -> frozenset[str]:
    """The paths of documents with chunks that cleaning removed."""
    rows = connection.execute(statements("documents")["removed"], {"project": project})
    return frozenset(row["path"] for row in rows)


def _as_used(document: Document, known: Document) -> Document:
    """The new document with the id and usage of the known one."""
    return replace(
        document,
        id=known.id,
        confidence=known.confidence,
        access_count=known.access_count,
        last_accessed_at=known.last_accessed_at,
        pagerank=known.pagerank,
        superseded_by=known.superseded_by,
    )
