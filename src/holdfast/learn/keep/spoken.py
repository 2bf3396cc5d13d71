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
# The blanks that a tokenizer leaves before punctuation and inside contractions, words with a hyphen and quotations.
_SPACED = re.compile(
    r" (?=[.,!?;:](?:\s|$)|n't\b|'(?:s|m|re|ve|ll|d)\b)|(?<=\b[gG]on) (?=na\b)|(?<=\b[wW]an) (?=na\b)"
    r"|(?<=\b[gG]ot) (?=ta\b)"
)
_HYPHEN, _QUOTED, _CLOCK = re.compile(r"(?<=\w) - (?=\w)"), re.compile(r'" ([^"]+) "'), re.compile(r"\bo ' clock\b")
# Letters that are spelled: `L_C_D_`.
_SPELLED = re.compile(r"(?<!\w)(?:[A-Z]_){2,}(?=s?\b|\W|$)")
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
_HALF_WORD = re.compile(r"(?<![\w'-])(?P<half>[a-z]{1,8})(?: \{disfmarker\})? (?=(?P=half)[a-z])", re.IGNORECASE)
_LONE_LETTER = re.compile(r"(?<![\w'.-])[b-hj-z] (?=[\w{])|^[B-HJ-Z] (?=[a-z])")
# A speaker who starts again repeats one of the last words; a pronoun is repeated at once.
_TAKEN_BACK = 5
_MOST_BREAKS = 2
_ENDS = re.compile(r"[.!?][\"')\s]*$")
_OPENING = 3  # words before a break that say nothing yet
_PRONOUNS = frozenset("it that this".split())


def as_written(text: str) -> str:
    """The text in one line; spoken words without what fills pauses, repetitions and half words.

    A transcriber's mark, a hesitation or the blanks of a tokenizer show that words were spoken.
    """
    line = " ".join(text.split())
    fluent = _HESITATION.sub("", _joined(" ".join(_SOUND.sub("", line).split())))
    return line if fluent == line and _BREAK not in line else _fluent(fluent)


def breaks_off(text: str) -> bool:
    """Does a speaker start again in the middle of a line, so that the line is no complete sentence?"""
    return _BREAK in text or "{gap}" in text


def is_halting(text: str) -> bool:
    """Do spoken words, as they were transcribed, end without a full stop, or start again too often to be followed?"""
    is_spoken = _BREAK in text or _joined(text) != text
    return is_spoken and (text.count(_BREAK) > _MOST_BREAKS or _ENDS.search(text) is None)


def _joined(text: str) -> str:
    """The text of a transcript without the blanks of a tokenizer; other text as it is."""
    joined = _SPACED.sub("", text)
    if joined == text:
        return text
    spelled = _SPELLED.sub(lambda letters: letters[0].replace("_", ""), joined)
    return _CLOCK.sub("o'clock", _QUOTED.sub(r'"\1"', _HYPHEN.sub("-", spelled)))


def _fluent(text: str) -> str:
    text = _YOU_KNOW.sub("", _FILLER.sub("", text))
    text = _HALF_WORD.sub(_whole, _AGAIN.sub(_once, _LONE_LETTER.sub("", " ".join(text.split()))))
    text = _AGAIN.sub(_once, _repaired(text))
    return " ".join(re.sub(r"\s+(?=[,.!?;:])|^[\s,]+|,(?=\s*[,.!?;])", "", text.removesuffix(_BREAK)).split())


def _repaired(text: str) -> str:
    """The text without the words that a speaker took back: `they has {disfmarker} they have a plan`.

    Where nothing shows which words these are, the mark stays, unless the next word goes on with the sentence.
    """
    first, *others = text.split(_BREAK)
    words = first.split()
    for other in others:
        after = other.split()
        begin = _word(after[0]) if after else ""
        recent = [_word(word) for word in words[-1 if begin in _PRONOUNS else -_TAKEN_BACK :]]
        if begin in recent:
            del words[len(words) - recent[::-1].index(begin) - 1 :]
        elif len(words) <= _OPENING and all(_word(word) in STOP_WORDS for word in words):
            words.clear()
        elif not after or begin in STOP_WORDS or not after[0].islower():
            words.append(_BREAK)
        words += after
    return " ".join(words)


def _word(text: str) -> str:
    return text.strip(",.;:").lower()


def _once(match: re.Match[str]) -> str:
    return match[0] if match[1].lower() in _TWICE or match[1].isdigit() else match[1]


def _whole(match: re.Match[str]) -> str:
    half = match["half"].lower()
    return match[0] if half in STOP_WORDS and half != "i" else ""
