"""Reads properties of passages from SQLite."""

from __future__ import annotations

import json
import struct
from array import array
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from holdfast.core.answer import Filters
from holdfast.core.clock import stamp
from holdfast.core.vector_size import VectorSize
from holdfast.store.reading.passage_reading import Factors, Traits
from holdfast.store.rows.memory_rows import memory_of
from holdfast.store.sqlite.queries.query_parts import SqliteReader
from holdfast.store.sqlite.sqlite_statements import statements

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from holdfast.core.cosine_scale import MeasuredCosines
    from holdfast.core.document import DocumentChunk
    from holdfast.core.memory import Memory

# Two files found together less often are not bound: a single answer may contain anything.
_TOGETHER_AT_LEAST = 3
_DRAWN_PER_VECTOR = 5
# How many passages before and after a message are searched for one of its session.
_REACH = 6
_SHORT = 2_000


class SqlitePassageReading(SqliteReader):
    """`PassageReading` on SQLite."""

    def traits(self, passages: Sequence[int]) -> Traits:
        rows = self._plain("traits", {"ids": json.dumps(list(passages))})
        if len(rows) < len(passages):
            rows += self._without_bags(set(passages).difference(row[0] for row in rows))
        return Traits(*zip(*rows, strict=True)) if rows else Traits((), (), (), (), ())

    def adjacent_messages(self, passages: Sequence[int]) -> Mapping[int, tuple[int | None, int | None]]:
        # Nearly all neighbours are stored one after the other; only where one is missing, more rows are searched.
        found = self._adjacent(passages, 1)
        lacking = [passage for passage, pair in found.items() if None in pair]
        return found | self._adjacent(lacking, _REACH) if lacking else found

    def _adjacent(self, passages: Sequence[int], reach: int) -> dict[int, tuple[int | None, int | None]]:
        rows = self._plain("adjacent", {"ids": json.dumps(list(passages)), "reach": reach})
        # Every message with a word bag is found; usually all have one.
        if rest := set(passages).difference([row[0] for row in rows]):
            rows += self._plain("adjacent_uncounted", {"ids": json.dumps(list(rest)), "reach": reach})
        return {passage: (before, after) for passage, before, after in rows}

    def factors(self, project: str, passages: Sequence[int], filters: Filters) -> tuple[Factors, ...]:
        name = "factors" if filters.any_set() else "factors_unfiltered"
        parameters = {**self._filter(project, filters), "ids": json.dumps(list(passages))}
        found = list(map(Factors._make, self._plain(name, parameters)))
        # Documents only when passages are left: most passages are memories, and a query waits for this.
        if rest := set(passages).difference(factors.passage for factors in found):
            parameters["ids"] = json.dumps(list(rest))
            found += map(Factors._make, self._database.read(statements("documents")["factors"], parameters))
        return tuple(found)

    def hydrate(self, passages: Sequence[int]) -> Mapping[int, tuple[Memory | DocumentChunk, str]]:
        found: dict[int, tuple[Memory | DocumentChunk, str]] = {
            row["passage_id"]: (memory_of(row), row["passage_body"])
            for row in self._rows("hydrate", {"ids": json.dumps(list(passages))})
        }
        if rest := [passage for passage in passages if passage not in found]:
            found |= self._chunks_of(rest)
        return found

    def vectors(
        self, embedder: str, passages: Sequence[int], size: VectorSize = VectorSize.SINGLE
    ) -> Mapping[int, array[float]]:
        wanted = {"embedder": self._indexes.number(embedder), "size": int(size)}
        rows = self._plain("vectors", {**wanted, "ids": json.dumps(list(passages))})
        # Not numpy's arrays: a search needs at most five, and importing numpy takes longer than everything else.
        return {passage: array("f", struct.unpack(f"<{len(data) // 2}e", data)) for passage, data in rows}

    def vector_sizes(self, embedder: str, passages: Sequence[int], usual: VectorSize) -> Mapping[int, VectorSize]:
        wanted = {"embedder": self._indexes.number(embedder), "size": int(usual)}
        if not self._plain("any_other_size", wanted):
            return {}
        rows = self._plain("vector_sizes", {**wanted, "ids": json.dumps(list(passages))})
        return {passage: VectorSize(size) for passage, size in rows}

    def sample_vectors(self, embedder: str, limit: int) -> NDArray[np.float32]:
        import random

        import numpy as np

        number, last = self._indexes.number(embedder), self._rows("vector_counter", {})[0][0]
        # Deleted and replaced vectors leave gaps, so more numbers are drawn than vectors are wanted.
        numbers = random.Random(last)  # noqa: S311 - a sample, not a secret
        drawn = numbers.sample(range(1, last + 1), min(last, _DRAWN_PER_VECTOR * limit))
        rows = self._rows("vectors_now", {"embedder": number, "seqs": json.dumps(drawn)})[:limit]
        data = b"".join(row["vector"] for row in rows)
        return np.frombuffer(data, "<f2").astype(np.float32).reshape(len(rows), -1 if rows else 0)

    def measured_cosines(self, embedder: str) -> MeasuredCosines | None:
        from holdfast.core.cosine_scale import MeasuredCosines, read_scales

        rows = self._rows("cosines", {"name": embedder})
        try:
            fields = json.loads(rows[0]["cosines"]) if rows else None
            return MeasuredCosines(read_scales(fields), int(fields["passages_count"])) if fields else None
        except (KeyError, TypeError, ValueError, AttributeError):  # A later release stored them in another form.
            return None

    def sources_of(self, passages: Sequence[int]) -> Mapping[int, tuple[str, ...]]:
        rows = self._plain("sources_of", {"ids": json.dumps(list(passages))})
        return {passage: tuple(json.loads(sources)) for passage, sources in rows}

    def count_taught(self, project: str, most: int) -> int:
        return int(self._plain("count_taught", {"project": project, "most": most})[0][0])

    def taught(self, project: str) -> tuple[int, ...]:
        return tuple(row[0] for row in self._plain("taught", {"project": project}))

    def documents_of(self, passages: Sequence[int]) -> Mapping[int, str]:
        return dict(self._plain("documents_of", {"ids": json.dumps(list(passages))}))

    def files_of(self, passages: Sequence[int]) -> Mapping[int, tuple[str, ...]]:
        found: dict[int, tuple[str, ...]] = {}
        for row in self._rows("files_of", {"ids": json.dumps(list(passages))}):
            found[row["passage_id"]] = (*found.get(row["passage_id"], ()), row["path"])
        return found

    def files_bound(self, project: str, file: str, limit: int = 5) -> Mapping[str, float]:
        now = stamp(self._now())
        parameters = {"project": project, "file": file, "at_least": _TOGETHER_AT_LEAST, "limit": limit, "now": now}
        return {row["path"]: row["weight"] for row in self._rows("files_bound", parameters)}

    def _without_bags(self, passages: Collection[int]) -> list[tuple[Any, ...]]:
        """The traits of new passages whose word bags are not stored yet."""
        from holdfast.text.bags import bag

        rows = self._rows("traits_uncounted", {"ids": json.dumps(list(passages))})
        return [(*traits, (_bag_of_short if len(text) <= _SHORT else bag)(text)) for *traits, text in rows]

    def _chunks_of(self, passages: Sequence[int]) -> dict[int, tuple[Memory | DocumentChunk, str]]:
        from holdfast.store.rows.document_rows import document_chunk_of

        rows = self._database.read(statements("documents")["parts"], {"ids": json.dumps(list(passages))})
        found = {row["passage_id"]: document_chunk_of(row) for row in rows}
        return {passage: (part, part.chunk.text) for passage, part in found.items()}


@lru_cache(maxsize=512)
def _bag_of_short(text: str) -> bytes:
    """The word bag of a short text. Cached: consolidation searches many times before the background stores the bags."""
    from holdfast.text.bags import bag

    return bag(text)
