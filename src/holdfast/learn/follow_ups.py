"""Finds sentences that change what was said before in the same conversation, by reading both.

`The table top will be oak. … We changed our minds: it will be walnut.` No word of the last sentence says what it
changes, so a comparison of words finds nothing. What was not worth a memory by itself may be changed too, if words say
that something changes: `Let's paint the hall blue. … Finally, we take green.` Then both are learned as one statement.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from holdfast.core.conversation import Learned, Message
from holdfast.core.errors import ModelError
from holdfast.learn.keep import cues
from holdfast.learn.keep.passing import is_bare_choice
from holdfast.learn.keep.quotations import own_sentences
from holdfast.learn.keep.references import refers_back
from holdfast.learn.keep.review_comments import is_review_comment
from holdfast.learn.keep.self_contained import is_understandable, without_lead_in
from holdfast.learn.keep.speakers import by_speaker
from holdfast.statements.corrections import lead_in
from holdfast.statements.pair_reading import tells_change
from holdfast.statements.parsing import read
from holdfast.statements.verdict import are_numbered_apart, marks_change
from holdfast.text.similarity import content_words

if TYPE_CHECKING:
    from holdfast.learn.keep.sentences import Sentence

# How many messages after a statement a sentence may still change it, and how many statements it is read with.
_REACH, _MOST = 12, 3
_MAX_CHARACTERS = 200
_ANSWER = 6  # a first sentence with at most this many words answers the question before it, and changes nothing else
_NEAR = 0.3  # minimum cosine of a sentence that names its subject
_CONFIDENCE = 0.65


def follow_ups(messages: Sequence[Message], learned: Sequence[Learned], known: int = 0) -> tuple[Learned, ...]:
    """What changes an earlier statement of the same conversation, and was not found by its words.

    What the first messages change, as many as are `known`, is left out.
    """
    if by_speaker(messages)[1]:
        return ()
    places = {message.id: place for place, message in enumerate(messages)}
    try:
        return tuple(_follow_ups(messages, learned, places, known))
    except ModelError:  # `holdfast doctor` reports missing and damaged files; words decide meanwhile
        return ()


def _follow_ups(
    messages: Sequence[Message], learned: Sequence[Learned], places: Mapping[str, int], known: int
) -> Iterator[Learned]:
    others: list[tuple[int, str, Message]] = []  # what the person said and was not learned, with its place
    for place, message in enumerate(messages):
        if message.role != "user":
            continue
        facts = [fact for fact in learned if 0 < place - _last(fact, places) <= _REACH]
        answers = place > 0 and messages[place - 1].text.rstrip().endswith("?")
        for number, sentence in enumerate(own_sentences(message.text)):
            if sentence.asks or len(sentence.text) > _MAX_CHARACTERS:
                continue
            own = next((fact for fact in learned if message.id in fact.evidence and _quotes(fact, sentence)), None)
            if own is None and (is_bare_choice(sentence.text) or _is_pasted(sentence, message)):
                continue
            is_answer = answers and not number and len(sentence.text.split()) <= _ANSWER
            may_change = place >= known and not (is_answer or (own and own.changes))
            if may_change and not read(sentence.text).unsure:
                told = own is None and _tells_change(sentence.text)
                said = (
                    [s for at, text, by in others if 0 < place - at <= _REACH for s in _stated(text, by)]
                    if told
                    else []
                )
                changed = _changed(sentence.text, facts, said) if facts or said else None
                if changed is not None:
                    yield _learned(sentence.text, changed, message, own)
            if own is None:
                others.append((place, sentence.text, message))


def _is_pasted(sentence: Sentence, message: Message) -> bool:
    return is_review_comment(message.text, sentence.start, sentence.end)


def _tells_change(text: str) -> bool:
    return marks_change(text) or lead_in(text).corrects


def _stated(text: str, message: Message) -> Iterator[Learned]:
    """A sentence as a statement that may be changed, if it is understood alone and is no order for the moment."""
    line = without_lead_in(text)
    plain = cues.plain(line)
    for_once = cues.SINGLE_ORDER.match(plain) is not None and not plain.startswith("let's ")
    if not for_once and is_understandable(line):
        personal = read(line).personal
        yield Learned(
            text=line,
            type="fact" if personal else "decision",
            evidence=(message.id,),
            quote=text,
            confidence=_CONFIDENCE,
            subject="user" if personal else "",
        )


def _changed(text: str, facts: Sequence[Learned], others: Sequence[Learned]) -> Learned | None:
    """The statement that a sentence changes. The nearest are read.

    A sentence that refers back or corrects need not be near a learned fact. `others` were not learned, so nothing is
    retired if the sentence changes them: there, and in a correction, words that tell a change need not name what they
    change.
    """
    from holdfast.models.overheard import LEAST_CHANGE, overheard_change
    from holdfast.models.reader import nearness

    new, corrects = read(text), lead_in(text).corrects
    facts = [fact for fact in facts if not are_numbered_apart(new, read(_said(fact)))]
    earlier = (*facts, *(other for other in others if not are_numbered_apart(new, read(_said(other)))))
    near = sorted(((nearness(text, _said(fact)), n) for n, fact in enumerate(earlier)), reverse=True)[:_MOST]
    least = -1.0 if refers_back(text) or corrects else _NEAR
    told = [corrects or n >= len(facts) or tells_change(text, _said(fact)) for n, fact in enumerate(earlier)]
    read_with = [n for cosine, n in near if cosine >= (least if n < len(facts) else _NEAR)]
    odds = [(overheard_change(text, _said(earlier[n]), told[n], LEAST_CHANGE), -n) for n in read_with]
    best, place = max(odds, default=(-math.inf, 0))
    return earlier[-place] if best >= LEAST_CHANGE else None


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
