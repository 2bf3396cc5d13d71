"""What one person asks another, told about the other: "Where do you live?" becomes "Where does Omar live?"."""

from __future__ import annotations

import re

_START = re.compile(
    r"(?:what|where|when|why|who|which|how|do|does|did|are|were|have|has|can|could|would|will|is|was)\b", re.IGNORECASE
)
# Talk about the talk itself, which no later question is about.
_EMPTY = re.compile(
    r"how are you|how about you|what about you|you (?:think|mean|know|sure|agree|guess|there|up to|doing|say)|"
    r"how(?:'s| is) it going|can i|would you like me|you tell me|did you hear|"
    r"are you (?:\w+ )?(?:serious|kidding|joking|ready|free)",
    re.IGNORECASE,
)
_OPENING = re.compile(r"^(?:so|and|but|well|oh|ok|okay|yeah|hey|cool|nice)[, ]+", re.IGNORECASE)
_YOU = re.compile(r"\byour?\b", re.IGNORECASE)
# A word that points to a person or thing named elsewhere leaves the question open.
_POINTING = re.compile(
    r"\b(?:you|i|me|my|we|our|us|it|its|that|this|they|them|those|these|he|she|one)\b", re.IGNORECASE
)
_VERBS = {"do": "does", "are": "is", "were": "was", "have": "has"}
_AUXILIARY = re.compile(r"\b(do|did|are|were|have|can|could|would|will|should|had) you\b", re.IGNORECASE)
_CONTRACTED = re.compile(r"\b(what|where|who|when|how)('s|'re|s) ", re.IGNORECASE)
_LAST_SENTENCE = re.compile(r"([^.!?]+\?)\s*$")


def question_about(turn: str, name: str, woman: bool) -> str:
    """The question at the end of a turn, asked about the person it was put to; "" if there is none to keep."""
    match = _LAST_SENTENCE.search(turn)
    question = _OPENING.sub("", match[1].strip()) if match else ""
    if not _START.match(question) or _EMPTY.search(question) or not _YOU.search(question):
        return ""
    question = _CONTRACTED.sub(lambda found: f"{found[1]} {'are' if found[2] == chr(39) + 're' else 'is'} ", question)
    question = _AUXILIARY.sub(lambda found: f"{_VERBS.get(found[1].lower(), found[1])} {name}", question, count=1)
    whose = "her" if woman else "his"
    if name not in question:
        question = re.sub(r"\byour\b", f"{name}'s", question, count=1, flags=re.IGNORECASE)
    question = re.sub(r"\byours\b", "hers" if woman else "his", question, flags=re.IGNORECASE)
    question = re.sub(r"\byour\b", whose, question, flags=re.IGNORECASE)
    question = re.sub(r"\byourself\b", f"{'her' if woman else 'him'}self", question, flags=re.IGNORECASE)
    if _POINTING.search(question) or name not in question:
        return ""
    return question[0].upper() + question[1:]
