"""Extracts what is worth keeping from messages, without a language model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from holdfast.core.conversation import Learned, Message
from holdfast.core.frozen import frozen
from holdfast.learn.keep import cues
from holdfast.learn.keep.commitments import due_day, is_dated_duty
from holdfast.learn.keep.kept_statements import KeptStatement, PossibleStatement, statements
from holdfast.learn.keep.occasion import occasion, requests_before
from holdfast.learn.keep.one_off_orders import is_one_off
from holdfast.learn.keep.personal_facts import PersonalFact, personal_fact
from holdfast.learn.keep.self_contained import self_contained
from holdfast.learn.keep.sentences import content_words
from holdfast.learn.keep.speakers import attributed, by_speaker
from holdfast.learn.keep.turns import split_into_turns, topic
from holdfast.text.days import dated, past_day

COMMITMENT = "commitment"
# The memory type of each label of the model; corrections have that of what they correct.
_TYPES = {
    "r": "requirement", "d": "decision", "p": "preference", "f": "fact", "m": "fact", "x": "gotcha", "c": "decision"
}  # fmt: skip
# The highest confidence stays below that of a memory a person taught.
_MIN_CONFIDENCE, _MAX_CONFIDENCE = 0.4, 0.75
# A rule in words that say that it lasts ("from now on") is shown at the beginning of a session: `inject/gate.py`.
_SAID_TO_LAST = 0.65
_CHANGE = cues.words(
    r"now  no longer  anymore  switched  changed  moved  instead  upgraded  maintenant  désormais  ne \w+ plus"
)


@frozen
class _Conversation:
    """What the statements of one conversation share: its topic.

    `speakers` are the names of those who wrote the messages, by message id, in a talk between people; `earlier` the
    person's messages before each message.
    """

    about: str
    speakers: Mapping[str, str]
    earlier: Mapping[str, Sequence[str]]


@frozen
class ExtractedTalk:
    """What was learned from a conversation, and the sentences that are worth keeping if they change something."""

    learned: tuple[Learned, ...]
    possible: tuple[PossibleStatement, ...]


def learn(messages: Sequence[Message]) -> tuple[Learned, ...]:
    """Extracts rules, decisions, facts, commitments and causes from messages of one conversation, in their order.

    Deterministic. Each result quotes its evidence verbatim; its confidence is lower than that of a taught memory.
    Only what people say counts, not what the assistant says.
    """
    return extract(messages).learned


def extract(messages: Sequence[Message]) -> ExtractedTalk:
    """What `learn` extracts, and the sentences of the person that may be worth keeping."""
    messages, speakers = by_speaker(messages)
    turns = split_into_turns(messages)
    found, possible = statements(turns)
    # Of people who talk to each other, nobody knows whose statement a sentence changes.
    possible = [] if speakers else possible
    if not found:
        return ExtractedTalk((), tuple(possible))
    about = "" if speakers else topic(turns)  # people who meet talk about many things
    conversation = _Conversation(about, speakers, requests_before(turns))
    learned = _without_repetition(_in_order(_all_learned(found, conversation), messages), messages)
    return ExtractedTalk(tuple(learned), tuple(possible))


def _all_learned(found: Iterable[KeptStatement], conversation: _Conversation) -> Iterator[Learned]:
    """What the statements say; without those that nobody would understand later."""
    for statement in found:
        if conversation.speakers:  # somebody else said what was said before
            statement = replace(statement, before="")
        personal = personal_fact(statement.quote)
        if personal is not None and statement.label not in "rdx":
            if line := self_contained(statement):
                yield _about_person(statement, personal, line, conversation.speakers.get(statement.message.id, ""))
        elif line := self_contained(statement):
            yield _about_project(statement, conversation, line)


def _about_project(statement: KeptStatement, conversation: _Conversation, line: str) -> Learned:
    text = cues.plain(statement.quote)
    due = due_day(statement.quote, statement.message.at) if statement.label == "m" else None
    return Learned(
        text=attributed(_with_day(line, due, statement), conversation.speakers.get(statement.message.id, "")),
        type=_TYPES[statement.label],
        evidence=(statement.message.id,),
        quote=statement.quote,
        confidence=max(_confidence(statement.probability), _SAID_TO_LAST if cues.LASTS.search(text) else 0.0),
        subject=conversation.about,
        slot=" ".join(content_words(statement.quote)[:4]),
        when=due,
        amends=statement.label == "c" or cues.CHANGES.search(text) is not None,
        tags=(COMMITMENT,) if statement.label == "m" else (),
        occasion=occasion(statement, line, conversation.earlier[statement.turn.message.id]),
    )


def _about_person(statement: KeptStatement, personal: PersonalFact, line: str, speaker: str) -> Learned:
    quote, said = statement.quote, statement.message.at
    text = cues.plain(quote)
    promised = statement.label == "m" or is_dated_duty(quote)
    due = due_day(quote, said) if promised else None
    return Learned(
        text=attributed(_with_day(line, due, statement), speaker),
        type="fact" if due else personal.type,
        evidence=(statement.message.id,),
        quote=quote,
        confidence=_confidence(statement.probability),
        subject=speaker or "user",
        slot=f"will {' '.join(content_words(quote)[:4])}" if due else personal.slot,
        when=due or past_day(text, said),
        amends=statement.label == "c" or _CHANGE.search(text) is not None,
        tags=(COMMITMENT,) if promised else (),
    )


def _with_day(line: str, due: datetime | None, statement: KeptStatement) -> str:
    """The line with the day it is due, or the day that `yesterday` or `next Tuesday` meant when it was said."""
    if due:
        return f"{line} (due {due:%Y-%m-%d})"
    return line if statement.label in "rp" else dated(line, statement.message.at)


def _in_order(results: Iterable[Learned], messages: Sequence[Message]) -> tuple[Learned, ...]:
    place = {message.id: number for number, message in enumerate(messages)}
    text = {message.id: message.text for message in messages}

    def position(learned: Learned) -> tuple[int, int]:
        return place[learned.evidence[-1]], text[learned.evidence[0]].find(learned.quote)

    return tuple(sorted(results, key=position))


def _without_repetition(results: Sequence[Learned], messages: Sequence[Message]) -> Iterator[Learned]:
    """Joins a statement with the next one of its message, which repeats it as its context: `A`, `A — B`.

    If the next one only asks for a piece of work, it is left out.
    """
    text = {message.id: message.text for message in messages}
    kept: list[Learned] = []
    for learned in results:
        before = kept[-1] if kept else None
        if before is None or before.evidence != learned.evidence or not learned.text.startswith(f"{before.text} — "):
            kept.append(learned)
        elif not is_one_off(learned.quote):
            whole = text[learned.evidence[0]]
            start, end = whole.find(before.quote), whole.find(learned.quote) + len(learned.quote)
            kept[-1] = replace(before, text=learned.text, quote=whole[start:end])
    return iter(kept)


def _confidence(probability: float) -> float:
    return round(_MIN_CONFIDENCE + (_MAX_CONFIDENCE - _MIN_CONFIDENCE) * probability, 2)
