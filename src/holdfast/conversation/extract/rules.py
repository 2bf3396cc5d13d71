"""What a conversation leaves behind, found by how people speak; no model is asked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from holdfast.conversation.extract import cues
from holdfast.conversation.extract.amendments import STANDS, amends_earlier, named_changes
from holdfast.conversation.extract.commitments import Commitment, promises
from holdfast.conversation.extract.dates import back
from holdfast.conversation.extract.personal_facts import PersonalFact, traits
from holdfast.conversation.extract.rulings import Ruling, rulings
from holdfast.conversation.extract.sentences import telling
from holdfast.conversation.extract.turns import Turn, topic, turns
from holdfast.core.conversation import Learned, Message

COMMITMENT = "commitment"
# Never as sure as what was taught.
_LEAST, _MOST = 0.4, 0.75
_CONTEXT = 240
_FEW_WORDS = 6
# So few words of a ruling say little without what they answer.
_LITTLE = 4
_LEANS = cues.beginning(
    "and  but  so  then  also  et  mais  donc  alors  yes  oui",
    """
    it  its  that  that's  this  those  these  they  they're  them  then  same  both  neither  no  not  right  exactly
    almost  \\w+ it  ça  cela  c'est  ils  elles  non  pas
    """,
)
_MOVES = cues.words(
    r"now  no longer  anymore  switched  changed  moved  instead  upgraded  maintenant  désormais  ne \w+ plus"
)
_PREFERS = cues.words(r"prefers?  preferred  would rather  i like  we like  préfèr\w+")
_OPTION = re.compile(r"\b(?:option|choice|variant|plan|choix) (?:\d|[a-d]\b)")
_POINTS = cues.words("it  them  ones?  that one  there  ça")


def learn(messages: Sequence[Message]) -> tuple[Learned, ...]:
    """What is worth keeping of a stretch of one conversation, in the order said.

    The same messages always give the same. Each find quotes its evidence word for word; the confidence is lower than
    of what was taught. What the assistant said counts only where the person agreed to it.
    """
    talk = turns(messages)
    settled = tuple(_rulings(talk, messages))
    own = (one for turn in talk for one in (*_promises(turn), *_traits(turn)))
    return _in_order(_once((*settled, *own)), messages)


def _rulings(talk: Sequence[Turn], messages: Sequence[Message]) -> Iterator[Learned]:
    found = rulings(talk)
    if not found:
        return
    about = topic(talk)
    amending = amends_earlier(talk)
    names = named_changes(messages) if amending else ""
    for ruling in found:
        yield _ruled(ruling, about, amending, names)


def _ruled(ruling: Ruling, about: str, amending: bool, names: str) -> Learned:
    said = cues.plain(ruling.quote)
    stands = amending and cues.STANDS.search(said) is not None
    amends = not stands and ((amending and ruling.agreed is None) or cues.CHANGES.search(said) is not None)
    witnesses = (ruling.message.id,) if ruling.agreed is None else (ruling.message.id, ruling.agreed.id)
    return Learned(
        text=_standing_alone(ruling, about),
        type=_type(said),
        evidence=witnesses,
        quote=ruling.quote,
        confidence=_confidence(0.45 + 0.1 * ruling.weight),
        subject=about,
        slot=names if amends and names else " ".join(telling(ruling.quote)[:4]),
        amends=amends,
        tags=(STANDS,) if stands else (),
    )


def _standing_alone(ruling: Ruling, about: str) -> str:
    """The person's words, after what they answer where they would say little alone."""
    said = _one_line(ruling.quote)
    leans = len(telling(said)) < _LITTLE or _LEANS.match(cues.plain(said))
    before = _answered(ruling) if leans and ruling.agreed is None else ""
    text = f"{_shortened(_one_line(before))} — {said}" if before else said
    return text if not about or about.lower() in text.lower() else f"{about}: {text}"


def _answered(ruling: Ruling) -> str:
    """What the words answer: the option they choose, the question asked, or what the assistant was about to do."""
    option = _OPTION.search(ruling.quote.lower())
    if option is not None:
        offered = (one.text for one in ruling.turn.heard if option[0] in one.text.lower() and not one.asks)
        return next(offered, ruling.turn.asked)
    return ruling.turn.asked or ruling.turn.proposed


def _type(said: str) -> str:
    if _PREFERS.search(said):
        return "preference"
    return "requirement" if cues.STRONG.search(said) else "decision"


def _promises(turn: Turn) -> Iterator[Learned]:
    for promise in promises(turn):
        yield _promised(promise, turn.message)


def _promised(promise: Commitment, message: Message) -> Learned:
    quote = promise.sentence.text
    due = f" (due {promise.due.date().isoformat()})" if promise.due else ""
    return Learned(
        text=f"{_one_line(quote)}{due}",
        type="fact",
        evidence=(message.id,),
        quote=quote,
        confidence=0.6 if promise.due else 0.5,
        subject="user",
        slot=f"will {' '.join(telling(quote)[:4])}",
        when=promise.due,
        tags=(COMMITMENT,),
    )


def _traits(turn: Turn) -> Iterator[Learned]:
    for trait in traits(turn):
        yield _told(trait, turn)


def _told(trait: PersonalFact, turn: Turn) -> Learned:
    said = cues.plain(trait.sentence.text)
    quote = _with_what_it_means(trait, turn)
    return Learned(
        text=_one_line(quote),
        type=trait.type,
        evidence=(turn.message.id,),
        quote=quote,
        confidence=_confidence(0.35 + 0.4 * trait.weight),
        subject=trait.subject,
        slot=trait.slot,
        when=back(said, turn.message.at),
        amends=_MOVES.search(said) is not None,
    )


def _with_what_it_means(trait: PersonalFact, turn: Turn) -> str:
    """`I bought it last week` is kept with the sentence before it."""
    sentence = trait.sentence
    place = turn.said.index(sentence)
    points = _POINTS.search(cues.plain(sentence.text)) and len(telling(sentence.text)) < _FEW_WORDS
    return turn.message.text[turn.said[place - 1].start : sentence.end] if place and points else sentence.text


def _once(found: Iterable[Learned]) -> list[Learned]:
    """Of two finds in the same words of the same message, the first."""
    kept: list[Learned] = []
    for one in found:
        if not any(other.evidence == one.evidence and _overlap(one.quote, other.quote) for other in kept):
            kept.append(one)
    return kept


def _overlap(one: str, other: str) -> bool:
    return one in other or other in one


def _in_order(found: Iterable[Learned], messages: Sequence[Message]) -> tuple[Learned, ...]:
    place = {message.id: number for number, message in enumerate(messages)}
    text = {message.id: message.text for message in messages}

    def when_said(one: Learned) -> tuple[int, int]:
        return place[one.evidence[-1]], text[one.evidence[0]].find(one.quote)

    return tuple(sorted(found, key=when_said))


def _confidence(value: float) -> float:
    return round(min(_MOST, max(_LEAST, value)), 2)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _shortened(text: str) -> str:
    return text if len(text) <= _CONTEXT else "…" + text[-_CONTEXT:].partition(" ")[2]
