"""Decides whether a word is used as a name: *Mark said*, but not *Mark the ticket* and not *in Paris*.

A word at a place in a text is a person, a thing (a place, a product, somebody else), a time or a word of the language.
The words beside it and its capital say how likely each of them is, and what the word can mean says what to expect.
`training/fit/names.py` fits the weights (docs/research/names.md).
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from functools import cache

from holdfast.core.frozen import frozen
from holdfast.entities.first_names import ambiguous_names
from holdfast.entities.known_names import known_names, read_data
from holdfast.entities.text_case import TextCase
from holdfast.text.calendar_words import FRENCH_MONTHS, FRENCH_WEEKDAYS, MONTHS, WEEKDAYS
from holdfast.text.names import fold
from holdfast.text.stop_words import STOP_WORDS

FILE = "name_weights.json"
# What a word can mean besides a name, and how it is written. The model has a bias for each pair.
MEANINGS = ("word", "place", "time", "none")
FORMS = ("start", "capital", "small")
# Months, days, seasons and feasts, folded.
TIMES = frozenset(
    (
        *map(fold, (*MONTHS, *FRENCH_MONTHS, *WEEKDAYS, *FRENCH_WEEKDAYS)),
        *(f"{day}s" for day in WEEKDAYS),
        *"spring summer autumn winter easter christmas noel paques toussaint printemps ete automne hiver".split(),
    )
)
# First names that are also places, products, works or prizes.
PLACES = frozenset(
    "paris london austin jordan madison chelsea florence sydney georgia virginia dakota carolina lorraine savannah"
    " brooklyn denver phoenix houston dallas israel china india asia america africa ireland chad cuba kenya malta"
    " vienna valencia verona sienna lisbon geneva boston berlin milan rome orlando washington wellington arizona"
    " nevada alabama montana missouri columbia columbus venice melbourne bali sierra alberta camden france york"
    " texas louisiana rust ruby perl django flask crystal opal ember jade jest mocha elm victoria nancy bristol bergen"
    " basel holland sophia lourdes adelaide charlotte alexandria lima santiago diego francisco angeles antonio"
    " petersburg kingston lincoln jackson hamilton cairo dublin lyon lille laval angers tours brest nice lens cannes"
    " salem eugene troy chester lancaster windsor preston perth darwin hobart regina halifax cleveland raleigh"
    " charleston augusta carson fargo cheyenne helena olympia trenton dover atlanta memphis nashville marion ithaca"
    " concord avon devon kent essex cornwall odessa petra delphi ravenna siena catania modena cassandra hugo julia ada"
    " pascal chai gatsby astro scala groovy alexa siri cortana watson eliza gemini claude oscar emmy katrina mercedes"
    " porsche bentley ferrari lotus tesla jasmine carmen barbie zelda".split()
)
_APOSTROPHES = ("'", "’")
_SHORT = 2  # words of at most this many letters may be abbreviations
_NEAR, _PRONOUN_WITHIN = 7, 12
_PRONOUNS = frozenset("he she him his her hers elle il lui".split())
_PREPOSITIONS = frozenset("to for with from at in of by on about à de chez avec pour".split())
_ENDINGS = ("ing", "ed", "ly", "er", "ent", "ait", "ons", "ez", "s", "é", "t")


@frozen
class NameModel:
    """How much more likely than a person each feature makes a thing, a time and a word, in tenths of log-odds."""

    words: frozenset[str]
    biases: Mapping[str, Mapping[str, tuple[int, int, int]]]
    weights: Mapping[str, tuple[int, int, int]]

    def odds(self, case: TextCase, first: int, last: int) -> tuple[float, float, float]:
        """The log-odds of a thing, a time and a word against a person."""
        form = form_of(case, first)
        thing, time, word = self.biases[meaning_of(case.word(first))][form]
        for feature in features(case, first, last, form, self.words):
            if (weight := self.weights.get(feature)) is not None:
                thing, time, word = thing + weight[0], time + weight[1], word + weight[2]
        return thing / 10, time / 10, word / 10


@cache
def name_model() -> NameModel:
    """Returns the model of the package."""
    data = json.loads(read_data(FILE))
    return NameModel(frozenset(data["words"].split()), data["biases"], data["weights"])


def is_name(case: TextCase, first: int, last: int, is_person: bool = True) -> bool:
    """Is the word from token `first` to `last` a name here? That of a place or a project is a thing."""
    thing, time, word = name_model().odds(case, first, last)
    if is_person:
        return math.exp(thing) + math.exp(time) + math.exp(word) < 1
    return math.exp(time) + math.exp(word) < 1 + math.exp(thing)


def is_ordinary(word: str) -> bool:
    """Is a folded word one of the language, so that its capital at the start of a sentence says nothing?"""
    known = known_names().get(word)
    return word in name_model().words or meaning_of(word) != "none" or (known is not None and known.common)


def meaning_of(word: str) -> str:
    """What a folded word means if it is no name."""
    if word in TIMES:
        return "time"
    known = known_names().get(word)
    if word in PLACES or (known is not None and known.label not in (None, "filetype")):
        return "place"
    return "word" if word in ambiguous_names() or word in STOP_WORDS or len(word) <= _SHORT else "none"


def form_of(case: TextCase, place: int) -> str:
    """How the word is written. At the start of a sentence a capital says little."""
    if not case.is_capitalised(place) or not case.informative:
        return "small"
    return "start" if case.starts_sentence(place) else "capital"


def features(case: TextCase, first: int, last: int, form: str, words: frozenset[str]) -> Iterator[str]:
    """Yields the features of a place: two words or marks before it and after it, and what they say together."""
    before, before_that = _before(case, first, words)
    after, after_that = _after(case, last, words)
    beside = [f"b:{before}", f"a:{after}", f"bb:{before_that}", f"aa:{after_that}"]
    if first and not case.gap(first - 1).strip() and case.is_capitalised(first - 1):
        beside += ["B", f"B:{before}"]
    if last + 1 < len(case.tokens) and not case.gap(last).strip() and case.is_capitalised(last + 1):
        beside.append("A")
    if not _PRONOUNS.isdisjoint([token.word for token in case.tokens[last + 1 : last + _PRONOUN_WITHIN]]):
        beside.append("pronoun")
    yield form
    for feature in beside:
        yield feature
        yield f"{form} {feature}"
    yield f"b2:{before_that} {before}"
    yield f"a2:{after} {after_that}"
    if before in _PREPOSITIONS:  # `gave the keys to`, `the flight to`
        near = {case.written(place).lower() for place in range(max(0, first - _NEAR), first - 1)}
        yield from (f"p:{before} {word}" for word in near & words)


def _before(case: TextCase, place: int, words: frozenset[str]) -> tuple[str, str]:
    """The word or mark before a place, and the one before that."""
    nearest = _one_before(case, place, words)
    if place and (nearest[0].isalnum() or nearest[0] == "?"):
        return nearest, _one_before(case, place - 1, words)
    return nearest, _beyond(case, place - 1, words)


def _one_before(case: TextCase, place: int, words: frozenset[str]) -> str:
    if not place:
        return "^"
    gap = case.gap(place - 1)
    if gap in _APOSTROPHES:
        return f"{case.written(place - 1).lower()}'"
    return _mark(gap) or _known(case, place - 1, words)


def _after(case: TextCase, place: int, words: frozenset[str]) -> tuple[str, str]:
    """The word or mark after a place, and the one after that."""
    nearest = _one_after(case, place, words)
    if place + 1 < len(case.tokens) and (case.gap(place) in _APOSTROPHES or not _mark(case.gap(place))):
        return nearest, _one_after(case, place + 1, words)
    return nearest, _beyond(case, place + 1, words)


def _one_after(case: TextCase, place: int, words: frozenset[str]) -> str:
    gap = case.gap(place)
    if place + 1 == len(case.tokens):
        return _mark(gap) or "$"
    if gap in _APOSTROPHES:
        return f"'{case.written(place + 1).lower()}"
    return _mark(gap) or _known(case, place + 1, words)


def _beyond(case: TextCase, place: int, words: frozenset[str]) -> str:
    """The feature of the word beyond a punctuation mark: `A` if it is capitalised, otherwise the word itself."""
    if not 0 <= place < len(case.tokens):
        return ""
    return "A" if case.is_capitalised(place) else _known(case, place, words)


def _mark(gap: str) -> str:
    return "\n" if "\n" in gap else gap.strip(" \u00a0\t")[:1]


def _known(case: TextCase, place: int, words: frozenset[str]) -> str:
    """The word, if the model knows it, or else how it ends."""
    word = case.written(place).lower()
    if word[0].isdigit():
        return "0"
    if word in words:
        return word
    return "?" + next((ending for ending in _ENDINGS if len(word) > len(ending) + 2 and word.endswith(ending)), "")
