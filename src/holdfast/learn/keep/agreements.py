"""Finds statements of the assistant that a person agreed to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from holdfast.learn.keep import cues
from holdfast.learn.keep.proposals import (
    asks_to_agree,
    asks_to_go_ahead,
    is_lasting_proposal,
    proposes,
)
from holdfast.learn.keep.sentences import content_words
from holdfast.learn.keep.turns import TalkTurn

# A clause with fewer content words says nothing without its neighbours; longer ones are not meant to be remembered.
_SHORT, _LONGEST = 4, 600
# A message with more binding clauses is a plan or a report: what was agreed to is the work, not rules for later.
_PLAN = 5
# A clause that shares more than this fraction of its words with a statement of the person repeats that statement.
_REPEATED = 0.6
_CLAUSE_END = re.compile(r"(?<=;)\s+|(?<=[.!?])\s+(?=[A-Z])")
_DEPENDENT = cues.beginning(
    "and  but  so  then  also  et  mais  donc  alors",
    """
    it  its  that  this  those  these  they  them  he  she  then  same  both  either  neither  no  not  yes
    here's  here is  say  tell me  i'd  let me  want me  ça  cela  ils  elles  non  oui  voici  dis-moi
    """,
)
# A longer message reports on work: only what it proposes can be agreed to, not what it found.
_REPORT = 1_500
# `ok go`, `yes please`, `oui`: with a question or a proposal just before, that settles it.
_YES = re.compile(
    r"(?:(?:ok(?:ay)?|yes|yep|yup|yeah|sure|great|perfect|good|fine|cool|right|absolutely|definitely|please|exactly"
    r"|oui|d'accord|parfait|bien sûr|ça marche)\b[,.! ]*)+"
    r"(?P<rest>.*)"
)
_GO = re.compile(
    r"(?:go(?: ahead| for it| on)?|do (?:it|that|so)|proceed|please do|make it so|vas-y|allez-y|fais-le)\b"
)
_LONGEST_GO = 40


def agreed(turn: TalkTurn, known: Sequence[str]) -> Iterator[str]:
    """What the turn accepts of the assistant's message, without what `known` contains.

    That is the thing the assistant asked about at the end, if it did; else its binding clauses and its proposal.
    """
    question = turn.closing_question
    if question and asks_to_agree(question) and not asks_to_go_ahead(question):
        if _says_yes(turn) and is_lasting_proposal(question):
            yield from _new([question], known)
        return
    if turn.proposal and turn.sentences and (_settles(turn) or _goes_ahead(turn) or (question and _says_yes(turn))):
        quotes = [turn.before[-1].text[begin:end] for begin, end in _binding_clauses(turn)]
        only_proposals = bool(question) or len(turn.before[-1].text) > _REPORT
        if len(quotes) <= _PLAN:
            lasting = (q for q in quotes if is_lasting_proposal(q) and (proposes(q) or not only_proposals))
            yield from _new(lasting, known)


def _new(quotes: Iterable[str], known: Sequence[str]) -> Iterator[str]:
    said = [set(content_words(text)) for text in known]
    for quote in quotes:
        words = set(content_words(quote))
        if not words or any(len(words & other) > _REPEATED * len(words) for other in said):
            continue
        said.append(words)
        yield quote


def _says_yes(turn: TalkTurn) -> bool:
    """Does the message begin with agreement, and little else?"""
    rest = _after_yes(turn)
    return rest is not None and (not rest or rest.startswith(("and ", "et ")) or _is_go(rest))


def _goes_ahead(turn: TalkTurn) -> bool:
    """Does the message begin with `ok go` or `do that`?"""
    rest = _after_yes(turn)
    return _is_go(cues.plain(turn.sentences[0].text) if rest is None else rest)


def _after_yes(turn: TalkTurn) -> str | None:
    """The rest of the first sentence after its `yes`; None if it does not begin with one."""
    first = turn.sentences[0] if turn.sentences else None
    yes = _YES.match(cues.plain(first.text)) if first and not first.asks else None
    return yes["rest"] if yes else None


def _is_go(text: str) -> bool:
    return len(text) <= _LONGEST_GO and _GO.match(text) is not None


def _settles(turn: TalkTurn) -> bool:
    texts = [cues.plain(sentence.text) for sentence in turn.sentences[:2] if not sentence.asks]
    agrees = any(cues.AGREES.match(text) or cues.SETTLES.match(text) for text in texts)
    settles = any(cues.SETTLES.search(text) for text in texts)
    return agrees and settles and not any(cues.DOUBTS.search(text) for text in texts)


def _binding_clauses(turn: TalkTurn) -> Iterator[tuple[int, int]]:
    """The start and end of the binding clauses in the assistant's message, and of its proposal."""
    for sentence in turn.assistant_sentences:
        if sentence.asks:
            continue
        start = 0
        for end in (*(match.start() for match in _CLAUSE_END.finditer(sentence.text)), len(sentence.text)):
            clause = sentence.text[start:end]
            at = sentence.start + start + len(clause) - len(clause.lstrip())
            if _binds(clause.strip()) or (sentence.text == turn.proposal and clause == sentence.text):
                yield at, at + len(clause.strip())
            start = end


def _binds(clause: str) -> bool:
    text = cues.plain(clause)
    if len(clause) > _LONGEST or len(content_words(clause)) < _SHORT:
        return False
    if _DEPENDENT.match(text) or cues.DOUBTS.search(text):
        return False
    return any(sign.search(text) for sign in (cues.BINDS, cues.STRONG, cues.CHANGES, cues.LASTS))
