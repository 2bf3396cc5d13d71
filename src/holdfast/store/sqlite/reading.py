"""The reading face on SQLite."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from holdfast.core.answer import Filters
from holdfast.core.clock import stamp, unstamp
from holdfast.core.errors import NotFound
from holdfast.store import word_planning
from holdfast.store.reading import (
    DocumentStanding,
    Factors,
    Lease,
    MemoryEvent,
    PendingPassage,
    SessionSpan,
    Traits,
    TypeCount,
)
from holdfast.store.rows.memories import event_of, memory_of, parameters_of
from holdfast.store.sqlite.statements import statements
from holdfast.store.sqlite.vocabulary import Vocabulary
from holdfast.store.word_planning import (
    bm25_weight,
    estimated_count,
    is_cheap,
    most_together,
    rarest,
    summed_rarity,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from holdfast.core.document import Chunk, Document, DocumentChunk
    from holdfast.core.memory import Memory
    from holdfast.store.sqlite.database import Database
    from holdfast.store.vectors.index import VectorIndex
    from holdfast.store.word_planning import CountedWords

# Words are counted anew when the store has grown by one in so many.
_COUNT_AGAIN_AFTER = 100
# How many times the number asked for is taken from the nearest before filters that only rows can answer.
_MORE = 8

# Found together less often, two files are not bound: one answer may put anything side by side.
_TOGETHER_AT_LEAST = 3


class SqliteReading:
    """Reads memories, passages, vectors and the state of the store."""

    def __init__(self, database: Database, now: Callable[[], datetime]) -> None:
        self._database = database
        self._now = now
        self._indexes: dict[str, VectorIndex] = {}
        self._lock = threading.Lock()
        self._frequencies: dict[str, int] = {}
        self._counted_at = -1
        self._newest = 0
        self._rarely_found: set[str] = set()
        self._vocabulary = Vocabulary(database)

    def memory(self, id: str) -> Memory | None:
        rows = self._rows("memory", {"id": id})
        return memory_of(rows[0]) if rows else None

    def resolve(self, project: str, id: str) -> str:
        wanted = id.strip().removeprefix("#").lower()
        known = self.memory(wanted)
        if known is not None and known.project == project:
            return wanted
        if len(wanted) < 4:
            raise NotFound(f"memory {id!r}", hint="Give at least the last four characters of its id.")
        given = {"ending": wanted, "project": project}
        # Why twice: the ends of messages' ids are not indexed.
        found = (self._rows("ids_ending", given) if len(wanted) == 8 else []) or self._rows("ids_like", given)
        if not found:
            raise NotFound(f"memory {id!r} in this project")
        if len(found) > 1:
            raise NotFound(f"more than one memory ends in {id!r}", hint="Give more characters of the id.")
        return str(found[0]["id"])

    def memories(
        self, project: str, filters: Filters, *, order: str = "newest", limit: int = 100, offset: int = 0
    ) -> tuple[Memory, ...]:
        given = {**self._filter(project, filters), "order": order, "limit": limit, "offset": offset}
        return tuple(memory_of(row) for row in self._rows("list", given))

    def count(self, project: str, filters: Filters) -> int:
        return int(self._rows("count", self._filter(project, filters))[0][0])

    def latest(self, project: str, type: str, limit: int) -> tuple[Memory, ...]:
        given = {"project": project, "type": type, "limit": limit}
        return tuple(map(memory_of, self._rows("latest", given)))

    def twins(self, project: str, hash: str) -> tuple[Memory, ...]:
        return tuple(memory_of(row) for row in self._rows("twins", {"project": project, "hash": hash}))

    def successors(self, memory: Memory) -> tuple[Memory, ...]:
        given = {"project": memory.project, "id": memory.id}
        return tuple(memory_of(row) for row in self._rows("successors", given))

    def events(self, id: str) -> tuple[MemoryEvent, ...]:
        return tuple(map(event_of, self._rows("events", {"id": id})))

    def find_words(
        self,
        project: str,
        words: Sequence[str],
        filters: Filters,
        limit: int,
        *,
        effort: int = 2_000,
        bm25: bool = True,
    ) -> tuple[tuple[int, float], ...]:
        if not words:
            return ()
        counted = sorted((count, _quoted(word)) for word, count in self.frequencies(words).items())
        rare = rarest(counted, effort)
        look = self._any_of if bm25 else self._most_of
        found = look(project, rare, filters, limit) if rare else {}
        common = counted[len(rare) :]
        if common and (not found or sum(count for count, _ in rare) < limit):
            # Why only now: looking for common words costs much and tells little.
            together = self._all_of(project, common, filters, limit, effort if bm25 else 0)
            found = {**together, **found}
        return tuple(sorted(found.items(), key=lambda one: -one[1])[:limit])

    def frequencies(self, words: Sequence[str]) -> Mapping[str, int]:
        self._count_anew_when_grown()
        return {word: self._frequency(_quoted(word)) for word in words}

    def passages_count(self) -> int:
        # Why from the index: it keeps the number, where counting would read a page for every few hundred passages.
        return _first_number(self._rows("index_totals", {})[0][0])

    def spelt_like(self, word: str, limit: int = 3) -> tuple[str, ...]:
        # Why asked first: a word that was counted stands somewhere, and most words of a question were counted before.
        return () if self._frequencies.get(_quoted(word)) else self._vocabulary.like(word, limit)

    def find_substring(self, project: str, text: str, filters: Filters, limit: int) -> tuple[int, ...]:
        given = {**self._filter(project, filters), "text": text, "limit": limit}
        return tuple(row["id"] for row in self._rows("substring", given))

    def find_near(
        self, project: str, embedder: str, vector: NDArray[np.float32], filters: Filters, limit: int
    ) -> tuple[tuple[int, float], ...]:
        index = self._index(embedder, len(vector))
        if index is None:
            return ()
        from holdfast.store.vectors.search import Partition

        about = self._about(project, filters) if filters.files else None
        place = Partition(project, filters.types, filters.include_forgotten or filters.as_of is not None)
        if not _needs_rows(filters):
            return index.search(vector, place, about, limit)
        near = index.search(vector, place, about, limit * _MORE)
        passing = {factors.passage for factors in self.factors(project, [passage for passage, _ in near], filters)}
        kept = tuple(found for found in near if found[0] in passing)[:limit]
        if len(kept) == limit or len(near) < limit * _MORE:
            return kept
        # Why only now: reading every row that passes is slow, and most filters let enough of the nearest through.
        allowed = [row["id"] for row in self._rows("allowed", self._filter(project, filters))]
        return index.search(vector, place, allowed, limit)

    def similar(self, embedder: str, vector: NDArray[np.float32], passages: Sequence[int]) -> Mapping[int, float]:
        index = self._index(embedder, len(vector))
        return {} if index is None else index.similar(vector, passages)

    def vectors(self, embedder: str, passages: Sequence[int]) -> Mapping[int, NDArray[np.float32]]:
        import numpy as np

        given = {"embedder": self._number(embedder), "ids": json.dumps(list(passages))}
        return {row[0]: np.frombuffer(row[1], "<f2").astype(np.float32) for row in self._rows("vectors", given)}

    def session_vectors(
        self, embedder: str, project: str, sessions: Sequence[str]
    ) -> Mapping[str, NDArray[np.float32]]:
        import numpy as np

        given = {"embedder": self._number(embedder), "project": project, "sessions": json.dumps(list(sessions))}
        said: dict[str, list[NDArray[np.float32]]] = {}
        for session, vector in self._rows("session_vectors", given):
            said.setdefault(session, []).append(np.frombuffer(vector, "<f2").astype(np.float32))
        sums = {session: np.sum(vectors, axis=0) for session, vectors in said.items()}
        return {session: total / max(float(np.linalg.norm(total)), 1e-9) for session, total in sums.items()}

    def codes(self, embedder: str, passages: Sequence[int]) -> Mapping[int, tuple[bytes, bytes]]:
        given = {"embedder": self._number(embedder), "ids": json.dumps(list(passages))}
        return {passage: (views, tokens) for passage, views, tokens in self._plain("codes", given)}

    def within(self, project: str, since: datetime, until: datetime, filters: Filters, limit: int) -> tuple[int, ...]:
        given = {**self._filter(project, filters), "from": stamp(since), "to": stamp(until), "limit": limit}
        return tuple(row[0] for row in self._rows("within", given))

    def lacking_vector(self, embedder: str, passages: Sequence[int]) -> frozenset[int]:
        index = self._indexes.get(embedder)
        return frozenset(passages) if index is None else index.lacking(passages)

    def traits(self, passages: Sequence[int]) -> Traits:
        rows = self._plain("traits", {"ids": json.dumps(list(passages))})
        if len(rows) < len(passages):
            rows += self._uncounted(set(passages).difference(row[0] for row in rows))
        return Traits(*zip(*rows, strict=True)) if rows else Traits((), (), (), (), ())

    def factors(self, project: str, passages: Sequence[int], filters: Filters) -> tuple[Factors, ...]:
        name = "factors" if filters.narrow() else "factors_unfiltered"
        given = {**self._filter(project, filters), "ids": json.dumps(list(passages))}
        found = list(map(Factors._make, self._plain(name, given)))
        # Why only then: most passages are memories, and a question waits for this.
        if rest := set(passages).difference(factors.passage for factors in found):
            rows = self._database.read(statements("documents")["factors"], {**given, "ids": json.dumps(list(rest))})
            found += map(Factors._make, rows)
        return tuple(found)

    def hydrate(self, passages: Sequence[int]) -> Mapping[int, tuple[Memory | DocumentChunk, str]]:
        found: dict[int, tuple[Memory | DocumentChunk, str]] = {
            row["passage_id"]: (memory_of(row), row["passage_body"])
            for row in self._rows("hydrate", {"ids": json.dumps(list(passages))})
        }
        if rest := [passage for passage in passages if passage not in found]:
            found |= self._parts(rest)
        return found

    def _uncounted(self, passages: Collection[int]) -> list[tuple[Any, ...]]:
        """The traits of passages so new that nobody has counted their words yet."""
        from holdfast.text.bags import bag

        rows = self._rows("traits_uncounted", {"ids": json.dumps(list(passages))})
        return [(*traits, bag(said)) for *traits, said in rows]

    def chunk(self, id: str) -> Chunk | None:
        """The piece of a document with that id."""
        return self.chunks([id]).get(id)

    def chunks(self, ids: Sequence[str]) -> Mapping[str, Chunk]:
        from holdfast.store.rows.documents import document_chunk_of

        rows = self._database.read(statements("documents")["chunks"], {"ids": json.dumps(list(ids))})
        return {part.chunk.id: part.chunk for part in map(document_chunk_of, rows)}

    def document(self, project: str, path: str) -> Document | None:
        from holdfast.store.rows.documents import document_of

        rows = self._database.read(statements("documents")["document"], {"project": project, "path": path})
        return document_of(rows[0]) if rows else None

    def documents(self, project: str) -> tuple[Document, ...]:
        from holdfast.store.rows.documents import document_of

        return tuple(map(document_of, self._database.read(statements("documents")["documents"], {"project": project})))

    def standing(self, project: str, passages: Sequence[int]) -> Mapping[int, DocumentStanding]:
        given = {"project": project, "ids": json.dumps(list(passages))}
        rows = self._database.read(statements("documents")["standing"], given)
        return {
            passage: DocumentStanding(document, path, rank, confidence, unstamp(since), successor)
            for passage, document, path, rank, confidence, since, successor in rows
        }

    def _parts(self, passages: Sequence[int]) -> dict[int, tuple[Memory | DocumentChunk, str]]:
        from holdfast.store.rows.documents import document_chunk_of

        rows = self._database.read(statements("documents")["parts"], {"ids": json.dumps(list(passages))})
        parts = {row["passage_id"]: document_chunk_of(row) for row in rows}
        return {passage: (part, part.chunk.text) for passage, part in parts.items()}

    def episodes(self, project: str, session: str, limit: int = 1000, offset: int = 0) -> tuple[Memory, ...]:
        """What was said in a session, in order."""
        given = {"project": project, "session": session, "limit": limit, "offset": offset}
        return tuple(memory_of(row) for row in self._rows("session_episodes", given))

    def has_vectors(self, embedder: str) -> bool:
        """Is there any vector of that embedder? If not, a question need not be embedded."""
        return embedder in self._indexes or bool(self._rows("has_vectors", {"name": embedder}))

    def waiting(self, embedder: str, limit: int) -> tuple[PendingPassage, ...]:
        rows = self._rows("waiting", {"embedder": self._number(embedder), "limit": limit})
        return tuple(PendingPassage(row["id"], row["owner_id"], row["kind"], row["said"]) for row in rows)

    def count_waiting(self, embedder: str) -> int:
        return int(self._rows("count_waiting", {"embedder": self._number(embedder)})[0][0])

    def any_waiting(self, embedder: str) -> bool:
        """Is there a passage without a vector of that embedder? Cheap at any size."""
        return bool(self._rows("any_waiting", {"embedder": self._number(embedder)}))

    def lease(self, name: str) -> Lease | None:
        rows = self._rows("lease", {"name": name})
        if not rows:
            return None
        row = rows[0]
        return Lease(row["name"], row["holder"], unstamp(row["expires_at"]), json.loads(row["progress"]))

    def job_runs(self, limit: int = 10) -> tuple[Mapping[str, Any], ...]:
        """The latest background work, newest first."""
        rows = self._rows("job_runs", {"limit": limit})
        return tuple({**dict(row), "detail": json.loads(row["detail"])} for row in rows)

    def last_runs(self) -> Mapping[str, datetime]:
        return {row["name"]: unstamp(row["at"]) for row in self._rows("last_runs", {})}

    def count_by_type(self, project: str) -> tuple[TypeCount, ...]:
        rows = self._rows("count_by_type", {"project": project})
        return tuple(
            TypeCount(
                r["type"], r["total"], r["believed"], r["forgotten"], r["superseded"], r["to_review"],
                unstamp(r["newest"]),
            )
            for r in rows
        )  # fmt: skip

    def count_documents(self, project: str) -> Mapping[str, int]:
        return dict(self._rows("count_documents", {"project": project})[0])

    def totals(self) -> Mapping[str, int]:
        """How much the whole file holds, all projects together."""
        return dict(self._rows("totals", {})[0])

    def projects(self) -> tuple[Mapping[str, Any], ...]:
        """Every project in this file, the latest used first."""
        return tuple(dict(row) for row in self._rows("projects", {}))

    def found_with(
        self, project: str, passages: Sequence[int], filters: Filters, limit: int, *, at_least: int = 2
    ) -> tuple[tuple[int, int], ...]:
        given = {**self._filter(project, filters), "ids": json.dumps(list(passages)), "at_least": at_least}
        return tuple((row["id"], row["together"]) for row in self._rows("found_with", {**given, "limit": limit}))

    def files_bound(self, project: str, file: str, limit: int = 5) -> Mapping[str, float]:
        given = {"project": project, "file": file, "at_least": _TOGETHER_AT_LEAST, "limit": limit}
        return {row["path"]: row["weight"] for row in self._rows("files_bound", given)}

    def files_of(self, passages: Sequence[int]) -> Mapping[int, tuple[str, ...]]:
        found: dict[int, tuple[str, ...]] = {}
        for row in self._rows("files_of", {"ids": json.dumps(list(passages))}):
            found[row["passage_id"]] = (*found.get(row["passage_id"], ()), row["path"])
        return found

    def about_files(
        self, project: str, files: Sequence[str], filters: Filters, limit: int
    ) -> tuple[tuple[int, str], ...]:
        given = {**self._filter(project, filters), "paths": json.dumps(list(files)), "limit": limit}
        return tuple((row["id"], row["path"]) for row in self._rows("about_files", given))

    def sessions(self, project: str, limit: int = -1) -> tuple[SessionSpan, ...]:
        rows = self._rows("sessions", {"project": project, "limit": limit})
        return tuple(SessionSpan(row["id"], unstamp(row["began"]), unstamp(row["ended"])) for row in rows)

    def metadata(self, key: str) -> str | None:
        rows = self._rows("metadata", {"key": key})
        return str(rows[0][0]) if rows else None

    def _any_of(self, project: str, counted: CountedWords, filters: Filters, limit: int) -> dict[int, float]:
        """Passages with any of some rare words, by BM25."""
        matched, more = sum(count for count, _ in counted), limit * _MORE
        given = {**self._filter(project, filters), "match": " OR ".join(quoted for _, quoted in counted)}
        if not (_needs_rows(filters) or filters.files or project in self._rarely_found):
            # Why first without asking whose they are: most stores have one busy project, and asking doubles the cost.
            rows = self._rows("words_best", {**given, "more": more, "limit": limit})
            if len(rows) == limit or matched <= more:
                return {passage: -rank for passage, rank in rows}
            self._rarely_found.add(project)
        name = "words_filtered" if _needs_rows(filters) else "words"
        return {row["id"]: -row["rank"] for row in self._rows(name, {**given, "limit": limit})}

    def _most_of(self, project: str, counted: CountedWords, filters: Filters, limit: int) -> dict[int, float]:
        """Passages with the most of what is rare in some rare words, the newest first where they have as much."""
        rows = self._rows("holding", {"matches": json.dumps([quoted for _, quoted in counted])})
        held = summed_rarity(counted, (passages for (passages,) in rows), self._newest)
        best = sorted(held, key=held.__getitem__, reverse=True)
        passed = self._placed(project, best, filters, limit)
        if passed is None:
            passed = self._passing(project, best, filters, limit)
        return {passage: held[str(passage)] for passage in passed}

    def _placed(self, project: str, best: Sequence[str], filters: Filters, limit: int) -> list[int] | None:
        """The first of some passages that are where one looks, as the vectors held in memory tell; None if they cannot.

        Why asked first: it takes a tenth of the time that reading their rows takes.
        """
        index = next(reversed(self._indexes.values()), None)
        if index is None or filters.files or _needs_rows(filters):
            return None
        from holdfast.store.vectors.search import Partition

        place = Partition(project, filters.types)
        for many in (2 * limit, len(best)):
            placed = index.placed(place, list(map(int, best[:many])))
            if placed is None or len(placed) >= limit or many >= len(best):
                break
        return None if placed is None else placed[:limit]

    def _passing(self, project: str, best: Sequence[str], filters: Filters, limit: int) -> list[int]:
        """The first of some passages that are where one looks, as their rows tell."""
        narrow = _needs_rows(filters)
        given = self._filter(project, filters) if narrow else self._place(project, filters)
        name = "passing_filtered" if narrow else "passing"
        rows = self._plain(name, {**given, "ids": f"[{','.join(best)}]", "limit": limit})
        return [passage for (passage,) in rows]

    def _all_of(
        self, project: str, counted: CountedWords, filters: Filters, limit: int, effort: int
    ) -> dict[int, float]:
        """Passages with several common words at once: by BM25 where that is cheap, else the newest.

        As many words, the rarest first, as should still leave enough passages; one less when they leave none.
        """
        total = max(1, self.passages_count())
        narrow = filters.narrow() or project in self._rarely_found
        words = most_together(counted, total, limit * _MORE if narrow else limit)
        for kept in (counted[:words], counted[: words - 1]):
            cheap = is_cheap(kept, total, effort)
            given = {**self._filter(project, filters), "match": " AND ".join(quoted for _, quoted in kept)}
            name = f"{'words' if cheap else 'words_newest'}{'_filtered' if _needs_rows(filters) else ''}"
            rows = self._rows(name, {**given, "weight": bm25_weight(kept, total), "limit": limit})
            if rows or words == 1:
                break
        return {row["id"]: -row["rank"] for row in rows}

    def _frequency(self, quoted: str) -> int:
        """How many passages a word stands in, as last counted: up to a limit, then as often again as at both ends."""
        if quoted not in self._frequencies:
            given = {"match": quoted, "limit": word_planning.COUNTED}
            count, last = self._rows("frequency", given)[0]
            if count == word_planning.COUNTED:
                first = self._rows("frequency_newest", given)[0][0]
                count = max(count, estimated_count(last, self._newest - first + 1, self._newest))
            self._frequencies[quoted] = count
        return self._frequencies[quoted]

    def _count_anew_when_grown(self) -> None:
        self._newest = self._rows("newest_passage", {})[0][0]
        if not 0 <= self._newest - self._counted_at <= self._counted_at // _COUNT_AGAIN_AFTER:
            self._frequencies.clear()
            self._counted_at = self._newest

    def _rows(self, name: str, parameters: Mapping[str, Any]) -> list[Any]:
        return self._database.read(statements("reading")[name], parameters)

    def _plain(self, name: str, parameters: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        return self._database.read_plain(statements("reading")[name], parameters)

    def _filter(self, project: str, filters: Filters) -> dict[str, Any]:
        return {**parameters_of(project, filters, self._now()), **self._place(project, filters)}

    def _place(self, project: str, filters: Filters) -> dict[str, Any]:
        """The parameters that a passage can answer without the row of its owner."""
        about = json.dumps(self._about(project, filters)) if filters.files else None
        kinds = json.dumps(filters.types) if filters.types else None
        return {"project": project, "about": about, "kinds": kinds}

    def _about(self, project: str, filters: Filters) -> list[int]:
        """The passages that speak of one of the files, or of a file below one of the folders."""
        files = json.dumps([path.rstrip("/") for path in filters.files])
        return [row[0] for row in self._rows("about", {"project": project, "files": files})]

    def _number(self, embedder: str) -> int:
        rows = self._rows("embedder", {"name": embedder})
        return int(rows[0]["id"]) if rows else -1

    def _index(self, embedder: str, dimensions: int) -> VectorIndex | None:
        with self._lock:
            if embedder not in self._indexes:
                number = self._number(embedder)
                if number < 0:
                    return None
                self._indexes[embedder] = self._new_index(number, dimensions)
            return self._indexes[embedder]

    def _new_index(self, embedder: int, dimensions: int) -> VectorIndex:
        from holdfast.store.sqlite.vector_source import SqliteVectorSource
        from holdfast.store.vectors.index import VectorIndex
        from holdfast.store.vectors.vector_file import path_of

        path = self._database.path
        file = None if path == ":memory:" else path_of(os.path.abspath(path), embedder)
        return VectorIndex(SqliteVectorSource(self._database, embedder), file, dimensions)


def _needs_rows(filters: Filters) -> bool:
    """Is anything asked for that only the memory's row can tell, beyond types and files?"""
    return filters != Filters(types=filters.types, files=filters.files)


def _first_number(record: bytes) -> int:
    """The first number of a record of the full-text index: seven bits a byte, the last byte below 128."""
    number = 0
    for byte in record:
        number = number << 7 | byte & 0x7F
        if byte < 0x80:
            break
    return number


def _quoted(word: str) -> str:
    return '"' + word.replace('"', "") + '"'
