"""Finds what a sentence states about the person who says it, or about someone or something of theirs."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from training.english import BASES, GERUNDS, PARTICIPLES, PASTS, THIRDS, TIME, WORDS, either

NOT_STATED = frozenset(WORDS["verbs that state nothing"])
_PLURAL = frozenset(WORDS["relatives in the plural"])
_OPENERS = re.compile(rf"(?i)^(?:{either('openers')}[,.!]* +)+")
_CLOSERS = re.compile(
    r"(?i)(?:,? (?:too|though|so|as well|haha+|lol|actually|also|so far|right now|at the moment|now))+$"
)
_ADVERBS = f"(?:{either('adverbs')} )*"
_CLAUSE_END = re.compile(
    r"[?;:()\"]|\.\.|, | (?:but|so|cuz|cause|which|where|until|if|while|whenever|except|"
    r"and (?:I|we|it|that|they|then|he|she|was|is|am|it's))\b"
)
_BROKEN_OFF = re.compile(r"\b(?:to get|of|for|to|in|at|a|an|the|and|or|because|than|being|is|when|about|like)$")
_TIME_FIRST = re.compile(rf"(?i)({TIME}),? ((?:I|we)\b[^,;]{{8,90}})$")
_OWNED = re.compile(rf"(?i)my ({either('relatives')}) {_ADVERBS}([\w']+) ?(.*)$")
_OWN = re.compile(rf"(?:I|[Ww]e)('m|'re|'ve| am| are| was| were)? {_ADVERBS}([\w']+) ?(.*)$")


@dataclass(frozen=True)
class Statement:
    """Who does what: the subject as a question names it, the tense, the verb's base form and the rest.

    After be and have the "base" is the word that follows: a participle, an adjective, an article.
    """

    subject: str
    tense: str  # past, present, future, progressive, perfect, perfect progressive, never, was or being
    base: str
    rest: str
    plural: bool = False
    own: str = "their"


def opened(sentence: str) -> str:
    """The sentence without "Yes, well," at its start and marks at its end."""
    return re.sub(r"\bi\b", "I", _OPENERS.sub("", sentence.strip())).rstrip(".!;, ")


def stated(sentence: str, name: str, woman: bool) -> Statement | None:
    """The statement; nothing where the sentence does not fit the rules or speaks of others."""
    text = re.sub(r"\bim\b", "I'm", _CLOSERS.sub("", opened(sentence)), flags=re.IGNORECASE)
    if len(text) > 160 or re.search(r"(?i)\b(?:his|hers?|their|theirs)\b", text):
        return None
    text = re.sub(rf"\b(I|[Ww]e) have {_ADVERBS}(\w+)\b", _contracted, text)
    if first := _TIME_FIRST.match(text):  # the time comes last, as in most sentences
        time, text = first.group(1), first.group(2)
        text = f"{text[0].upper()}{text[1:]} {time[0].lower()}{time[1:]}"
    own = "her" if woman else "his"
    if found := _OWNED.match(text):
        statement = _of_owned(found, name, own)
    elif found := _OWN.match(text):
        rest = _CLOSERS.sub("", _CLAUSE_END.split(found.group(3))[0].strip(" ,"))
        if _BROKEN_OFF.search(rest):
            return None
        statement = _of_speaker(name, (found.group(1) or "").strip(), found.group(2).lower(), _told(rest, own))
    else:
        return None
    return replace(statement, own=own) if statement else None


def _contracted(found: re.Match[str]) -> str:
    """I have seen becomes I've seen; I have a dog stays."""
    perfect = found.group(2) in PARTICIPLES or found.group(2) == "never"
    return f"{found.group(1)}'ve {found.group(2)}" if perfect else found.group(0)


def _of_speaker(name: str, helper: str, verb: str, rest: str) -> Statement | None:
    if helper in {"'m", "'re", "am", "are"}:
        base, _, after = rest.removeprefix("to ").partition(" ")
        if verb == "going" and rest.startswith("to ") and base in BASES:
            return Statement(name, "future", base, after)
        if verb in GERUNDS:
            return Statement(name, "progressive", GERUNDS[verb], rest)
        return Statement(name, "being", verb, rest)
    if helper in {"was", "were"}:
        return Statement(name, "was", verb, rest)
    if helper == "'ve":
        return _perfect(name, verb, rest)
    if verb in PASTS and not (verb == "read" and not rest):
        return Statement(name, "past", PASTS[verb], rest) if PASTS[verb] not in NOT_STATED else None
    if verb in BASES - NOT_STATED - {"be"}:
        return Statement(name, "present", verb, rest)
    return None


def _perfect(name: str, verb: str, rest: str) -> Statement | None:
    first, _, after = rest.partition(" ")
    if verb == "been" and first in GERUNDS:
        return Statement(name, "perfect progressive", GERUNDS[first], after)
    if verb == "never":
        return Statement(name, "never", first, after) if first in PARTICIPLES else None
    return Statement(name, "perfect", verb, rest) if verb in PARTICIPLES else None


def _of_owned(found: re.Match[str], name: str, own: str) -> Statement | None:
    relative, verb = found.group(1).lower(), found.group(2)
    rest = _told(_CLAUSE_END.split(found.group(3))[0].strip(" ,"), own)
    first, _, after = rest.partition(" ")
    subject, plural = f"{name}'s {relative}", relative in _PLURAL
    if verb in {"is", "are"}:
        if first in GERUNDS:
            return Statement(subject, "progressive", GERUNDS[first], after, plural)
        return Statement(subject, "being", first, after, plural) if rest else None
    if verb in PASTS:
        return Statement(subject, "past", PASTS[verb], rest, plural) if PASTS[verb] not in NOT_STATED else None
    base = verb if plural else THIRDS.get(verb, "")
    return Statement(subject, "present", base, rest, plural) if base in BASES - NOT_STATED else None


def _told(rest: str, own: str) -> str:
    """My becomes her or his."""
    rest = re.sub(r"\b(?:my|our)\b", own, rest)
    return re.sub(r"\bwhen I was\b", f"when {'she' if own == 'her' else 'he'} was", rest)
