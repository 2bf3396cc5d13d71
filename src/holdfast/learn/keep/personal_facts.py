"""Finds the attribute of a person that a sentence states, such as where they live or what they prefer."""

from __future__ import annotations

import re

from holdfast.core.frozen import frozen
from holdfast.learn.keep import cues
from holdfast.learn.keep.personal_patterns import FIRST_PERSON, PATTERNS, VALUES, PersonalPattern
from holdfast.learn.keep.sentences import content_words
from holdfast.learn.keep.told import asks_for_name


@frozen
class PersonalFact:
    """What a sentence says about its speaker: the memory type and the question it answers (`slot`)."""

    type: str
    slot: str


def personal_fact(sentence: str) -> PersonalFact | None:
    """The fact that a sentence in the first person states; None if it matches no pattern."""
    if asks_for_name(sentence):
        return PersonalFact("preference", "name")
    text = cues.plain(sentence)
    if not FIRST_PERSON.search(text):
        return None
    for pattern in PATTERNS:
        match = pattern.pattern.search(text)
        if match is not None:
            return PersonalFact(pattern.type, _slot(pattern, match, text))
    return None


def _slot(pattern: PersonalPattern, match: re.Match[str], text: str) -> str:
    """The question answered: fixed where there is one answer, else the words that are not part of the value."""
    about = (match.groupdict().get("about") or "").strip()
    if pattern.single:
        return f"{pattern.slot} {about}".strip()
    words = content_words(about or text[match.start() :])
    named = [word for word in words if not word[0].isdigit() and word not in VALUES]
    return f"{pattern.slot} {' '.join(named[:4])}".strip()
