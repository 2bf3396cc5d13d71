"""Chooses the statements of a conversation that are worth keeping."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from holdfast.core.errors import ModelError
from holdfast.core.frozen import frozen
from holdfast.learn.keep.keep_features import SentenceView, views
from holdfast.learn.keep.keep_model import Judgement, bundled
from holdfast.learn.keep.one_off_orders import is_rule
from holdfast.learn.keep.review_comments import is_review_comment
from holdfast.learn.keep.told import asks_for_name, is_command_to_remember, is_standing_order, to_remember
from holdfast.learn.keep.turns import TalkTurn

if TYPE_CHECKING:
    from holdfast.core.conversation import Message
    from holdfast.learn.keep.keep_model import Embed

# Longer sentences are not meant to be remembered.
_LONGEST = 600
# The probability from which a sentence is compared with what was said before (docs/research/changes-of-mind.md).
_LEAST_POSSIBLE = 0.15
# Two orders in one sentence are kept apart, because each may change alone.
_SECOND_ORDER = re.compile(
    r", (?:and|et) (?=(?:cap|limit|keep|use|drop|never|always|don't|do not|round|return|ignore|raise"
    r"|reject|skip|treat|allow|stop|garde[rz]?|utilise[rz]?)\b)"
)
# The probability that what somebody told an assistant to remember, or to call them, is worth keeping.
_TO_REMEMBER, _NAME = 0.9, 0.7


@frozen
class KeptStatement:
    """Words worth keeping, the message they are from, their label and how likely they are worth it.

    `place` is the position of their sentence in the turn, `before` the message before the turn.
    """

    quote: str
    message: Message
    turn: TalkTurn
    label: str
    probability: float
    place: int = 0
    before: str = ""


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
    possible: list[PossibleStatement] = []
    sentences = views(turns)
    assisted = any(turn.before or turn.answer for turn in turns)
    for view, judged in zip(sentences, bundled().judge(sentences, _embedder(), _read), strict=True):
        if not view.is_own:
            continue
        judgement = _as_told(judged, view.sentence.text, assisted)
        if judgement.probability < _LEAST_POSSIBLE:
            continue
        if assisted and is_review_comment(view.turn.message.text, view.sentence.start, view.sentence.end):
            continue
        text, message = view.sentence.text, view.turn.message
        possible.append(PossibleStatement(text, message, _context(view)))
        if judgement.label and len(text) <= _LONGEST:
            found += _statements(view, judgement)
    return found, possible


def _statements(view: SentenceView, judgement: Judgement) -> Iterator[KeptStatement]:
    label, probability = judgement.label, judgement.probability
    for quote in _SECOND_ORDER.split(view.sentence.text, maxsplit=1):
        yield KeptStatement(quote, view.turn.message, view.turn, label, probability, view.place, view.before)


def _context(view: SentenceView) -> str:
    if not view.place:
        return view.turn.closing_question
    before = view.turn.sentences[view.place - 1]
    return "" if before.asks else before.text


def _as_told(judged: Judgement, text: str, assisted: bool) -> Judgement:
    """The judgement, unless an assistant was told to remember it or to do it from now on, or how to call somebody."""
    if is_command_to_remember(text):
        return Judgement(_TO_REMEMBER, judged.label or _label(text))
    if assisted and (told := to_remember(text)):
        # `Don't forget` makes every sentence look like a rule.
        return Judgement(_TO_REMEMBER, _label(told) if judged.label in ("", "r") else judged.label)
    if assisted and judged.label in ("", "r") and asks_for_name(text):
        return Judgement(max(_NAME, judged.probability), "p")
    if assisted and is_standing_order(text):
        return Judgement(max(_TO_REMEMBER, judged.probability), "r")
    return judged


def _label(told: str) -> str:
    return "r" if is_rule(told) else "f"


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
