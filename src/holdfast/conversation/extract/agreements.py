"""Finds statements of the assistant that a person agreed to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from holdfast.conversation.extract import cues
from holdfast.conversation.extract.sentences import content_words
from holdfast.conversation.extract.turns import TalkTurn

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
# How an assistant introduces a proposal: once it is accepted, what follows is settled.
_PROPOSES = re.compile(
    r"je (?:propose|suggère|recommande) d['’]"
    r"|(?:i(?:'d|’d| would)? (?:suggest|propose|recommend)(?: that)?(?: (?:we|you)(?: should)?| to)?"
    r"|(?:my|the) (?:suggestion|proposal|recommendation|plan)(?: is| would be)?:?(?: that we| to)?"
    r"|i(?:'d|’d|'ll|’ll| would| will)(?! (?:like|love|rather|say|expect|guess|be|have|need|check|look|do)\b)"
    r"|je (?:propose|suggère|recommande)(?: que (?:nous|l'on|on)| de)?) (?=\w)",
    re.IGNORECASE,
)


def agreed(turn: TalkTurn, known: Sequence[str]) -> Iterator[str]:
    """The binding clauses of the assistant's message that the turn accepts, without those that `known` contains."""
    if not (turn.proposal and turn.sentences and _settles(turn)):
        return
    said = [set(content_words(text)) for text in known]
    clauses = list(_binding_clauses(turn))
    if len(clauses) > _PLAN:
        return
    for begin, end in clauses:
        quote = turn.before[-1].text[begin:end]
        words = set(content_words(quote))
        if not words or any(len(words & other) > _REPEATED * len(words) for other in said):
            continue
        said.append(words)
        yield quote


def proposes(text: str) -> bool:
    """Does a sentence of the assistant begin with a proposal: "I suggest …"?"""
    return _PROPOSES.match(text) is not None


def without_proposal(text: str) -> str:
    """What is proposed: "Postgres" of "I suggest Postgres"."""
    found = _PROPOSES.match(text)
    return text[found.end() :] if found else text


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
