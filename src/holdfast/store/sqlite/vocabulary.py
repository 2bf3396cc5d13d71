"""The words in the full-text index: how common each is, and which a misspelt word may mean."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from holdfast.store import word_planning
from holdfast.store.sqlite.sqlite_statements import statements
from holdfast.text.families import family_start, in_family
from holdfast.text.spelling import allows_two_edits, edit_distance, likeliest, may_be_misspelt, one_edit_away

if TYPE_CHECKING:
    from holdfast.store.sqlite.database import Database

# Cached counts are dropped when the store has grown by one passage in this many.
_COUNT_AGAIN_AFTER = 100


class WordCounts:
    """Counts the passages that contain a word, and caches the counts."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._counts: dict[str, int] = {}
        self._counted_at = -1
        # The highest passage number when words were last counted.
        self.newest = 0

    def of(self, words: Sequence[str], variants: Mapping[str, Sequence[str]]) -> dict[str, int]:
        """The count of each word or its variants: exact up to `word_planning.COUNTED`, then estimated."""
        self._forget_when_grown()
        return {word: self._count(any_of((word, *variants.get(word, ())))) for word in words}

    def cached(self, word: str) -> int | None:
        """The count of a word, if it was counted before."""
        return self._counts.get(quoted(word))

    def passages(self) -> int:
        """The number of passages. Read from the index's own record: counting rows would read many pages."""
        return _first_number(self._rows("index_totals", {})[0][0])

    def _count(self, match: str) -> int:
        if match not in self._counts:
            parameters = {"match": match, "limit": word_planning.COUNTED}
            count, last = self._rows("frequency", parameters)[0]
            if count == word_planning.COUNTED:
                first = self._rows("frequency_newest", parameters)[0][0]
                count = max(count, word_planning.estimated_count(last, self.newest - first + 1, self.newest))
            self._counts[match] = count
        return self._counts[match]

    def _forget_when_grown(self) -> None:
        self.newest = self._rows("newest_passage", {})[0][0]
        if not 0 <= self.newest - self._counted_at <= self._counted_at // _COUNT_AGAIN_AFTER:
            self._counts.clear()
            self._counted_at = self.newest

    def _rows(self, name: str, parameters: dict[str, Any]) -> list[Any]:
        return self._database.read(statements("reading")[name], parameters)


class Vocabulary:
    """Finds known words: those that a misspelt one may mean, and those of a family. Cached until the store grows."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._meant: dict[tuple[str, int], tuple[str, ...]] = {}
        self._families: dict[tuple[str, bool], tuple[str, ...]] = {}
        self._grown_to = -1

    def like(self, word: str, limit: int) -> tuple[str, ...]:
        """The known words it most likely means, best first; none if it is known itself or resembles no other."""
        if not may_be_misspelt(word) or self._rows("exists", match=quoted(word)):
            return ()
        self._forget_when_grown()
        meant = self._meant.get((word, limit))
        if meant is None:
            meant = self._meant[word, limit] = likeliest(word, self._near(word), limit)
        return meant

    def families(self, words: Iterable[str], *, french: bool) -> dict[str, tuple[str, ...]]:
        """The known words of each word's family; words without any are left out."""
        self._forget_when_grown()
        return {word: family for word in words if (family := self._family(word, french))}

    def _family(self, word: str, french: bool) -> tuple[str, ...]:
        family = self._families.get((word, french))
        if family is None:
            start = family_start(word)
            known = [row[0] for row in self._rows("starting", start=start)] if start else []
            family = self._families[word, french] = in_family(word, known, french=french)
        return family

    def _forget_when_grown(self) -> None:
        grown_to = self._rows("grown_to")[0][0]
        if grown_to != self._grown_to:
            self._meant, self._families, self._grown_to = {}, {}, grown_to

    def _near(self, word: str) -> list[tuple[str, int]]:
        """The known words one typing error away, each with its count; two for a long word that has no such words."""
        near = [row[0] for row in self._rows("near", words=json.dumps(one_edit_away(word)))]
        if not near and allows_two_edits(word):
            about = self._rows("about", start=word[:4], shortest=len(word) - 1, longest=len(word) + 1)
            near = [row[0] for row in about if edit_distance(word, row[0], most=2) <= 2]
        return [(other, self._rows("common", match=quoted(other))[0][0]) for other in near]

    def _rows(self, name: str, **parameters: Any) -> list[Any]:
        return self._database.read(statements("vocabulary")[name], parameters)


def quoted(word: str) -> str:
    """A word as a string of the full-text query language."""
    return '"' + word.replace('"', "") + '"'


def any_of(words: Iterable[str]) -> str:
    """A full-text query for any of the words."""
    found = tuple(map(quoted, words))
    return found[0] if len(found) == 1 else f"({' OR '.join(found)})"


def _first_number(record: bytes) -> int:
    """The first number of a record of the full-text index: seven bits a byte, the last byte below 128."""
    number = 0
    for byte in record:
        number = number << 7 | byte & 0x7F
        if byte < 0x80:
            break
    return number
