"""Finds passages in SQLite by words, vectors, time, files and joint use."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from heapq import nlargest
from operator import itemgetter
from typing import TYPE_CHECKING

from holdfast.core.answer import Filters
from holdfast.core.clock import stamp
from holdfast.store.sqlite.queries.passage_queries import SqlitePassageReading
from holdfast.store.sqlite.queries.query_parts import needs_rows
from holdfast.store.sqlite.queries.word_queries import NO_VARIANTS, SqliteWordReading
from holdfast.store.sqlite.vocabulary import any_of
from holdfast.store.word_planning import bm25_weight, is_cheap, most_together, rarest, summed_rarity

if TYPE_CHECKING:
    from holdfast.store.reading.search_reading import Vector
    from holdfast.store.reading.word_reading import Variants
    from holdfast.store.sqlite.database import Database
    from holdfast.store.word_planning import CountedWords

# Candidates read per result wanted, before filters that only rows can answer.
_MORE = 8
# The memories with questions whose vectors are compared, the newest: each costs microseconds.
_MOST_ASKED = 20_000


class SqliteSearchReading(SqliteWordReading, SqlitePassageReading):
    """`SearchReading` on SQLite. Reads the rows of passages where a filter needs them."""

    def __init__(self, database: Database, now: Callable[[], datetime]) -> None:
        super().__init__(database, now)
        # Projects whose passages are rare among the best matches of all projects.
        self._rarely_found: set[str] = set()

    def find_words(
        self,
        project: str,
        words: Sequence[str],
        filters: Filters,
        limit: int,
        *,
        effort: int = 2_000,
        bm25: bool = True,
        variants: Variants = NO_VARIANTS,
    ) -> tuple[tuple[int, float], ...]:
        if not words:
            return ()
        counts = self.frequencies(words, variants)
        counted = sorted((count, any_of((word, *variants.get(word, ())))) for word, count in counts.items())
        rare = rarest(counted, effort)
        find = self._any_of if bm25 else self._most_of
        found = find(project, rare, filters, limit) if rare else {}
        common = counted[len(rare) :]
        # Common words come second: they cost much and distinguish little.
        if common and (not found or sum(count for count, _ in rare) < limit):
            together = self._all_of(project, common, filters, limit, effort if bm25 else 0)
            found = {**together, **found}
        return tuple(sorted(found.items(), key=lambda item: -item[1])[:limit])

    def passages_count(self) -> int:
        return self._counts.passages()

    def find_substring(self, project: str, text: str, filters: Filters, limit: int) -> tuple[int, ...]:
        parameters = {**self._filter(project, filters), "text": text, "limit": limit}
        return tuple(row["id"] for row in self._rows("substring", parameters))

    def find_near(
        self, project: str, embedder: str, vector: Vector, filters: Filters, limit: int
    ) -> tuple[tuple[int, float], ...]:
        near = self._near(project, embedder, vector, filters, limit)
        asked = self._asked(project, embedder, vector, filters, limit)
        if not asked:
            return near
        best = dict(near)
        best |= {passage: max(cosine, best.get(passage, cosine)) for passage, cosine in asked.items()}
        return tuple(sorted(best.items(), key=lambda found: -found[1])[:limit])

    def _asked(self, project: str, embedder: str, vector: Vector, filters: Filters, limit: int) -> dict[int, float]:
        """The memories whose questions are nearest, each with the cosine of its best question."""
        wanted = {"embedder": self._indexes.number(embedder), "most": _MOST_ASKED}
        rows = self._plain("all_questions", {**self._filter(project, filters), **wanted})
        near = nlargest(limit, _best_cosines(vector, rows).items(), key=itemgetter(1)) if rows else []
        passing = (
            {found.passage for found in self.factors(project, [passage for passage, _ in near], filters)}
            if near
            else ()
        )
        return {passage: cosine for passage, cosine in near if passage in passing}

    def _near(
        self, project: str, embedder: str, vector: Vector, filters: Filters, limit: int
    ) -> tuple[tuple[int, float], ...]:
        index = self._indexes.index(embedder, len(vector))
        if index is None:
            return ()
        from holdfast.store.vectors.partition import Partition

        about = self._about(project, filters) if filters.files else None
        partition = Partition(
            self._seen(project), filters.types, filters.include_forgotten or filters.as_of is not None
        )
        if not needs_rows(filters):
            return index.search(vector, partition, about, limit)
        near = index.search(vector, partition, about, limit * _MORE)
        passing = {factors.passage for factors in self.factors(project, [passage for passage, _ in near], filters)}
        kept = tuple(found for found in near if found[0] in passing)[:limit]
        if len(kept) == limit or len(near) < limit * _MORE:
            return kept
        # Reading every row that passes is slow; most filters let enough of the nearest passages through.
        allowed = [row["id"] for row in self._rows("allowed", self._filter(project, filters))]
        return index.search(vector, partition, allowed, limit)

    def similar(self, embedder: str, vector: Vector, passages: Sequence[int]) -> Mapping[int, float]:
        index = self._indexes.index(embedder, len(vector))
        if index is None:
            return {}
        near = dict(index.similar(vector, passages))
        rows = self._plain("questions", {"embedder": self._indexes.number(embedder), "ids": json.dumps(list(passages))})
        for passage, cosine in _best_cosines(vector, rows).items():
            near[passage] = max(cosine, near.get(passage, cosine))
        return near

    def similar_sentences(self, embedder: str, vector: Vector, passages: Sequence[int]) -> Mapping[int, float]:
        wanted = {"embedder": self._indexes.number(embedder), "ids": json.dumps(list(passages))}
        return _best_cosines(vector, self._plain("sentences", wanted))

    def has_vectors(self, embedder: str) -> bool:
        return self._indexes.opened(embedder) is not None or bool(self._rows("has_vectors", {"name": embedder}))

    def lacking_vector(self, embedder: str, passages: Sequence[int]) -> frozenset[int]:
        index = self._indexes.opened(embedder)
        return frozenset(passages) if index is None else index.lacking(passages)

    def within(self, project: str, since: datetime, until: datetime, filters: Filters, limit: int) -> tuple[int, ...]:
        parameters = {**self._filter(project, filters), "from": stamp(since), "to": stamp(until), "limit": limit}
        return tuple(row[0] for row in self._rows("within", parameters))

    def about_files(
        self, project: str, files: Sequence[str], filters: Filters, limit: int
    ) -> tuple[tuple[int, str], ...]:
        parameters = {**self._filter(project, filters), "paths": json.dumps(list(files)), "limit": limit}
        return tuple((row["id"], row["path"]) for row in self._rows("about_files", parameters))

    def found_with(
        self, project: str, passages: Sequence[int], filters: Filters, limit: int, *, at_least: int = 2
    ) -> tuple[tuple[int, int], ...]:
        parameters = {**self._filter(project, filters), "ids": json.dumps(list(passages)), "at_least": at_least}
        return tuple((row["id"], row["together"]) for row in self._rows("found_with", {**parameters, "limit": limit}))

    def _any_of(self, project: str, counted: CountedWords, filters: Filters, limit: int) -> dict[int, float]:
        """Ranks passages that contain any of the rare words by BM25."""
        matched, more = sum(count for count, _ in counted), limit * _MORE
        parameters = {**self._filter(project, filters), "match": " OR ".join(word for _, word in counted)}
        if not (needs_rows(filters) or filters.files or project in self._rarely_found):
            # Search all projects first: most stores have one busy project, and filtering by project doubles the cost.
            rows = self._rows("words_best", {**parameters, "more": more, "limit": limit})
            if len(rows) == limit or matched <= more:
                return {passage: -rank for passage, rank in rows}
            self._rarely_found.add(project)
        name = "words_filtered" if needs_rows(filters) else "words"
        return {row["id"]: -row["rank"] for row in self._rows(name, {**parameters, "limit": limit})}

    def _most_of(self, project: str, counted: CountedWords, filters: Filters, limit: int) -> dict[int, float]:
        """Ranks passages by the summed rarity of the rare words they contain; ties go to the newest."""
        rows = self._rows("holding", {"matches": json.dumps([word for _, word in counted])})
        sums = summed_rarity(counted, (passages for (passages,) in rows), self._counts.newest)
        best = sorted(sums, key=sums.__getitem__, reverse=True)
        passed = self._placed(project, best, filters, limit)
        if passed is None:
            passed = self._passing(project, best, filters, limit)
        return {passage: sums[str(passage)] for passage in passed}

    def _placed(self, project: str, best: Sequence[str], filters: Filters, limit: int) -> list[int] | None:
        """The first `limit` passages that belong to the project and types, checked in the vector index.

        Takes a tenth of the time that reading rows takes. None when the index cannot decide.
        """
        index = self._indexes.latest()
        if index is None or filters.files or needs_rows(filters):
            return None
        from holdfast.store.vectors.partition import Partition

        partition = Partition(self._seen(project), filters.types)
        for many in (2 * limit, len(best)):
            placed = index.placed(partition, list(map(int, best[:many])))
            if placed is None or len(placed) >= limit or many >= len(best):
                break
        return None if placed is None else placed[:limit]

    def _passing(self, project: str, best: Sequence[str], filters: Filters, limit: int) -> list[int]:
        """The first `limit` passages that pass the filters, checked in their rows."""
        narrow = needs_rows(filters)
        parameters = self._filter(project, filters) if narrow else self._partition(project, filters)
        name = "passing_filtered" if narrow else "passing"
        rows = self._plain(name, {**parameters, "ids": f"[{','.join(best)}]", "limit": limit})
        return [passage for (passage,) in rows]

    def _all_of(
        self, project: str, counted: CountedWords, filters: Filters, limit: int, effort: int
    ) -> dict[int, float]:
        """Finds passages that contain several common words: ranked by BM25 where that is cheap, else the newest.

        Takes as many words, the rarest first, as should leave enough passages; one fewer if they leave none.
        """
        total = max(1, self.passages_count())
        narrow = filters.any_set() or project in self._rarely_found
        words = most_together(counted, total, limit * _MORE if narrow else limit)
        for kept in (counted[:words], counted[: words - 1]):
            parameters = {**self._filter(project, filters), "match": " AND ".join(word for _, word in kept)}
            ranking = "words" if is_cheap(kept, total, effort) else "words_newest"
            name = f"{ranking}_filtered" if needs_rows(filters) else ranking
            rows = self._rows(name, {**parameters, "weight": bm25_weight(kept, total), "limit": limit})
            if rows or words == 1:
                break
        return {row["id"]: -row["rank"] for row in rows}


def _best_cosines(vector: Vector, rows: Sequence[tuple[int, bytes]]) -> dict[int, float]:
    """The highest cosine of the vectors of each row: of the sentences of a message, or the questions of a memory."""
    if not rows:
        return {}
    from holdfast.store.vectors.four_bits import best_cosines  # Imported here: few searches of memories need it.

    found, packed = zip(*rows, strict=True)
    return dict(zip(found, best_cosines(vector, packed), strict=True))
