"""Finds sentences that are worth keeping only because they change something that was said before.

`It's Helvetia, I left Allianz in January` is unclear alone, and `Pen test result: the tokens have to expire after 45
minutes` looks like a remark of the moment. After `My household insurance is with Allianz` and `Our session tokens
expire after 12 hours` they say what holds now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from holdfast.conversation.extract import cues
from holdfast.conversation.extract.passing import is_bare_choice
from holdfast.conversation.extract.questions import without_question
from holdfast.conversation.extract.self_contained import is_understandable, without_lead_in
from holdfast.conversation.extract.sentences import content_words, sentences
from holdfast.core.conversation import Learned
from holdfast.core.errors import ModelError
from holdfast.trust.statements.parsing import read
from holdfast.trust.statements.reading import tells_change

if TYPE_CHECKING:
    from datetime import datetime

    from holdfast.conversation.extract.statements import PossibleStatement

    SaidBefore = Callable[[str, datetime], Sequence[str]]

_MAX_CHARACTERS = 200  # maximum length of a sentence
_LONGEST_MESSAGE = 300  # a longer message is not a statement that another one changes
_FEW = 2  # minimum number of words of content of a sentence: `let's go with A` changes nothing by itself
_NEAR, _MOST = 0.3, 3  # minimum cosine of earlier statements, and how many are read
# Log-odds of a change from which a sentence is learned. More than where both are memories: few sentences are.
_LEAST_CHANGE = 0.3
# The same of a sentence that is hardly worth keeping otherwise: its probability is below this.
_LEAST_UNWORTHY, _WORTH_READING = 1.0, 0.15
_ENDED = frozenset(("gone", "ends"))
_CONFIDENCE = 0.65


def overlooked(
    possible: Iterable[PossibleStatement],
    learned: Sequence[Learned],
    said_before: SaidBefore,
) -> tuple[Learned, ...]:
    """What sentences say that change an earlier statement, and that were not learned.

    `said_before` finds what people said before a time in the words of a text, learned or not.
    """
    try:
        return tuple(_overlooked(possible, learned, said_before))
    except ModelError:  # `holdfast doctor` reports missing and damaged files; such sentences are not learned meanwhile
        return ()


def earlier_statements(messages: Iterable[str]) -> Iterator[str]:
    """What the sentences of short messages state, without orders for the moment."""
    for message in messages:
        for sentence in sentences(message) if len(message) <= _LONGEST_MESSAGE else ():
            text = without_question(sentence.text)
            line = without_lead_in(text)
            for_once = cues.SINGLE_ORDER.match(cues.plain(line)) is not None
            if not ("?" in text or for_once or is_bare_choice(line)) and is_understandable(line):
                yield text


def _overlooked(
    possible: Iterable[PossibleStatement],
    learned: Sequence[Learned],
    said_before: SaidBefore,
) -> Iterator[Learned]:
    for statement in possible:
        text = without_question(statement.text)
        if not _may_change(text):
            continue
        own = next((fact for fact in learned if _quotes(fact, statement)), None)
        least = _LEAST_CHANGE if statement.probability >= _WORTH_READING else _LEAST_UNWORTHY
        joined = _with_context(text, statement.context)
        readings = ([] if own else [text]) + ([joined] if joined else [])
        if not readings or (own and own.changes):
            continue
        said = said_before(readings[-1], statement.message.at)
        earlier = list(earlier_statements(message for message in said if message != statement.message.text))
        for reading in readings:
            changed = _changed(reading, earlier, least)
            if changed:
                found = replace(own, amends=True, changes=changed, read=True) if own else _learned(reading, changed, statement)
                yield found
                break


def _with_context(text: str, context: str) -> str:
    """A sentence after the one before it, or after the question that it answers; empty if they are long."""
    joined = f"{context} {text}"
    return joined if context and len(joined) <= _MAX_CHARACTERS else ""


def _may_change(text: str) -> bool:
    """Is it a statement, neither a question nor a doubt?"""
    if len(text) > _MAX_CHARACTERS or "?" in text or is_bare_choice(text):
        return False
    parsed = read(text)
    return not parsed.unsure and (len(content_words(text)) >= _FEW or parsed.negated or bool(parsed.change.kinds & _ENDED))


def _quotes(fact: Learned, statement: PossibleStatement) -> bool:
    same = statement.text in fact.quote or fact.quote in statement.text
    return same and statement.message.id in fact.evidence


def _changed(text: str, earlier: Iterable[str], least: float) -> str:
    """The nearest earlier statement that a sentence changes; empty if it changes none, or only repeats one."""
    from holdfast.models.overheard import overheard_change, second_opinion
    from holdfast.models.reader import nearness

    others = {old for old in earlier if not _repeats(text, old)}
    near = sorted(((nearness(text, old), old) for old in others), reverse=True)[:_MOST]
    read_with = (old for cosine, old in near if cosine >= _NEAR)
    odds = ((overheard_change(text, old, tells_change(text, old), least), old) for old in read_with)
    return next((old for likely, old in odds if likely >= least and (least<1 or second_opinion(text,old)>=2.0)), "")


def _repeats(text: str, old: str) -> bool:
    new, before = read(text), read(old)
    denies = new.negated != before.negated or new.change.kinds & _ENDED != before.change.kinds & _ENDED
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
