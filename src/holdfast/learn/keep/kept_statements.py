"""Chooses the statements of a conversation that are worth keeping."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from holdfast.core.errors import ModelError
from holdfast.core.frozen import frozen
from holdfast.learn.keep import cues
from holdfast.learn.keep.agreements import agreed
from holdfast.learn.keep.keep_features import SentenceView, views
from holdfast.learn.keep.keep_model import Judgement, bundled
from holdfast.learn.keep.offered import is_offered, option_up_to, question_before
from holdfast.learn.keep.one_off_orders import is_one_off, is_rule
from holdfast.learn.keep.passing import is_passing
from holdfast.learn.keep.proposals import asks_what_next, proposes
from holdfast.learn.keep.references import points_back
from holdfast.learn.keep.review_comments import is_review_comment
from holdfast.learn.keep.sentences import content_words
from holdfast.learn.keep.standing import (
    asks_for_name,
    is_command_to_remember,
    is_standing,
    to_remember,
)
from holdfast.learn.keep.turns import TalkTurn

if TYPE_CHECKING:
    from holdfast.core.conversation import Message
    from holdfast.learn.keep.keep_model import Embed

# Longer sentences are not meant to be remembered.
_LONGEST = 600
_AGREED_PROBABILITY = 0.8
# The probability from which a sentence is compared with what was said before (decision 0078).
_LEAST_POSSIBLE = 0.15
_SHOWS = re.compile(
    r"(?:here(?:'s| is| are)|voici) (?:\w+ )?(?:logs?|output|errors?|traces?|code|diff|results?|journal)\b"
)
# Two orders in one sentence are kept apart, because each may change alone.
_SECOND_ORDER = re.compile(
    r"(?:, (?:and|et)|(?P<mark>;)) (?=(?:cap|limit|keep|use|drop|never|always|don't|do not|round|return|ignore|raise"
    r"|reject|skip|treat|allow|stop|garde[rz]?|utilise[rz]?)\b)"
)
# Minimum number of words of content on both sides of a semicolon between two orders.
_WHOLE = 3

# Where a clause ends, and the beginning of a clause that asks for one piece of work: `merge the branch; never squash`.
_CLAUSE_END = re.compile(
    r";\s+|,? (?:and|but|et|mais) (?=(?:from now on|going forward|in future|désormais|dorénavant|à l'avenir)\b)", re.I
)
# Labels of a sentence that an order to work like that from now on keeps: rule, preference, correction, cause.
_OF_THEIR_OWN = ("r", "p", "c", "x")
# The probability that what somebody told an assistant to remember, or to do from now on, is worth keeping.
_TO_REMEMBER, _STANDING = 0.9, 0.7


@frozen
class KeptStatement:
    """Words worth keeping, the message they are from, their label and how likely they are worth it.

    `place` is the position of their sentence in the turn, `before` the message before the turn. If the words are the
    assistant's, `accepted` is the person's message that agrees.
    """

    quote: str
    message: Message
    turn: TalkTurn
    label: str
    probability: float
    place: int = 0
    before: str = ""
    accepted: Message | None = None


@frozen
class PossibleStatement:
    """A sentence that is worth keeping if it changes what was said before.

    `context` is the sentence before it in its message, or the question that it answers; empty without one.
    """

    text: str
    message: Message
    context: str = ""


def statements(turns: Sequence[TalkTurn]) -> tuple[list[KeptStatement], list[PossibleStatement]]:
    """The statements of a conversation, turn by turn, and the sentences that may be worth keeping."""
    found: list[KeptStatement] = []
    kept: dict[int, list[KeptStatement]] = {}
    possible: list[PossibleStatement] = []
    sentences = views(turns)
    assisted = any(turn.before or turn.answer for turn in turns)
    for view, judged in zip(sentences, bundled().judge(sentences, _embedder(), _read), strict=True):
        if not view.is_own or (assisted and is_passing(view.sentence.text)):
            continue
        judgement = _as_told(judged, view.sentence.text, assisted)
        if judgement.probability < _LEAST_POSSIBLE:
            continue
        if assisted and is_review_comment(view.turn.message.text, view.sentence.start, view.sentence.end):
            continue
        possible.append(PossibleStatement(view.sentence.text, view.turn.message, _context(view)))
        if judgement.label and len(view.sentence.text) <= _LONGEST and not _says_nothing(view):
            kept.setdefault(id(view.turn), []).extend(_statements(view, judgement))
    for turn in turns:
        own = kept.get(id(turn), [])
        found.extend(_as_one(own) if own and is_offered(turn) else own)
        found.extend(_agreed(turn, found))
    return found, possible


def _context(view: SentenceView) -> str:
    if not view.place:
        return view.turn.closing_question
    before = view.turn.sentences[view.place - 1]
    return "" if before.asks else before.text


def _as_one(found: Sequence[KeptStatement]) -> Iterator[KeptStatement]:
    """The kept sentences of an offered option as one decision; nothing if it only chooses the next step of the work."""
    if asks_what_next(question_before(found[0].turn)):
        return
    quote = option_up_to(found[0].turn, found[-1].quote)
    yield replace(found[0], quote=quote, label="d", probability=max(s.probability for s in found), place=0)


def _as_told(judged: Judgement, text: str, assisted: bool) -> Judgement:
    """The judgement, unless an assistant was told to remember it or to work like that from now on."""
    if is_command_to_remember(text):
        return Judgement(_TO_REMEMBER, judged.label or _label(text))
    if assisted and (told := to_remember(text)):
        # `Don't forget` makes every sentence look like a rule.
        return Judgement(_TO_REMEMBER, _label(told) if judged.label in ("", "r") else judged.label)
    if assisted and judged.label in ("", "r") and asks_for_name(text):
        return Judgement(max(_STANDING, judged.probability), "p")
    if assisted and judged.label not in _OF_THEIR_OWN and is_standing(text):
        return Judgement(max(_STANDING, judged.probability), "r")
    return judged


def _label(told: str) -> str:
    return "r" if is_rule(told) or is_standing(told) else "f"


def _says_nothing(view: SentenceView) -> bool:
    """Does it only confirm the assistant's words, as `That's the rule going forward` does, or show some output?"""
    text = cues.plain(view.sentence.text)
    return _SHOWS.match(text) is not None or (bool(view.turn.before) and cues.SETTLES.match(text) is not None)


def _statements(view: SentenceView, judgement: Judgement) -> Iterator[KeptStatement]:
    message = view.turn.message
    span = _without_one_off_orders(message.text, view.sentence.start, view.sentence.end)
    for begin, end in _split_orders(message.text, *span):
        quote, label, probability = message.text[begin:end], judgement.label, judgement.probability
        yield KeptStatement(quote, message, view.turn, label, probability, view.place, view.before)


def _agreed(turn: TalkTurn, found: Sequence[KeptStatement]) -> Iterator[KeptStatement]:
    for quote in agreed(turn, [statement.quote for statement in found]):
        label = "d" if proposes(quote) else "r"
        yield KeptStatement(quote, turn.before[-1], turn, label, _AGREED_PROBABILITY, accepted=turn.message)


def _without_one_off_orders(text: str, begin: int, end: int) -> tuple[int, int]:
    """The part of a sentence without the clauses at its ends that ask for one piece of work, if a rule is left."""
    ends = [(joint.start(), joint.end()) for joint in _CLAUSE_END.finditer(text, begin, end)]
    clauses = list(zip([begin, *(after for _, after in ends)], [*(before for before, _ in ends), end], strict=True))
    kept = list(clauses)
    while kept and is_one_off(text[slice(*kept[0])]):
        kept.pop(0)
    while kept and is_one_off(text[slice(*kept[-1])]):
        kept.pop()
    if not kept or points_back(text[slice(*kept[0])]):
        return begin, end
    rest = text[kept[0][0] : kept[-1][1]]
    return (kept[0][0], kept[-1][1]) if len(kept) < len(clauses) and is_rule(rest) else (begin, end)


def _split_orders(text: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    joint = _SECOND_ORDER.search(text, begin, end)
    parts = [(begin, joint.start()), (joint.end(), end)] if joint else []
    least = _WHOLE if joint and joint["mark"] else 1
    enough = all(len(content_words(text[slice(*part)])) >= least for part in parts)
    # Before a semicolon there may be a reason: `The API is read-only; use the importer`.
    if parts and enough and (least == 1 or cues.LASTING_ORDER.match(cues.plain(text[slice(*parts[0])]))):
        yield from parts
    else:
        yield begin, end


@lru_cache(maxsize=1)
def _embedder() -> Embed:
    """The bundled vectors of words, which need no model to be loaded."""
    from holdfast.models.choice import bundled_embedder

    return bundled_embedder("static").embed


def _read(sentences: Sequence[tuple[str, str]]) -> Sequence[float] | None:
    """The log-odds that sentences are worth keeping, by reading them; None if the files of the model are damaged."""
    from holdfast.models.reader import bundled_reader

    try:
        return bundled_reader().keep_all(sentences)
    except ModelError:  # `holdfast doctor` reports it; the features decide meanwhile
        return None
