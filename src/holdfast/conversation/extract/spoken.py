"""Writes spoken words as a person would write them: without hesitations, repetitions and the marks of a
transcriber."""

from __future__ import annotations

import re

from holdfast.text.stop_words import STOP_WORDS

# Where a speaker breaks off and begins again, and sounds that are no words.
_BREAK = "{disfmarker}"
_SOUND = re.compile(
    r"\{(?:vocalsound|nonvocalsound|pause|comment|laugh|laughter|cough|sigh)\} ?"
    r"|\[(?:laughter|laughs|applause|inaudible|crosstalk|pause|technical difficulty[^\]]*)\] ?",
    re.IGNORECASE,
)
# The blanks that a tokenizer leaves before punctuation and inside contractions.
_SPACED = re.compile(
    r" (?=[.,!?;:](?:\s|$)|n't\b|'(?:s|m|re|ve|ll|d)\b)|(?<=\b[gG]on) (?=na\b)|(?<=\b[wW]an) (?=na\b)"
    r"|(?<=\b[gG]ot) (?=ta\b)"
)
_HESITATION = re.compile(
    r"(?:,\s*)?(?<![\w'-])(?:[Uu]h+m*|[Uu]m+|[Ee]rm*|[Hh]m+|[Mm]m+|[Mm]m-hmm|[Ee]uh+|[Hh]eu|[Ee]h)(?![\w'-])(?:\s*,)?"
    r"(?=\s|$|[.!?])"
)
# Words that fill a pause: set off by commas, or anywhere in speech.
_FILLER = re.compile(
    r",\s*(?:you know|i mean|like|right|well|sort of|kind of|tu sais|vous savez|disons|enfin)\s*(?=,)", re.IGNORECASE
)
_YOU_KNOW = re.compile(
    r"(?<![\w'])(?:you know|i mean)(?![\w'])(?!,? (?:what|how|why|who|that|it|the|if)\b),?\s*", re.IGNORECASE
)
_AGAIN = re.compile(
    r"(?<![\w'-])(\w[\w']*(?: \w[\w']*){0,3})(?:(?: | - |, | ?\{disfmarker\} )\1)+(?![\w'-])", re.IGNORECASE
)
_TWICE = frozenset("that had very so really nous vous no bye far much many more ha is long".split())
_HALF_WORD = re.compile(r"(?<![\w'-])(?P<half>[b-df-hj-np-z][a-z]{0,2}|i)(?: \{disfmarker\})? (?=(?P=half)[a-z])")

_LONE_LETTER = re.compile(r"(?<![\w'.-])[b-hj-z] (?=[\w{])|^[B-HJ-Z] (?=[a-z])")


def as_written(text: str) -> str:
    """The text in one line; spoken words without what fills pauses, repetitions and half words.

    A transcriber's mark, a hesitation or the blanks of a tokenizer show that words were spoken.
    """
    line = " ".join(text.split())
    tidy = _SPACED.sub("", " ".join(_SOUND.sub("", line).split()))
    fluent = _HESITATION.sub("", tidy)
    return line if fluent == line and _BREAK not in line else _fluent(fluent)


def breaks_off(text: str) -> bool:
    """Does a speaker start again in the middle of a line, so that the line is no complete sentence?"""
    return _BREAK in text or "{gap}" in text


def _fluent(text: str) -> str:
    text = _YOU_KNOW.sub("", _FILLER.sub("", text))
    text = _HALF_WORD.sub(_whole, _AGAIN.sub(_once, _LONE_LETTER.sub("", " ".join(text.split()))))
    text = _AGAIN.sub(_once, text)
    return " ".join(re.sub(r"\s+(?=[,.!?;:])|^[\s,]+|,(?=\s*[,.!?;])", "", text.removesuffix(_BREAK)).split())


def _once(match: re.Match[str]) -> str:
    return match[0] if match[1].lower() in _TWICE or match[1].isdigit() else match[1]


def _whole(match: re.Match[str]) -> str:
    return match[0] if match["half"] in STOP_WORDS and match["half"] != "i" else ""
