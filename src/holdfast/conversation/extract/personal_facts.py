"""What people tell of themselves: who they are, what they have, like, do and did."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from holdfast.conversation.extract import cues
from holdfast.conversation.extract.personal_patterns import (
    ASIDE,
    FIGURE,
    FORMS,
    MUSES,
    OF_SELF,
    PROPER,
    TIMES,
    VALUES,
    WISHES,
    PersonalPattern,
)
from holdfast.conversation.extract.sentences import Sentence, telling
from holdfast.conversation.extract.turns import Turn

# Below this the sentence is small talk.
ENOUGH = 0.62
# A sentence of no more words that begins with `I` or `my` is said to be known.
_DIRECT = 10


@dataclass(frozen=True, slots=True)
class PersonalFact:
    """One thing told: the sentence, its kind, the question it answers, and how clear it is from 0 to 1."""

    sentence: Sentence
    type: str
    subject: str
    slot: str
    weight: float


def traits(turn: Turn, most: int = 2) -> tuple[PersonalFact, ...]:
    """The clearest things that somebody tells of themselves in one turn, in the order told."""
    told = [trait for trait in map(_read, turn.said) if trait is not None]
    best = sorted(told, key=lambda one: (-one.weight, one.sentence.start))[:most]
    return tuple(sorted(best, key=lambda one: one.sentence.start))


def _read(sentence: Sentence) -> PersonalFact | None:
    said = cues.plain(sentence.text)
    if sentence.item or len(said) > 400 or not OF_SELF.search(said):
        return None
    found = next(_forms(said), None)
    if found is None:
        return None
    form, match = found
    weight = form.base + _precision(sentence.text, said) - _vagueness(sentence, said[: match.end()])
    if weight < ENOUGH:
        return None
    return PersonalFact(sentence, form.type, "user", _slot(form, match, said), round(min(weight, 1.0), 3))


def _forms(said: str) -> Iterator[tuple[PersonalPattern, re.Match[str]]]:
    for form in FORMS:
        match = form.pattern.search(said)
        if match is not None:
            yield form, match


def _precision(text: str, said: str) -> float:
    """How much there is to hold on to: a figure, a name, a time."""
    figure = FIGURE.search(said) is not None
    name = PROPER.search(text) is not None
    time = TIMES.search(said) is not None
    direct = len(said.split()) <= _DIRECT and OF_SELF.match(said) is not None
    return 0.3 * figure + 0.08 * name + 0.18 * time + 0.33 * (ASIDE.match(said) is not None) + 0.15 * direct


def _vagueness(sentence: Sentence, said: str) -> float:
    """A wish, a question or a guess tells less."""
    wishes = WISHES.match(said) is not None
    return (
        0.25 * wishes
        + 0.2 * sentence.asks
        + 0.2 * (cues.DOUBTS.search(said) is not None or MUSES.search(said) is not None)
    )


def _slot(form: PersonalPattern, match: re.Match[str], said: str) -> str:
    """The question answered: fixed where there is one answer, else the words that do not carry the value."""
    about = (match.groupdict().get("about") or "").strip()
    if form.single:
        return f"{form.slot} {about}".strip()
    words = [word for word in telling(about or said[match.start() :]) if not word[0].isdigit() and word not in VALUES]
    return f"{form.slot} {' '.join(words[:4])}".strip()
