"""Finds commitments: things that a person promised to do or that are due, and by which day."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from holdfast.conversation.extract import cues
from holdfast.conversation.extract.dates import future_day
from holdfast.conversation.extract.sentences import Sentence
from holdfast.conversation.extract.turns import Turn
from holdfast.core.frozen import frozen

_WILL = cues.words(r"""
    i'll  i will  i(?:'m| am) going to  i have to  i've got to  i need to  i must  i promised?  i committed
    we'll  we will  we need to  we have to  we must
    je vais  je dois  je ferai  j'ai promis  on doit  nous devons  il faut que je
""")
_DUE = cues.words("""
    deadline  due  appointment  interview  exam  flight  meeting  launch  release  échéance  rendez-vous  examen
""")
_MINE = cues.words("i  i've  i'm  my  our  we  we've  mon  ma  mes  notre  j'ai")
_BY = cues.words("""
    by  before  until  no later than  due  on  next  tomorrow  tonight  today
    avant  d'ici  demain  le  pour  prochaine?
""")
_PROMISE = cues.words("i promise  i promised  i committed to  remind me  j'ai promis  rappelle[- ]moi")
# Polite phrases that commit to nothing, such as `I'll check it out`.
_IDLE = cues.words(
    "definitely  probably  maybe  might  check (?:it|them|that|those) out  think about  consider  look into  try"
)


@frozen
class Commitment:
    """A sentence that commits the speaker to something, and the day it is due, if one is named."""

    sentence: Sentence
    due: datetime | None


def find_commitments(turn: Turn) -> Iterator[Commitment]:
    """Yields the sentences with a duty or an appointment on a day from today on, and explicit promises."""
    for sentence in turn.sentences:
        text = cues.plain(sentence.text)
        if sentence.asks or sentence.item or len(text) > 400:
            continue
        promised = _PROMISE.search(text) is not None
        if not promised and not _is_dated_duty(text):
            continue
        due = future_day(text, turn.message.at)
        if promised or (
            due is not None and due >= turn.message.at.replace(hour=0, minute=0) and not _IDLE.search(text)
        ):
            yield Commitment(sentence, due)


def _is_dated_duty(text: str) -> bool:
    mine = _WILL.search(text) or (_DUE.search(text) and _MINE.search(text))
    return mine is not None and _BY.search(text) is not None
