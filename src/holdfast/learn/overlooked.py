"""Finds sentences that are worth keeping only because they change something that was said before.

`It's Helvetia, I left Allianz in January` is unclear alone, and `Pen test result: the tokens have to expire after 45
minutes` looks like a remark of the moment. After `My household insurance is with Allianz` and `Our session tokens
expire after 12 hours` they say what holds now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from holdfast.core.conversation import Learned, Message
from holdfast.core.errors import ModelError
from holdfast.learn.keep import cues
from holdfast.learn.keep.passing import is_bare_choice
from holdfast.learn.keep.questions import without_question
from holdfast.learn.keep.quotations import own_sentences
from holdfast.learn.keep.self_contained import is_understandable, without_lead_in
from holdfast.learn.keep.sentences import content_words
from holdfast.statements.pair_reading import tells_change
from holdfast.statements.parsing import read

if TYPE_CHECKING:
    from datetime import datetime

    from holdfast.learn.keep.kept_statements import PossibleStatement

    SaidBefore = Callable[[str, datetime], Sequence[str]]

_MAX_CHARACTERS = 200  # maximum length of a sentence, with the one before it
_LONGEST_MESSAGE = 300  # a longer message is not a statement that another one changes
_FEW = 2  # minimum number of words of content: `let's go with A` changes nothing by itself, `no Redis any more` does
_NEAR, _MOST = 0.3, 3  # minimum cosine of earlier statements, and how many are read
# Log-odds of a change from which a sentence is learned. More than where both are memories: few sentences are.
_LEAST_CHANGE = 0.3
_CONFIDENCE = 0.65
_CACHED = 512  # messages: each is found by the words of many sentences


def overlooked(
    possible: Iterable[PossibleStatement],
    learned: Sequence[Learned],
    said_before: SaidBefore,
) -> tuple[Learned, ...]:
    """What sentences say that change an earlier statement, and that were not learned, or not as a change.

    `said_before` finds what people said before a time in the words of a text, learned or not.
    """
    try:
        found = [_overlooked(statement, learned, said_before) for statement in possible]
    except ModelError:  # `holdfast doctor` reports missing and damaged files; such sentences are not learned meanwhile
        return ()
    return tuple(fact for fact in found if fact is not None)


@lru_cache(maxsize=_CACHED)
def earlier_statements(message: str) -> tuple[str, ...]:
    """What the sentences of a short message state that are understood alone, without orders for the moment."""
    if len(message) > _LONGEST_MESSAGE:
        return ()
    stated = (without_question(sentence.text) for sentence in own_sentences(message))
    return tuple(text for text in stated if _states(text))


def _states(text: str) -> bool:
    line = without_lead_in(text)
    for_once = cues.SINGLE_ORDER.match(cues.plain(line)) is not None
    return not ("?" in text or for_once or is_bare_choice(line)) and is_understandable(line)


def _overlooked(statement: PossibleStatement, learned: Sequence[Learned], said_before: SaidBefore) -> Learned | None:
    """What a sentence changes by itself or, if it was learned or changes nothing, together with what is before it."""
    text = without_question(statement.text)
    own = next((fact for fact in learned if _quotes(fact, statement)), None)
    if not _may_change(text) or (own is not None and own.changes):
        return None
    after = _after_context(text, statement.context)
    readings = after if own else [text, *after]
    earlier = _said_earlier(readings[-1], statement.message, said_before) if readings else ()
    for reading in readings:
        if changed := _changed(reading, earlier):
            as_change = own and replace(own, amends=True, changes=changed, read=True)
            return as_change or _learned(reading, changed, statement)
    return None


def _said_earlier(text: str, message: Message, said_before: SaidBefore) -> list[str]:
    said = (other for other in said_before(text, message.at) if other != message.text)
    return [statement for other in said for statement in earlier_statements(other)]


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


def _quotes(fact: Learned, statement: PossibleStatement) -> bool:
    same = statement.text in fact.quote or fact.quote in statement.text
    return same and statement.message.id in fact.evidence


def _changed(text: str, earlier: Iterable[str]) -> str:
    """The nearest earlier statement that a sentence changes; empty if it changes none, or only repeats one."""
    from holdfast.models.overheard import overheard_change
    from holdfast.models.reader import nearness

    others = {old for old in earlier if not _repeats(text, old)}
    near = sorted(((nearness(text, old), old) for old in others), reverse=True)[:_MOST]
    read_with = (old for cosine, old in near if cosine >= _NEAR)
    odds = ((overheard_change(text, old, tells_change(text, old), _LEAST_CHANGE), old) for old in read_with)
    return next((old for likely, old in odds if likely >= _LEAST_CHANGE), "")


def _repeats(text: str, old: str) -> bool:
    """Has it only words of the older one? `We don't ship on Fridays any more` denies what it repeats."""
    new, before = read(text), read(old)
    denies = new.negated != before.negated or new.ended != before.ended
    return not denies and set(content_words(text)) <= set(content_words(old))


def _learned(text: str, changed: str, statement: PossibleStatement) -> Learned:
    """The new statement, after the one that it changes unless it names the same thing and is understood alone."""
    line = without_lead_in(text)
    is_named = not set(content_words(line)).isdisjoint(content_words(changed))
    alone = is_named and is_understandable(line)
    personal = read(text).personal
    return Learned(
        text=line if alone else f"{changed} — {line}",
        type="fact" if personal else "decision",
        evidence=(statement.message.id,),
        quote=text if text in statement.message.text else statement.text,
        confidence=_CONFIDENCE,
        subject="user" if personal else "",
        amends=True,
        changes=changed,
        read=True,
    )
