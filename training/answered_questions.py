"""Questions that one speaker asks and the next turn answers, written in the third person.

"Where did you grow up?" becomes "Where did Maria grow up?".
"""

from __future__ import annotations

import re

from training.english import either

_ASKED = re.compile(
    r"(?i)^(?P<lead>.*?)\b(?P<verb>do|did|are|were|have|had|would|will|can|could|should|is|was|"
    r"what's|who's|where's|how's|when's)\s+(?P<who>you|your)\b(?P<rest>.*)$"
)
_THIRD = {"do": "does", "are": "is", "were": "was", "have": "has"}
_OPENERS = re.compile(rf"(?i)^(?:{either('openers of questions')}[,.!]* +)+")
_VAGUE = re.compile(rf"(?i)\b{either('words that point elsewhere in questions')}\b")
_EMPTY = re.compile(f"(?i){either('questions that ask nothing')}")
_LEAD = re.compile(r"(?i)(?:(?:(?:at|in|for|on|from|to|with) )?(?:what|which|who|where|when|why|how|whose)\b[^,.!]*)?$")
_PAST_OF_YOU = re.compile(r"(?i)\byou(?= (?:had|could|would|went|got|grew|saw|ate)\b)")
_LOST = re.compile(
    r"(?i)(?:what|why|how|who|huh|i don'?t know|i(?:'m| am) not sure|not sure|no idea|good question|idk)\b"
)


def asked_in_third_person(turn: str, name: str, woman: bool) -> str:
    """The question that ends a turn, about the person who answers; empty where it does not stand alone."""
    if not turn.endswith("?"):
        return ""
    sentence = re.split(r"(?<=[.!?])\s+", turn)[-1].strip()
    sentence = re.sub(r"(?i)\byou guys\b", "you", _OPENERS.sub("", sentence)).rstrip("? ")
    found = _ASKED.match(sentence)
    if not found or not 4 <= len(sentence.split()) <= 18 or _EMPTY.search(sentence) or _VAGUE.search(sentence):
        return ""
    lead, verb, rest = found["lead"].strip(), found["verb"].lower(), _told(found["rest"], woman)
    if not _LEAD.match(lead) or re.search(r"(?i)\byou\b", rest):
        return ""
    who = name if found["who"].lower() == "you" else f"{name}'s"
    verb = _THIRD.get(verb, verb) if who == name else verb
    text = re.sub(r"\s+", " ", f"{lead} {verb} {who}{rest}".strip())
    return text[0].upper() + text[1:] + "?"


def answers(text: str, question: str) -> bool:
    """Says something of its own: not only a question back, not a few words without content."""
    stated = " ".join(part for part in re.split(r"(?<=[.!?])\s+", text) if not part.endswith("?"))
    least = 3 if re.match(r"(?:What|Where|When|Who|Which|How|Why)", question) else 7
    return len(re.findall(r"[A-Za-z']+", stated)) >= least and not _LOST.match(text)


def _told(rest: str, woman: bool) -> str:
    """What follows the first "you", told about her or him."""
    she, her = ("she", "her") if woman else ("he", "his")
    rest = re.sub(r"(?i)\byour\b", her, rest)
    rest = re.sub(r"(?i)\byou were\b", f"{she} was", rest)
    rest = re.sub(r"(?i)\byou are\b", f"{she} is", rest)
    return _PAST_OF_YOU.sub(she, rest)
