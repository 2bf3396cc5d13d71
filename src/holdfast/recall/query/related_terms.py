"""Related terms: a query with words that the store does not contain also finds what people usually call it.

The table is data (`data/related.json`), in English and French: each group has terms that questions about
projects often use for each other. It is used only for words that no passage contains, so it never disturbs a match.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Mapping, Sequence
from functools import cache

from holdfast.core.frozen import frozen
from holdfast.text.stemming import french_stem, stem
from holdfast.text.words import words

_FILE = os.path.join(os.path.dirname(__file__), "data", "related.json")
_Stems = tuple[str, ...]
# A term may be of either language, and so may the query.
_STEMMERS = (stem, french_stem)


@frozen(eq=False)
class RelatedTerms:
    """The terms related to each term, which is given by its stems."""

    by_stems: Mapping[_Stems, tuple[str, ...]]

    def knows(self, word: str) -> bool:
        """Is the word a term of the table by itself?"""
        return any((stem_of(word),) in self.by_stems for stem_of in _STEMMERS)

    def variants(self, asked: Sequence[str], unknown: Collection[str]) -> dict[str, tuple[str, ...]]:
        """The related terms of the unknown words of a query, alone or as part of a term of several words."""
        found: dict[str, dict[str, None]] = {}
        longest = max(map(len, self.by_stems), default=0)
        for start in range(len(asked)):
            for end in range(start + 1, min(start + longest, len(asked)) + 1):
                part = asked[start:end]
                terms = [term for stem_of in _STEMMERS for term in self.by_stems.get(tuple(map(stem_of, part)), ())]
                for word in part:
                    if terms and word in unknown:
                        found.setdefault(word, {}).update(dict.fromkeys(terms))
        return {word: tuple(terms) for word, terms in found.items()}


@cache
def related_terms() -> RelatedTerms:
    """The table of the package."""
    with open(_FILE, encoding="utf-8") as opened:
        groups = [[term.strip() for term in group.split("|")] for group in json.load(opened)["groups"]]
    found: dict[_Stems, dict[str, None]] = {}
    for group in groups:
        for term in group:
            others = dict.fromkeys(other for other in group if other != term)
            for stem_of in _STEMMERS:
                found.setdefault(tuple(map(stem_of, words(term))), {}).update(others)
    return RelatedTerms({stems: tuple(others) for stems, others in found.items() if stems})
