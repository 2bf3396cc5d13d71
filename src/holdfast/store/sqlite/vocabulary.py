"""The words known to the store, and those a misspelt one may have meant."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from holdfast.store.sqlite.statements import statements
from holdfast.text.spelling import likeliest, may_be_misspelt, one_slip_away, slips, two_slips_allowed

if TYPE_CHECKING:
    from holdfast.store.sqlite.database import Database


class Vocabulary:
    """Answers what a word may have meant; answers are remembered until the store grows."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._meant: dict[tuple[str, int], tuple[str, ...]] = {}
        self._grown_to = -1

    def like(self, word: str, limit: int) -> tuple[str, ...]:
        """The known words it most likely means, best first; none when it is known itself or like no other."""
        if not may_be_misspelt(word) or self._rows("stands", match=f'"{word}"'):
            return ()
        grown_to = self._rows("grown_to")[0][0]
        if grown_to != self._grown_to:
            self._meant, self._grown_to = {}, grown_to
        meant = self._meant.get((word, limit))
        if meant is None:
            meant = self._meant[word, limit] = likeliest(word, self._near(word), limit)
        return meant

    def _near(self, word: str) -> list[tuple[str, int]]:
        """The known words one slip away or, from a long word and failing those, two; each with how common it is."""
        near = [row[0] for row in self._rows("near", words=json.dumps(one_slip_away(word)))]
        if not near and two_slips_allowed(word):
            about = self._rows("about", start=word[:4], shortest=len(word) - 1, longest=len(word) + 1)
            near = [row[0] for row in about if slips(word, row[0], most=2) <= 2]
        return [(other, self._rows("common", match=f'"{other}"')[0][0]) for other in near]

    def _rows(self, name: str, **given: Any) -> list[Any]:
        return self._database.read(statements("vocabulary")[name], given)
