"""Finds the day on which a promise or an appointment is due."""

from __future__ import annotations

import re
from datetime import datetime

from holdfast.learn.keep import cues
from holdfast.text.days import future_day

_WILL = cues.words(r"""
    i'll  i will  i(?:'m| am) going to  i have to  i've got to  i need to  i must  i promised?  i committed
    we'll  we will  we need to  we have to  we must
    je vais  je dois  je ferai  j'ai promis  on doit  nous devons  il faut que je
""")
_DUE = cues.words(r"""
    deadline  due  appointment  interview  exam  flight  meeting(?! \w)  launch  release  échéance  rendez-vous  examen
""")
_MINE = cues.words("i  i've  i'm  my  our  we  we've  mon  ma  mes  notre  j'ai")
_LIMITS = "before  until  no later than  due  next  tomorrow  tonight  avant  d'ici  demain  prochaine?"
_LATEST = cues.words(rf"by(?! \w+ing\b)  {_LIMITS}")
_BY = cues.words(f"by  on  today  le  pour  {_LIMITS}")
# A report that begins with who did something: `We moved the database on Monday`. What was planned is still due.
_HAPPENED = re.compile(
    r"(?:(?:and|so|but|also|ok),? )?(?:"
    r"(?!(?:the|an?|our|my|your|this|that|these|those)\b)[\w'’-]+ (?:just |also |finally |already )?"
    r"(?!(?:decided|agreed|promised|planned|scheduled|booked|committed|needed|asked|wanted)\b)"
    r"(?:\w+ed|went|got|made|met|took|sent|ran|wrote|broke|found|built|gave|left|began|cut|put)"
    r"|(?:on a|nous avons|j['’]ai|ils ont|\w+ a) (?!(?:décidé|promis|prévu|convenu|programmé|fixé)\b)"
    r"(?:\w+é|fait|mis|pris|fini|écrit))\b"
)


def due_day(text: str, said: datetime) -> datetime | None:
    """The day from today on by which a sentence says that something is due; None if it says none."""
    plain = cues.plain(text)
    if _HAPPENED.match(plain) and not _WILL.search(plain) and not _LATEST.search(plain):
        return None
    due = future_day(plain, said)
    return due if due is not None and due >= said.replace(hour=0, minute=0) else None


def is_dated_duty(text: str) -> bool:
    """Does a sentence name a duty or an appointment of its speaker, and a day?"""
    plain = cues.plain(text)
    mine = _WILL.search(plain) or (_DUE.search(plain) and _MINE.search(plain) and not cues.PAST.search(plain))
    return mine is not None and _BY.search(plain) is not None
