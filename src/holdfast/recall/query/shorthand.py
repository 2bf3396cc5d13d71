"""Shorthand in queries: `prod` also finds `production`, and `pull request` also finds `PR`.

The table is data (`data/shorthand.json`); the setting `shorthand` extends it.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from holdfast.core.errors import InvalidSettings
from holdfast.core.frozen import frozen
from holdfast.text.patterns import compiled
from holdfast.text.stemming import stem
from holdfast.text.words import words

_FILE = os.path.join(os.path.dirname(__file__), "data", "shorthand.json")

# The meanings of each shorthand, in lower case.
Meanings = Mapping[str, Sequence[str]]
Stems = tuple[str, ...]


@frozen(eq=False)
class Shorthand:
    """A table of shorthand. `by_meaning` has the shorthand for each meaning, which is given by its stems.

    `compounds` are phrases whose words mean something else alone, by their stems.
    """

    meanings: Meanings
    by_meaning: Mapping[Stems, Sequence[str]]
    compounds: Mapping[Stems, str]

    @staticmethod
    def of(meanings: Meanings, compounds: Sequence[str] = ()) -> Shorthand:
        by_meaning: dict[Stems, list[str]] = {}
        for short, means in meanings.items():
            # A number is not inserted: the 500 in a text is rarely a server error.
            for meaning in means if not short.isdigit() else ():
                by_meaning.setdefault(_stems(words(meaning)), []).append(short)
        return Shorthand(meanings, by_meaning, {_stems(phrase.split()): phrase for phrase in compounds})

    def knows(self, word: str) -> bool:
        """Whether the word is a shorthand, also in the plural."""
        return word in self.meanings or word.removesuffix("s") in self.meanings

    def variants(self, asked: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """The meanings of each shorthand among the words of a query, and the shorthand of each word or phrase in it."""
        found: dict[str, dict[str, None]] = {}
        for word in asked:
            for meaning in self.meanings.get(word) or self.meanings.get(word.removesuffix("s"), ()):
                found.setdefault(word, {})[meaning] = None
        for phrase, shorts in self._phrases(asked):
            for word in phrase:
                found.setdefault(word, {}).update(dict.fromkeys(shorts))
        return {word: tuple(variants) for word, variants in found.items()}

    def other_senses(self, asked: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """For each word of a query, the compounds in which it has another sense, because the query lacks the rest.

        The query `pip install requests` is not about pull requests. A single word may be short for the compound.
        """
        stems = _stems(asked)
        present = set(stems)
        others = {
            own: phrase
            for own, phrase in self.compounds.items()
            if not present.isdisjoint(own) and not present.issuperset(own)
        }
        found = {
            word: tuple(phrase for compound, phrase in others.items() if own in compound)
            for word, own in zip(asked, stems, strict=True)
        }
        return {word: phrases for word, phrases in found.items() if phrases and len(asked) > 1}

    def spelt_out(self, text: str) -> str:
        """The text with the first meaning after each shorthand: `which region is prod (production) in?`"""
        return compiled(r"\w+").sub(self._spelt_out, text)

    def _spelt_out(self, match: re.Match[str]) -> str:
        word = match[0].lower()
        meanings = self.meanings.get(word) or self.meanings.get(word.removesuffix("s"))
        return f"{match[0]} ({meanings[0]})" if meanings else match[0]

    def _phrases(self, asked: Sequence[str]) -> Iterator[tuple[Sequence[str], Sequence[str]]]:
        """The parts of a query that have a shorthand, with it."""
        stems = _stems(asked)
        longest = max(map(len, self.by_meaning), default=0)
        for start in range(len(stems)):
            for end in range(start + 1, min(start + longest, len(stems)) + 1):
                if shorts := self.by_meaning.get(stems[start:end]):
                    yield asked[start:end], shorts


@cache
def shorthand(extension: str = "") -> Shorthand:
    """The table of the package, with the entries of the setting added. Raises InvalidSettings for a malformed entry."""
    with open(_FILE, encoding="utf-8") as opened:
        table = json.load(opened)
    meanings: dict[str, Sequence[str]] = dict(table["shorthand"])
    for entry in filter(None, map(str.strip, extension.lower().split(","))):
        short, equals, means = (part.strip() for part in entry.partition("="))
        if not short or not equals or " " in short:
            raise InvalidSettings(f"shorthand: {entry!r} is not like fe = frontend")
        meanings[short] = tuple(filter(None, map(str.strip, means.split("|"))))
    return Shorthand.of({short: means for short, means in meanings.items() if means}, table["compounds"])


def _stems(words: Sequence[str]) -> Stems:
    return tuple(map(stem, words))
