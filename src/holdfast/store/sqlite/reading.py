"""The reading face on SQLite."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from holdfast.core.clock import unstamp
from holdfast.core.errors import NotFound
from holdfast.store.reading import Event, Factors, Lease, TypeCount, Waiting
from holdfast.store.sqlite.rows import memory_of, moment, parameters_of
from holdfast.store.sqlite.statements import statements

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from holdfast.core.answer import Filters
    from holdfast.core.memory import Memory
    from holdfast.store.sqlite.database import Database
    from holdfast.store.sqlite.vectors import VectorIndex

_COUNT_AGAIN_AFTER = 1000
# How many times the number asked for is taken from the nearest before filters that only rows can answer.
_MORE = 8


class SqliteReading:
    """Reads memories, passages, vectors and the state of the store."""

    def __init__(self, database: Database, now: Callable[[], datetime]) -> None:
        self._database = database
        self._now = now
        self._indexes: dict[str, VectorIndex] = {}
        self._lock = threading.Lock()
        self._frequencies: dict[str, int] = {}
        self._counted_at = -1

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
        name = "ids_ending" if len(wanted) == 8 else "ids_like"
        found = self._rows(name, {"ending": wanted, "project": project})
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

    def twins(self, project: str, hash: str) -> tuple[Memory, ...]:
        return tuple(memory_of(row) for row in self._rows("twins", {"project": project, "hash": hash}))

    def successors(self, memory: Memory) -> tuple[Memory, ...]:
        given = {"project": memory.project, "id": memory.id}
        return tuple(memory_of(row) for row in self._rows("successors", given))

    def events(self, id: str) -> tuple[Event, ...]:
        rows = self._rows("events", {"id": id})
        return tuple(Event(unstamp(r["at"]), r["verb"], r["reason"], json.loads(r["detail"])) for r in rows)

    def find_words(
        self, project: str, words: Sequence[str], filters: Filters, limit: int, *, effort: int = 80
    ) -> tuple[tuple[int, float], ...]:
        if not words:
            return ()
        name = "words_filtered" if _needs_rows(filters) else "words"
        given = {**self._filter(project, filters), "match": " OR ".join(self._telling(words, effort)), "limit": limit}
        return tuple((row["id"], -row["rank"]) for row in self._rows(name, given))

    def find_substring(self, project: str, text: str, filters: Filters, limit: int) -> tuple[int, ...]:
        given = {**self._filter(project, filters), "text": text, "limit": limit}
        return tuple(row["id"] for row in self._rows("substring", given))

    def find_near(
        self, project: str, embedder: str, vector: NDArray[np.float32], filters: Filters, limit: int
    ) -> tuple[tuple[int, float], ...]:
        index = self._index(embedder, len(vector))
        if index is None:
            return ()
        about = self._about(project, filters) if filters.files else None
        if not _needs_rows(filters):
            return index.search(vector, project, filters.types, about, limit)
        near = index.search(vector, project, filters.types, about, limit * _MORE)
        passing = {factors.passage for factors in self.factors(project, [passage for passage, _ in near], filters)}
        kept = tuple(found for found in near if found[0] in passing)[:limit]
        if len(kept) == limit or len(near) < limit * _MORE:
            return kept
        # Why only now: reading every row that passes is slow, and most filters let enough of the nearest through.
        allowed = [row["id"] for row in self._rows("allowed", self._filter(project, filters))]
        return index.search(vector, project, filters.types, allowed, limit)

    def lacking_vector(self, embedder: str, passages: Sequence[int]) -> frozenset[int]:
        index = self._indexes.get(embedder)
        return frozenset(passages) if index is None else index.lacking(passages)

    def factors(self, project: str, passages: Sequence[int], filters: Filters) -> tuple[Factors, ...]:
        name = "factors" if filters.narrow() else "factors_unfiltered"
        given = {**self._filter(project, filters), "ids": json.dumps(list(passages))}
        return tuple(_factors(row) for row in self._rows(name, given))

    def hydrate(self, passages: Sequence[int]) -> Mapping[int, tuple[Memory, str]]:
        rows = self._rows("hydrate", {"ids": json.dumps(list(passages))})
        return {row["passage_id"]: (memory_of(row), row["passage_body"]) for row in rows}

    def episodes(self, project: str, session: str, limit: int = 1000, offset: int = 0) -> tuple[Memory, ...]:
        """What was said in a session, in order."""
        given = {"project": project, "session": session, "limit": limit, "offset": offset}
        return tuple(memory_of(row) for row in self._rows("session_episodes", given))

    def has_vectors(self, embedder: str) -> bool:
        """Is there any vector of that embedder? If not, a question need not be embedded."""
        return embedder in self._indexes or bool(self._rows("has_vectors", {"name": embedder}))

    def waiting(self, embedder: str, limit: int) -> tuple[Waiting, ...]:
        rows = self._rows("waiting", {"embedder": self._number(embedder), "limit": limit})
        return tuple(Waiting(row["id"], row["owner_id"], row["said"]) for row in rows)

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

    def count_by_type(self, project: str) -> tuple[TypeCount, ...]:
        rows = self._rows("count_by_type", {"project": project})
        return tuple(
            TypeCount(
                r["type"], r["total"], r["believed"], r["forgotten"], r["superseded"], r["to_review"],
                unstamp(r["newest"]),
            )
            for r in rows
        )  # fmt: skip

    def totals(self) -> Mapping[str, int]:
        """How much the whole file holds, all projects together."""
        return dict(self._rows("totals", {})[0])

    def projects(self) -> tuple[Mapping[str, Any], ...]:
        """Every project in this file, the latest used first."""
        return tuple(dict(row) for row in self._rows("projects", {}))

    def co_accessed(self, project: str, id: str, limit: int = 5) -> tuple[tuple[str, int], ...]:
        """The memories most often found together with this one."""
        rows = self._rows("co_access", {"project": project, "id": id, "limit": limit})
        return tuple((row["other"], row["co_count"]) for row in rows)

    def metadata(self, key: str) -> str | None:
        rows = self._rows("metadata", {"key": key})
        return str(rows[0][0]) if rows else None

    def export(self, project: str) -> tuple[tuple[Memory, ...], tuple[Mapping[str, Any], ...]]:
        """Every memory of a project, forgotten ones too, and what was done to them; one consistent moment."""
        sql = statements("reading")
        with self._database.snapshot() as connection:
            memories = [memory_of(row) for row in connection.execute(sql["export"], {"project": project})]
            events = [dict(row) for row in connection.execute(sql["export_events"], {"project": project})]
        return tuple(memories), tuple({**e, "detail": json.loads(e["detail"])} for e in events)

    def _telling(self, words: Sequence[str], effort: int) -> list[str]:
        """The words as the index wants them, the rarest first, as many as match no more than `effort` rows in all.

        Why: a word that stands everywhere tells little, and scoring every row it stands in is what makes search slow.
        """
        self._count_anew_when_grown()
        counted = sorted((self._frequency(quoted), quoted) for quoted in map(_quoted, words))
        kept: list[str] = []
        rows = 0
        for count, quoted in counted:
            rows += count
            if kept and rows > effort and count:
                break
            kept.append(quoted)
        return kept

    def _frequency(self, quoted: str) -> int:
        """How many passages a word stands in, as last counted."""
        if quoted not in self._frequencies:
            self._frequencies[quoted] = self._rows("frequency", {"match": quoted})[0][0]
        return self._frequencies[quoted]

    def _count_anew_when_grown(self) -> None:
        age = self._rows("newest_passage", {})[0][0] // _COUNT_AGAIN_AFTER
        if age != self._counted_at:
            self._frequencies.clear()
            self._counted_at = age

    def _rows(self, name: str, parameters: Mapping[str, Any]) -> list[Any]:
        return self._database.read(statements("reading")[name], parameters)

    def _filter(self, project: str, filters: Filters) -> dict[str, Any]:
        about = json.dumps(self._about(project, filters)) if filters.files else None
        kinds = json.dumps(filters.types) if filters.types else None
        return {**parameters_of(project, filters, self._now()), "about": about, "kinds": kinds}

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
                from holdfast.store.sqlite.vectors import VectorIndex

                self._indexes[embedder] = VectorIndex(self._database, number, dimensions)
            return self._indexes[embedder]


def _needs_rows(filters: Filters) -> bool:
    """Is anything asked for that only the memory's row can tell, beyond types and files?"""
    return replace(filters, types=(), files=()).narrow()


def _quoted(word: str) -> str:
    return '"' + word.replace('"', "") + '"'


def _factors(row: Any) -> Factors:
    """The columns stand in the order of the fields."""
    passage, id, type, source, confidence, created, event, accessed, *rest, pinned, verified, searched = row
    count, session, role, life = rest
    moments = (unstamp(created), moment(event), moment(accessed))
    flags = (bool(pinned), bool(verified))
    return Factors(passage, id, type, source, confidence, *moments, count, session, role, life, *flags, searched)
