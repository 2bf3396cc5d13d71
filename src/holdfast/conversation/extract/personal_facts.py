"""Finds sentences in which people describe themselves: who they are, what they have, like, do and did."""

from __future__ import annotations

import re
from collections.abc import Iterator

from holdfast.conversation.extract import cues
from holdfast.conversation.extract.personal_patterns import (
    ASIDE,
    FIGURE,
    FIRST_PERSON,
    INTENTIONS,
    PATTERNS,
    PROPER_NAME,
    TIMES,
    VALUES,
    WISHES,
    PersonalPattern,
)
from holdfast.conversation.extract.sentences import Sentence, content_words
from holdfast.conversation.extract.turns import Turn
from holdfast.core.frozen import frozen

# Below this weight a sentence is small talk.
MIN_WEIGHT = 0.62
# A sentence that begins with `I` or `my` and has at most this many words is a direct statement.
_DIRECT_WORDS = 10


@frozen
class PersonalFact:
    """A sentence about its speaker: the memory type, the question it answers (`slot`), and how clear it is (0 to 1)."""

    sentence: Sentence
    type: str
    subject: str
    slot: str
    weight: float


def find_personal_facts(turn: Turn, most: int = 2) -> tuple[PersonalFact, ...]:
    """The clearest statements of a person about themselves in one turn, at most `most`, in the order of the turn."""
    facts = [fact for fact in map(_read, turn.sentences) if fact is not None]
    best = sorted(facts, key=lambda fact: (-fact.weight, fact.sentence.start))[:most]
    return tuple(sorted(best, key=lambda fact: fact.sentence.start))


def _read(sentence: Sentence) -> PersonalFact | None:
    text = cues.plain(sentence.text)
    if sentence.item or len(text) > 400 or not FIRST_PERSON.search(text):
        return None
    found = next(_matches(text), None)
    if found is None:
        return None
    pattern, match = found
    weight = pattern.base + _precision(sentence.text, text) - _vagueness(sentence, text[: match.end()])
    if weight < MIN_WEIGHT:
        return None
    return PersonalFact(sentence, pattern.type, "user", _slot(pattern, match, text), round(min(weight, 1.0), 3))


def _matches(text: str) -> Iterator[tuple[PersonalPattern, re.Match[str]]]:
    for pattern in PATTERNS:
        match = pattern.pattern.search(text)
        if match is not None:
            yield pattern, match


def _precision(original: str, text: str) -> float:
    """Weight for concrete detail: a figure, a name, a time, a remark made in passing, a direct statement."""
    figure = FIGURE.search(text) is not None
    name = PROPER_NAME.search(original) is not None
    time = TIMES.search(text) is not None
    direct = len(text.split()) <= _DIRECT_WORDS and FIRST_PERSON.match(text) is not None
    return 0.3 * figure + 0.08 * name + 0.18 * time + 0.33 * (ASIDE.match(text) is not None) + 0.15 * direct


def _vagueness(sentence: Sentence, text: str) -> float:
    """Weight deducted for a wish, a question or a guess."""
    wishes = WISHES.match(text) is not None
    return (
        0.25 * wishes
        + 0.2 * sentence.asks
        + 0.2 * (cues.DOUBTS.search(text) is not None or INTENTIONS.search(text) is not None)
    )


def _slot(pattern: PersonalPattern, match: re.Match[str], text: str) -> str:
    """The question answered: fixed where there is one answer, else the words that are not part of the value."""
    about = (match.groupdict().get("about") or "").strip()
    if pattern.single:
        return f"{pattern.slot} {about}".strip()
    words = content_words(about or text[match.start() :])
    named = [word for word in words if not word[0].isdigit() and word not in VALUES]
    return f"{pattern.slot} {' '.join(named[:4])}".strip()
