"""Extracts rulings, commitments and personal facts from messages by patterns of speech, without a model."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from holdfast.conversation.extract import cues
from holdfast.conversation.extract.amendments import UNCHANGED_TAG, amends_earlier, named_changes
from holdfast.conversation.extract.commitments import Commitment, find_commitments
from holdfast.conversation.extract.dates import past_day
from holdfast.conversation.extract.personal_facts import PersonalFact, find_personal_facts
from holdfast.conversation.extract.rulings import Ruling, find_rulings
from holdfast.conversation.extract.sentences import content_words
from holdfast.conversation.extract.turns import Turn, split_into_turns, topic
from holdfast.core.conversation import Learned, Message

COMMITMENT = "commitment"
# The highest confidence stays below that of a memory a person taught.
_MIN_CONFIDENCE, _MAX_CONFIDENCE = 0.4, 0.75
_CONTEXT_CHARACTERS = 240
_FEW_WORDS = 6
# A ruling with fewer content words is unclear without the question it answers.
_UNCLEAR = 4
_DEPENDENT = cues.beginning(
    "and  but  so  then  also  et  mais  donc  alors  yes  oui",
    """
    it  its  that  that's  this  those  these  they  they're  them  then  same  both  neither  no  not  right  exactly
    almost  \\w+ it  ça  cela  c'est  ils  elles  non  pas
    """,
)
_CHANGE = cues.words(
    r"now  no longer  anymore  switched  changed  moved  instead  upgraded  maintenant  désormais  ne \w+ plus"
)
_PREFERENCE = cues.words(r"prefers?  preferred  would rather  i like  we like  préfèr\w+")
_OPTION = re.compile(r"\b(?:option|choice|variant|plan|choix) (?:\d|[a-d]\b)")
_PRONOUN = cues.words("it  them  ones?  that one  there  ça")


def learn(messages: Sequence[Message]) -> tuple[Learned, ...]:
    """Extracts rulings, commitments and personal facts from messages of one conversation, in their order.

    Deterministic. Each result quotes its evidence verbatim; its confidence is lower than that of a taught memory.
    Statements of the assistant count only where the person agreed to them.
    """
    turns = split_into_turns(messages)
    rulings = tuple(_rulings(turns, messages))
    personal = (learned for turn in turns for learned in (*_commitments(turn), *_personal_facts(turn)))
    return _in_order(_without_overlaps((*rulings, *personal)), messages)


def _rulings(turns: Sequence[Turn], messages: Sequence[Message]) -> Iterator[Learned]:
    rulings = find_rulings(turns)
    if not rulings:
        return
    about = topic(turns)
    amending = amends_earlier(turns)
    replaced = named_changes(messages) if amending else ""
    for ruling in rulings:
        yield _from_ruling(ruling, about, amending, replaced)


def _from_ruling(ruling: Ruling, about: str, amending: bool, replaced: str) -> Learned:
    text = cues.plain(ruling.quote)
    unchanged = amending and cues.UNCHANGED.search(text) is not None
    amends = not unchanged and ((amending and ruling.agreed is None) or cues.CHANGES.search(text) is not None)
    evidence = (ruling.message.id,) if ruling.agreed is None else (ruling.message.id, ruling.agreed.id)
    return Learned(
        text=_self_contained(ruling, about),
        type=_type(text),
        evidence=evidence,
        quote=ruling.quote,
        confidence=_confidence(0.45 + 0.1 * ruling.weight),
        subject=about,
        slot=replaced if amends and replaced else " ".join(content_words(ruling.quote)[:4]),
        amends=amends,
        tags=(UNCHANGED_TAG,) if unchanged else (),
    )


def _self_contained(ruling: Ruling, about: str) -> str:
    """The person's words, preceded by the question they answer when they are unclear without it."""
    words = _one_line(ruling.quote)
    dependent = len(content_words(words)) < _UNCLEAR or _DEPENDENT.match(cues.plain(words))
    before = _answered(ruling) if dependent and ruling.agreed is None else ""
    text = f"{_shortened(_one_line(before))} — {words}" if before else words
    return text if not about or about.lower() in text.lower() else f"{about}: {text}"


def _answered(ruling: Ruling) -> str:
    """The text a ruling answers: the option it chooses, the assistant's question, or the assistant's proposal."""
    option = _OPTION.search(ruling.quote.lower())
    if option is not None:
        offered = (s.text for s in ruling.turn.assistant_sentences if option[0] in s.text.lower() and not s.asks)
        return next(offered, ruling.turn.question)
    return ruling.turn.question or ruling.turn.proposal


def _type(text: str) -> str:
    if _PREFERENCE.search(text):
        return "preference"
    return "requirement" if cues.STRONG.search(text) else "decision"


def _commitments(turn: Turn) -> Iterator[Learned]:
    for commitment in find_commitments(turn):
        yield _from_commitment(commitment, turn.message)


def _from_commitment(commitment: Commitment, message: Message) -> Learned:
    quote = commitment.sentence.text
    due = f" (due {commitment.due.date().isoformat()})" if commitment.due else ""
    return Learned(
        text=f"{_one_line(quote)}{due}",
        type="fact",
        evidence=(message.id,),
        quote=quote,
        confidence=0.6 if commitment.due else 0.5,
        subject="user",
        slot=f"will {' '.join(content_words(quote)[:4])}",
        when=commitment.due,
        tags=(COMMITMENT,),
    )


def _personal_facts(turn: Turn) -> Iterator[Learned]:
    for fact in find_personal_facts(turn):
        yield _from_personal_fact(fact, turn)


def _from_personal_fact(fact: PersonalFact, turn: Turn) -> Learned:
    text = cues.plain(fact.sentence.text)
    quote = _with_antecedent(fact, turn)
    return Learned(
        text=_one_line(quote),
        type=fact.type,
        evidence=(turn.message.id,),
        quote=quote,
        confidence=_confidence(0.35 + 0.4 * fact.weight),
        subject=fact.subject,
        slot=fact.slot,
        when=past_day(text, turn.message.at),
        amends=_CHANGE.search(text) is not None,
    )


def _with_antecedent(fact: PersonalFact, turn: Turn) -> str:
    """Adds the preceding sentence to a short one with a pronoun, such as `I bought it last week`."""
    sentence = fact.sentence
    place = turn.sentences.index(sentence)
    unclear = _PRONOUN.search(cues.plain(sentence.text)) and len(content_words(sentence.text)) < _FEW_WORDS
    return turn.message.text[turn.sentences[place - 1].start : sentence.end] if place and unclear else sentence.text


def _without_overlaps(results: Iterable[Learned]) -> list[Learned]:
    """Keeps the first of two results that quote the same words of the same message."""
    kept: list[Learned] = []
    for learned in results:
        if not any(other.evidence == learned.evidence and _overlap(learned.quote, other.quote) for other in kept):
            kept.append(learned)
    return kept


def _overlap(first: str, second: str) -> bool:
    return first in second or second in first


def _in_order(results: Iterable[Learned], messages: Sequence[Message]) -> tuple[Learned, ...]:
    place = {message.id: number for number, message in enumerate(messages)}
    text = {message.id: message.text for message in messages}

    def position(learned: Learned) -> tuple[int, int]:
        return place[learned.evidence[-1]], text[learned.evidence[0]].find(learned.quote)

    return tuple(sorted(results, key=position))


def _confidence(value: float) -> float:
    return round(min(_MAX_CONFIDENCE, max(_MIN_CONFIDENCE, value)), 2)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _shortened(text: str) -> str:
    return text if len(text) <= _CONTEXT_CHARACTERS else "…" + text[-_CONTEXT_CHARACTERS:].partition(" ")[2]
