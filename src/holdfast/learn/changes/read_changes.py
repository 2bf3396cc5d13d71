"""Finds what a person changes without words that tell it, by reading sentences together with what was said before.

`The table top will be oak. … We changed our minds: it will be walnut.` No word of the last sentence says what it
changes. `It's Helvetia, I left Allianz in January` is unclear alone, and worth keeping only because it changes
something. So a sentence is read with the nearest statements before it: what was learned in the same conversation, and
what people said earlier, learned or not.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from holdfast.core.conversation import Learned, Message
from holdfast.core.errors import ModelError
from holdfast.core.frozen import frozen
from holdfast.learn.keep import cues
from holdfast.learn.keep.passing import is_bare_choice
from holdfast.learn.keep.questions import without_question
from holdfast.learn.keep.quotations import own_sentences
from holdfast.learn.keep.references import refers_back
from holdfast.learn.keep.review_comments import is_review_comment
from holdfast.learn.keep.self_contained import is_understandable, without_lead_in
from holdfast.learn.keep.speakers import by_speaker
from holdfast.statements import marks_change
from holdfast.statements.corrections import lead_in
from holdfast.statements.parsing import read
from holdfast.statements.verdict import are_numbered_apart
from holdfast.text.similarity import content_words

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from holdfast.learn.keep.kept_statements import PossibleStatement
    from holdfast.learn.keep.sentences import Sentence

    SaidBefore = Callable[[str, datetime], Sequence[str]]

_REACH = 12  # how many messages after a statement a sentence of the same conversation may still change it
_MAX_CHARACTERS = 200  # maximum length of a sentence, with the one before it
_LONGEST_MESSAGE = 300  # a longer message is not a statement that another one changes
_ANSWER = 6  # a first sentence with at most this many words answers the question before it, and changes nothing else
_FEW = 2  # minimum number of words of content: `let's go with A` changes nothing by itself, `no Redis any more` does
_MOST = 3  # how many earlier statements are read, the nearest
_CONFIDENCE = 0.65
_CACHED = 512  # messages: each is found by the words of many sentences


@frozen
class _Earlier:
    """An earlier statement. What tells a change need not name it if `told` is set, nor be near it if `far` is set."""

    text: str
    told: bool = False
    far: bool = False
    fact: Learned | None = None


def follow_ups(messages: Sequence[Message], learned: Sequence[Learned], known: int = 0) -> tuple[Learned, ...]:
    """What changes an earlier statement of the same conversation, and was not found by its words.

    What the first messages change, as many as are `known`, is left out. What was not worth a memory by itself may be
    changed too, if words say that something changes; then both are learned as one statement.
    """
    if by_speaker(messages)[1]:
        return ()
    try:
        return tuple(_follow_ups(messages, learned, known))
    except ModelError:  # `holdfast doctor` reports missing and damaged files; words decide meanwhile
        return ()


def overlooked(
    possible: Iterable[PossibleStatement], learned: Sequence[Learned], said_before: SaidBefore
) -> tuple[Learned, ...]:
    """What sentences say that change an earlier statement, and that were not learned, or not as a change.

    `said_before` finds what people said before a time in the words of a text, learned or not.
    """
    try:
        found = [_overlooked(statement, learned, said_before) for statement in possible]
    except ModelError:  # `holdfast doctor` reports missing and damaged files; such sentences are not learned meanwhile
        return ()
    return tuple(fact for fact in found if fact is not None)


def _follow_ups(messages: Sequence[Message], learned: Sequence[Learned], known: int) -> Iterator[Learned]:
    places = {message.id: place for place, message in enumerate(messages)}
    others: list[tuple[int, str]] = []  # what the person said and was not learned, with its place
    for place, message in enumerate(messages):
        if message.role != "user":
            continue
        facts = [fact for fact in learned if 0 < place - _last(fact, places) <= _REACH]
        answers = place > 0 and messages[place - 1].text.rstrip().endswith("?")
        for number, sentence in enumerate(own_sentences(message.text)):
            own = _learned_from(sentence.text, message, learned)
            if sentence.asks or len(sentence.text) > _MAX_CHARACTERS or (own is None and _is_none(sentence, message)):
                continue
            is_answer = answers and not number and len(sentence.text.split()) <= _ANSWER
            if place >= known and not (is_answer or (own and own.changes) or read(sentence.text).unsure):
                said = [text for at, text in others if 0 < place - at <= _REACH] if own is None else []
                changed = _changed(sentence.text, _candidates(sentence.text, facts, said))
                if changed is not None:
                    yield _as_change(own, sentence.text, sentence.text, changed, message)
            if own is None:
                others.append((place, sentence.text))


def _is_none(sentence: Sentence, message: Message) -> bool:
    """Is a sentence that was not learned no statement, but a choice or a pasted comment?"""
    return is_bare_choice(sentence.text) or is_review_comment(message.text, sentence.start, sentence.end)


def _candidates(text: str, facts: Iterable[Learned], said: Iterable[str]) -> Iterator[_Earlier]:
    """What a sentence may change. If it refers back or corrects, it need not be near what was learned."""
    corrects = lead_in(text).corrects
    for fact in facts:
        yield _Earlier(fact.quote or fact.text, corrects, corrects or refers_back(text), fact)
    if corrects or marks_change(text):
        yield from (_Earlier(without_lead_in(other), True) for other in said if _states(other))


def _overlooked(statement: PossibleStatement, learned: Sequence[Learned], said_before: SaidBefore) -> Learned | None:
    """What a sentence changes by itself or, if it was learned or changes nothing, together with what is before it."""
    text, message = without_question(statement.text), statement.message
    own = _learned_from(statement.text, message, learned)
    if not _may_change(text) or (own is not None and own.changes):
        return None
    after = _after_context(text, statement.context)
    readings = after if own else [text, *after]
    said = [other for other in said_before(readings[-1], message.at) if other != message.text] if readings else []
    earlier = {old for other in said for old in earlier_statements(other)}
    for reading in readings:
        found = (_Earlier(old) for old in earlier if not _repeats(reading, old))
        if changed := _changed(reading, found, learns=True):
            return _as_change(own, reading, reading if reading in message.text else statement.text, changed, message)
    return None


@lru_cache(maxsize=_CACHED)
def earlier_statements(message: str) -> tuple[str, ...]:
    """What the sentences of a short message state that are understood alone, without orders for the moment."""
    if len(message) > _LONGEST_MESSAGE:
        return ()
    stated = (without_question(sentence.text) for sentence in own_sentences(message))
    return tuple(text for text in stated if "?" not in text and not is_bare_choice(text) and _states(text))


def _states(text: str) -> bool:
    """Is a sentence understood alone, and no order for the moment?"""
    line = without_lead_in(text)
    plain = cues.plain(line)
    for_once = cues.SINGLE_ORDER.match(plain) is not None and not plain.startswith("let's ")
    return not for_once and is_understandable(line)


def _after_context(text: str, context: str) -> list[str]:
    """A sentence after the one before it or the question that it answers; nothing if they are long.

    `The lift company moved us. The work is from Thursday to Saturday.`
    """
    joined = f"{context} {text}"
    return [joined] if context and len(joined) <= _MAX_CHARACTERS else []


def _may_change(text: str) -> bool:
    """Is it a statement, neither a question nor a doubt?"""
    if len(text) > _MAX_CHARACTERS or "?" in text or is_bare_choice(text):
        return False
    parsed = read(text)
    return not parsed.unsure and (len(content_words(text)) >= _FEW or parsed.negated or parsed.ended)


def _repeats(text: str, old: str) -> bool:
    """Has it only words of the older one? `We don't ship on Fridays any more` denies what it repeats."""
    new, before = read(text), read(old)
    denies = new.negated != before.negated or new.ended != before.ended
    return not denies and content_words(text) <= content_words(old)


def _changed(text: str, earlier: Iterable[_Earlier], learns: bool = False) -> _Earlier | None:
    """The earlier statement that a sentence most likely changes; the nearest are read.

    `learns` is set if the sentence is learned only for what it changes, which must then be likelier.
    """
    from holdfast.models.reader import nearness
    from holdfast.statements.odds import overheard_odds, relation_limits

    limits = relation_limits()
    least = limits.change_learned if learns else limits.change
    new = read(text)
    apart = (one for one in earlier if not are_numbered_apart(new, read(one.text)))
    near = sorted(
        ((nearness(text, one.text), -n, one) for n, one in enumerate(apart)), key=lambda f: f[:2], reverse=True
    )
    read_with = [one for cosine, _, one in near[:_MOST] if one.far or cosine >= limits.near]
    odds = [(overheard_odds(text, one.text, one.told, least), -n) for n, one in enumerate(read_with)]
    best, place = max(odds, default=(-math.inf, 0))
    return read_with[-place] if best >= least else None


def _as_change(own: Learned | None, text: str, quote: str, changed: _Earlier, message: Message) -> Learned:
    """The new statement, after the one that it changes unless it names the same thing and is understood alone."""
    before = changed.fact.text if changed.fact else changed.text
    if own is not None:
        return replace(own, amends=True, changes=before, read=True)
    line = without_lead_in(text)
    alone = not content_words(line).isdisjoint(content_words(before)) and is_understandable(line)
    personal = read(before if changed.told else text).personal
    of_person = Learned("", "fact" if personal else "decision", (), "", 0.0, subject="user" if personal else "")
    return replace(
        changed.fact or of_person,
        text=line if alone else f"{before} — {line}",
        evidence=(message.id,),
        quote=quote,
        confidence=_CONFIDENCE,
        slot="",
        amends=True,
        changes=before,
        read=True,
    )


def _last(fact: Learned, places: Mapping[str, int]) -> int:
    return max((places.get(id, -_REACH - 1) for id in fact.evidence), default=-_REACH - 1)


def _learned_from(text: str, message: Message, learned: Sequence[Learned]) -> Learned | None:
    """What was learned from a sentence of a message."""
    of_message = (fact for fact in learned if message.id in fact.evidence)
    return next((fact for fact in of_message if text in fact.quote or fact.quote in text), None)
