"""Writes the vectors of passages on SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from holdfast.core.vector_size import VectorSize
from holdfast.store.sqlite.sqlite_statements import statements
from holdfast.store.sqlite.traits import put_bag
from holdfast.store.vectors.four_bits import pack

if TYPE_CHECKING:
    from holdfast.core.document import Chunk
    from holdfast.core.embedding import Embedding
    from holdfast.core.memory import Memory
    from holdfast.store.writing.memories import EmbedNow

# The columns of a passage that say which vector it has: the number of its embedder, and its size.
Mark = Mapping[str, int | None]
_NO_VECTOR: Mark = {"embedder": None, "size": 0}


class EmbeddedAhead:
    """Embeds passages before a transaction; inside it, embeds only those that were not expected."""

    def __init__(self, embed: EmbedNow, owners: Sequence[Memory | Chunk]) -> None:
        self._embed = embed
        self._made = self._embedded(owners)

    def __call__(self, owners: Sequence[Memory | Chunk]) -> Sequence[Embedding]:
        self._made |= self._embedded([owner for owner in owners if owner.id not in self._made])
        # None or all: the model may have failed in between.
        made = [self._made[owner.id] for owner in owners if owner.id in self._made]
        return made if len(made) == len(owners) else ()

    def _embedded(self, owners: Sequence[Memory | Chunk]) -> dict[str, Embedding]:
        return dict(zip((owner.id for owner in owners), self._embed(owners), strict=False))


def marks_of(connection: sqlite3.Connection, embeddings: Sequence[Embedding | None]) -> list[Mark]:
    """The marks of passages that get these vectors."""
    numbers = {of.embedder: _number(connection, of) for of in {e.embedder: e for e in embeddings if e}.values()}
    return [{"embedder": numbers[e.embedder], "size": int(e.size)} if e else _NO_VECTOR for e in embeddings]


def mark_of_all(connection: sqlite3.Connection, embeddings: Sequence[Embedding]) -> Mark:
    """The mark of passages that all get vectors of one size, or none."""
    return marks_of(connection, embeddings[:1] or [None])[0]


def add_vectors(
    connection: sqlite3.Connection, passages: Sequence[int], embeddings: Sequence[Embedding | None]
) -> None:
    """Adds the vectors of new passages, which are marked already. Makes no word bags, to stay fast."""
    given = zip(passages, embeddings, marks_of(connection, embeddings), strict=True)
    rows = [_row(passage, embedding, mark) for passage, embedding, mark in given if embedding]
    connection.executemany(statements("writing")["insert_vector"], rows)


def add_vectors_by_owner(
    connection: sqlite3.Connection, owners: Sequence[str], embeddings: Sequence[Embedding], mark: Mark
) -> None:
    """Adds the vectors of new passages whose numbers are not known; none if there are no embeddings."""
    if embeddings:
        pairs = zip(owners, embeddings, strict=True)
        rows = [{**mark, "owner": owner, "vector": embedding.data} for owner, embedding in pairs]
        connection.executemany(statements("writing")["insert_vector_of"], rows)


def put_vector(connection: sqlite3.Connection, passage: int, embedding: Embedding) -> None:
    """Replaces the vector of a passage, unless its text has changed or it has a vector of a larger size."""
    sql = statements("writing")
    row = _row(passage, embedding, marks_of(connection, [embedding])[0])
    still = connection.execute(sql["says_still"], row).fetchone()
    if still is None or (still["embedder_id"] == row["embedder"] and still["vector_size"] > embedding.size):
        return
    if still["uncounted"] and embedding.size is not VectorSize.STATIC:
        put_bag(connection, passage, still)
    connection.execute(sql["delete_vector"], row)
    connection.execute(sql["insert_vector"], row)
    connection.execute(sql["mark_embedded"], row)


def put_sentences(connection: sqlite3.Connection, passage: int, embedding: Embedding) -> None:
    """Replaces the sentence vectors of a message, unless its text has changed or it has some of a larger size."""
    mark = marks_of(connection, [embedding])[0]
    packed = pack(embedding.data, embedding.dimensions)
    row = {"passage": passage, "vectors": packed, "said": embedding.said, **mark}
    connection.execute(statements("writing")["put_sentences"], row)


def drop_vectors_except(connection: sqlite3.Connection, embedder: str) -> tuple[int, tuple[int, ...]]:
    """Deletes the vectors of other models; returns how many, and the numbers of these models.

    Does nothing as long as there is no vector of `embedder`.
    """
    others = connection.execute(statements("writing")["other_embedders"], {"name": embedder}).fetchall()
    dropped = 0
    for row in others:
        parameters = {"embedder": row["id"]}
        dropped += connection.execute(statements("writing")["drop_vectors"], parameters).rowcount
        for name in ("empty_sentences", "unmark", "mark_emptied"):
            connection.execute(statements("writing")[name], parameters)
    return dropped, tuple(row["id"] for row in others)


def _row(passage: int, embedding: Embedding, mark: Mark) -> dict[str, Any]:
    return {"passage": passage, "vector": embedding.data, "said": embedding.said, **mark}


def _number(connection: sqlite3.Connection, embedding: Embedding) -> int:
    """The number of the embedder, which gets one with its first vector."""
    find, name = statements("reading")["embedder"], {"name": embedding.embedder}
    row = connection.execute(find, name).fetchone()
    if row is None or row["emptied"]:
        connection.execute(statements("writing")["insert_embedder"], {**name, "dimensions": embedding.dimensions})
        row = connection.execute(find, name).fetchone()
    return int(row["id"])
