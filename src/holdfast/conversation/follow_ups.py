"""Finds sentences that change what was learned from the same conversation, by reading both.

`The table top will be oak. … We changed our minds: it will be walnut.` No word of the last sentence says what it
changes, so a comparison of words finds nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from holdfast.conversation.extract.references import refers_back
from holdfast.conversation.extract.self_contained import is_understandable, without_lead_in
from holdfast.conversation.extract.sentences import sentences
from holdfast.conversation.extract.speakers import by_speaker
from holdfast.core.conversation import Learned, Message
from holdfast.core.errors import ModelError
from holdfast.text.similarity import content_words
from holdfast.trust.statements.corrections import lead_in
from holdfast.trust.statements.parsing import read

if TYPE_CHECKING:
    from holdfast.conversation.extract.sentences import Sentence

# How many messages after a statement a sentence may still change it, and how many statements it is read with.
_REACH, _MOST = 12, 3
_MAX_CHARACTERS = 200
_ANSWER = 6  # a first sentence with at most this many words answers the question before it, and changes nothing else
_NEAR = 0.3  # minimum cosine of a sentence that names its subject
_MIN_ODDS = 2.5  # minimum log-odds by the reader that a sentence changes a statement
_CONFIDENCE = 0.65


def follow_ups(messages: Sequence[Message], learned: Sequence[Learned]) -> tuple[Learned, ...]:
    """What changes a learned statement of the same conversation, and was not found by its words."""
    if by_speaker(messages)[1] or not learned:
        return ()
    places = {message.id: place for place, message in enumerate(messages)}
    try:
        return tuple(_follow_ups(messages, learned, places))
    except ModelError:  # `holdfast doctor` reports missing and damaged files; words decide meanwhile
        return ()


def change_odds(new: str, old: str) -> float:
    """The log-odds by the reader that a statement changes an older one; NaN if the model cannot be used."""
    from holdfast.models.reader import read_change

    try:
        return read_change(new, old)
    except ModelError:  # as above
        return math.nan


def _follow_ups(
    messages: Sequence[Message], learned: Sequence[Learned], places: Mapping[str, int]
) -> Iterator[Learned]:
    for place, message in enumerate(messages):
        earlier = [fact for fact in learned if 0 < place - _last(fact, places) <= _REACH]
        if message.role != "user" or not earlier:
            continue
        answers = place > 0 and messages[place - 1].text.rstrip().endswith("?")
        for number, sentence in enumerate(sentences(message.text)):
            if answers and not number and len(sentence.text.split()) <= _ANSWER:
                continue
            own = next((fact for fact in learned if message.id in fact.evidence and _quotes(fact, sentence)), None)
            if _may_change(sentence) and not (own and own.changes):
                changed = _changed(sentence.text, earlier)
                if changed is not None:
                    yield _learned(sentence.text, changed, message, own)


def _may_change(sentence: Sentence) -> bool:
    text = sentence.text
    return not sentence.asks and len(text) <= _MAX_CHARACTERS and not read(text).unsure


def _changed(text: str, earlier: Sequence[Learned]) -> Learned | None:
    """The statement that a sentence changes. The nearest are read; a sentence that refers back need not be near."""
    from holdfast.models.reader import nearness, read_change

    near = sorted(((nearness(text, _said(fact)), n) for n, fact in enumerate(earlier)), reverse=True)[:_MOST]
    least = -1.0 if refers_back(text) or lead_in(text).corrects else _NEAR
    odds = [(read_change(text, _said(earlier[n])), -n) for cosine, n in near if cosine >= least]
    best, place = max(odds, default=(-math.inf, 0))
    return earlier[-place] if best >= _MIN_ODDS else None


def _said(fact: Learned) -> str:
    return fact.quote or fact.text


def _learned(text: str, changed: Learned, message: Message, own: Learned | None) -> Learned:
    """The new statement, after the one that it changes unless it names the same thing and is understood alone."""
    if own is not None:
        return replace(own, amends=True, changes=changed.text, read=True)
    line = without_lead_in(text)
    is_named = not content_words(line).isdisjoint(content_words(changed.text))
    line = line if is_named and is_understandable(line) else f"{changed.text} — {line}"
    return replace(
        changed,
        text=line,
        evidence=(message.id,),
        quote=text,
        confidence=_CONFIDENCE,
        slot="",
        amends=True,
        changes=changed.text,
        read=True,
    )


def _last(fact: Learned, places: Mapping[str, int]) -> int:
    return max((places.get(id, -_REACH - 1) for id in fact.evidence), default=-_REACH - 1)


def _quotes(fact: Learned, sentence: Sentence) -> bool:
    return sentence.text in fact.quote or fact.quote in sentence.text
