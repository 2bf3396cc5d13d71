"""Places in texts at which a word is a person, a thing, a time or a word, to fit the model of names on.

Three sources: every word of the written pairs and worlds, labelled by lists of names, places and times; contexts
written for this purpose, in which any name could stand (`names_contexts.txt`); and texts about registered people.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench import ROOT
from holdfast.core.entity import RegisteredName
from holdfast.entities.first_names import TITLES, ambiguous_names, first_names
from holdfast.entities.name_or_word import TIMES, form_of, meaning_of
from holdfast.entities.registered import find_registered
from holdfast.entities.text_case import TextCase
from holdfast.text.names import fold, name_tokens
from holdfast.text.stop_words import STOP_WORDS

SETS = ROOT / "bench" / "sets" / "updates"
PAIRS = ("plain", "worlds", "project", "personal", "written", "near", "follow", "passing", "more", "train", "dev")
LABELLED = ("words", "words_aside", "test", "sealed_second", "fresh", "corpus")
PERSON, THING, TIME, WORD = range(4)
_SENSES = {"# person": PERSON, "# thing": THING, "# time": TIME, "# word": WORD}
_SHORT, _OFTEN = 3, 25
_SMALL = 0.3  # the share of capitalised things and times that are also learned in small letters
_OTHER = 0.03  # the share of other words in small letters
# Words of the list of names, of times and of places that mean something else too often to be labelled by it.
_NO_NAMES, _NO_TIMES = frozenset({"elle"}), frozenset("may march mars mai spring ete".split())
_NO_PLACES = frozenset("florence jordan chelsea madison".split())


@dataclass(frozen=True, slots=True)
class Sample:
    """A labelled word: what it means, its text, its place there, and how it is written."""

    sense: int
    case: TextCase
    place: int
    form: str

    @property
    def word(self) -> str:
        """The folded word."""
        return self.case.word(self.place)


@dataclass(frozen=True, slots=True)
class Labelled:
    """A text about a registered person, its file, the places to judge, and whether it is linked anyway."""

    file: str
    person: str
    mentions: bool
    is_linked: bool
    samples: tuple[Sample, ...]

    @property
    def is_corpus(self) -> bool:
        """Is it a text of the written pairs and worlds, not one that was written about a name?"""
        return self.file == "corpus"


def case_of(text: str) -> TextCase:
    """The text with its words."""
    return TextCase(text, list(name_tokens(text)))


def texts() -> list[str]:
    """The statements of the written pairs and the memories of the written worlds, each once."""
    found = {row[side] for name in PAIRS for row in _rows(f"pairs_{name}") for side in ("old", "new")}
    for path in (ROOT / "training" / "written" / "worlds").glob("*.tsv"):
        lines = (line.split("\t") for line in path.read_text(encoding="utf-8").splitlines())
        found.update(line[1] for line in lines if line[0][:1] == "M" and len(line) > 1)
    return sorted(found)


def drawn(found: Sequence[str], chance: random.Random) -> list[Sample]:
    """Labels the words of texts by lists; no word counts more often than some others."""
    cases = [case for case in map(case_of, found) if case.informative]
    proper = _proper(cases)
    samples = [
        Sample(sense, case, place, form_of(case, place))
        for case in cases
        for place in range(len(case.tokens))
        if (sense := _sense(case, place, proper, chance)) is not None
    ]
    chance.shuffle(samples)
    return list(_few_each(samples, chance))


def contexts() -> Iterator[Sample]:
    """Every written context with a name in it, with a capital and without."""
    sense = PERSON
    for line in (SETS / "names_contexts.txt").read_text(encoding="utf-8").splitlines():
        sense = _SENSES.get(line, sense)
        for name in ("Xavi", "xavi") if line not in _SENSES else ():
            case = case_of(line.replace("_", name))
            place = [token.word for token in case.tokens].index("xavi")
            yield Sample(sense, case, place, form_of(case, place))


def labelled() -> list[Labelled]:
    """The development texts about registered people; of the fresh ones every second line is put aside."""
    rows = {name: list(_rows(f"names_{name}"))[:: 2 if name == "fresh" else 1] for name in LABELLED}
    return [_labelled(name, row) for name in LABELLED for row in rows[name]]


def _labelled(file: str, row: dict[str, Any]) -> Labelled:
    person, places = row["person"], dict[tuple[int, int], TextCase]()

    def note(case: TextCase, first: int, last: int, is_person: bool) -> bool:
        places[first, last] = case
        return False

    known = [
        RegisteredName(name, name != person, person, person, "person", "person", True)
        for name in (person, *row["aliases"])
    ]
    is_linked = bool(find_registered(row["text"], known, note))
    samples = (_judged(case, first, row["mentions"]) for (first, _), case in places.items())
    return Labelled(file, person, row["mentions"], is_linked, tuple(samples))


def _judged(case: TextCase, place: int, mentions: bool) -> Sample:
    form, meaning = form_of(case, place), meaning_of(case.word(place))
    other = TIME if meaning == "time" else WORD if form == "small" or (form, meaning) == ("start", "word") else THING
    return Sample(PERSON if mentions else other, case, place, form)


def _sense(case: TextCase, place: int, proper: frozenset[str], chance: random.Random) -> int | None:
    word, written = case.word(place), case.written(place)
    if not written.isalpha() or (len(word) < _SHORT and word not in first_names()):
        return None
    if written[0].isupper():
        return None if _in_longer_name(case, place) else _capitalised(word, case.starts_sentence(place), proper)
    if word in TIMES - _NO_TIMES:
        return TIME
    if not written.islower() or word in first_names() or (word in STOP_WORDS and word != "will"):
        return None
    return WORD if word in ambiguous_names() or chance.random() < _OTHER else None


def _capitalised(word: str, starts: bool, proper: frozenset[str]) -> int | None:
    if word in STOP_WORDS or word in TITLES or (word == "may" and starts):
        return None
    if word in TIMES:
        return TIME
    if meaning_of(word) == "place":
        return THING if word not in _NO_PLACES and (word in proper or not starts) else None
    if word in ambiguous_names():
        return None
    if word in first_names() - _NO_NAMES:
        return PERSON
    return WORD if starts and word not in proper else THING


def _in_longer_name(case: TextCase, place: int) -> bool:
    follows = not case.gap(place).strip() and case.is_capitalised(place + 1)
    beside = place > 0 and not case.gap(place - 1).strip(" -") and case.is_capitalised(place - 1)
    return follows or (beside and not case.starts_sentence(place - 1))


def _proper(cases: Iterable[TextCase]) -> frozenset[str]:
    """Words that mostly have a capital inside a sentence."""
    capital, small = Counter[str](), Counter[str]()
    for case in cases:
        for place, token in enumerate(case.tokens):
            if not case.is_capitalised(place):
                small[token.word] += 1
            elif not case.starts_sentence(place):
                capital[token.word] += 1
    return frozenset(word for word, count in capital.items() if count > 1 and count > 2 * small[word])


def _few_each(samples: Iterable[Sample], chance: random.Random) -> Iterator[Sample]:
    seen = Counter[tuple[str, str, int]]()
    for sample in samples:
        key = (sample.word, sample.form, sample.sense)
        seen[key] += 1
        if seen[key] > _OFTEN:
            continue
        yield sample
        is_name = sample.sense in (THING, TIME) and sample.form != "small"
        if sample.sense == PERSON or (is_name and chance.random() < _SMALL):
            yield Sample(sample.sense, sample.case, sample.place, "small")


def _rows(name: str) -> Iterator[dict[str, Any]]:
    yield from map(json.loads, Path(SETS, f"{name}.jsonl").read_text(encoding="utf-8").splitlines())


def first_name(person: str) -> str:
    """The folded first name, by which texts are left out together."""
    return fold(person.split(maxsplit=1)[0])
