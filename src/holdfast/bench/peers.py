"""The same work with another vector store: the same texts and vectors, on disk, in this process."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from holdfast.bench import corpus as corpus_
from holdfast.bench.corpus import Note
from holdfast.bench.measure import (
    Measurement,
    bytes_under,
    milliseconds,
    rate,
    resident_megabytes,
    seconds_of,
    seconds_of_each,
)

if TYPE_CHECKING:
    from holdfast.bench.corpus import Vectors

INSTALL = {"chromadb": "pip install 'holdfast[bench]'", "lancedb": "pip install lancedb"}
_HITS = 8


class Peer(Protocol):
    """The operations that are measured."""

    def add(self, first: int, notes: Sequence[Note], vectors: Vectors) -> None: ...
    def search(self, vector: Vectors, **where: str) -> Any: ...


def is_installed(peer: str) -> bool:
    return find_spec(peer) is not None


def measure_chromadb(folder: Path, samples: int) -> list[Measurement]:
    return _measure(_Chroma, folder, samples)


def measure_lancedb(folder: Path, samples: int) -> list[Measurement]:
    return _measure(_Lance, folder, samples)


def _measure(make: Callable[[Path], Peer], folder: Path, samples: int) -> list[Measurement]:
    corpus, vectors = corpus_.load(folder)
    before = resident_megabytes()
    home = Path(tempfile.mkdtemp(dir=folder))
    peer = make(home)
    added = seconds_of(lambda: peer.add(0, corpus.notes, vectors["notes"]))
    disk = bytes_under(home) / len(corpus.notes)
    queries = list(zip(vectors["questions"], corpus.notes, strict=False))[:samples]
    one_by_one = list(zip(range(len(corpus.notes), 10**9), corpus.more, vectors["more"], strict=False))[:samples]
    searched = {
        "search by vector only": _each(lambda vector, note: peer.search(vector), queries),
        "search within one type": _each(lambda vector, note: peer.search(vector, type=note.type), queries),
        "search within one file": _each(lambda vector, note: peer.search(vector, file=note.file), queries),
        "add one, with its vector": _each(lambda at, note, row: peer.add(at, [note], row[None]), one_by_one),
    }
    return [
        rate("add all, with vectors", len(corpus.notes), added),
        *(milliseconds(name, seconds) for name, seconds in searched.items()),
        Measurement("resident memory", resident_megabytes() - before, None, "MB"),
        Measurement("disk per memory", disk, None, "bytes"),
    ]


def _each(act: Callable[..., Any], calls: Sequence[tuple[Any, ...]]) -> list[float]:
    """Times a call for each item after one warm-up call."""
    act(*calls[0])
    return seconds_of_each(lambda arguments: act(*arguments), calls[1:] or calls)


class _Chroma:
    def __init__(self, home: Path) -> None:
        import chromadb
        from chromadb.config import Settings

        client = chromadb.PersistentClient(str(home), settings=Settings(anonymized_telemetry=False))
        self._most: int = client.get_max_batch_size()
        self._collection: Any = client.create_collection(
            "memories", embedding_function=None, configuration={"hnsw": {"space": "cosine"}}
        )

    def add(self, first: int, notes: Sequence[Note], vectors: Vectors) -> None:
        for at in range(0, len(notes), self._most):
            these = notes[at : at + self._most]
            self._collection.add(
                ids=[str(first + at + i) for i in range(len(these))],
                embeddings=vectors[at : at + self._most],
                documents=[note.text for note in these],
                metadatas=[_about(note) for note in these],
            )

    def search(self, vector: Vectors, **where: str) -> Any:
        return self._collection.query(query_embeddings=[vector], n_results=_HITS, where=where or None)


class _Lance:
    def __init__(self, home: Path) -> None:
        import lancedb

        self._db: Any = lancedb.connect(str(home))
        self._table: Any = None

    def add(self, first: int, notes: Sequence[Note], vectors: Vectors) -> None:
        rows = list(_rows(first, notes, vectors))
        if self._table is None:
            self._table = self._db.create_table("memories", data=rows)
        else:
            self._table.add(rows)

    def search(self, vector: Vectors, **where: str) -> Any:
        query = self._table.search(vector).distance_type("cosine").limit(_HITS)
        for name, value in where.items():
            query = query.where(f"{name} = '{value}'", prefilter=True)
        return query.to_list()


def _rows(first: int, notes: Sequence[Note], vectors: Vectors) -> Iterable[dict[str, Any]]:
    for at, (note, vector) in enumerate(zip(notes, vectors, strict=True)):
        yield {"id": str(first + at), "text": note.text, "vector": vector, **_about(note)}


def _about(note: Note) -> dict[str, str]:
    return {"type": note.type, "file": note.file, "tags": " ".join(note.tags)}
