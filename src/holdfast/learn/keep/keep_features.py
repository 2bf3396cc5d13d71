"""Describes sentences of a conversation by named features of their words, neighbours and speaker."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from holdfast.core.frozen import frozen
from holdfast.learn.keep import cues
from holdfast.learn.keep.personal_patterns import (
    ASIDE,
    FIGURE,
    FIRST_PERSON,
    INTENTIONS,
    PATTERNS,
    PROPER_NAME,
    TIMES,
    WISHES,
)
from holdfast.learn.keep.sentences import Sentence, content_words
from holdfast.learn.keep.turns import TalkTurn

_TOKEN = re.compile(r"`[^`]*`|\d[\d.,:%]*|[^\W\d_]+(?:['_][^\W\d_]+)*|[?!…]|[^\w\s]")
_CODE = re.compile(r"`|\w_\w|\w\(\)|\w/\w|(?<!\S)--?\w|\w\.\w{1,4}\b|[a-z][A-Z]|\b[A-Z]{2,}\b")
_CLAUSE = re.compile(r" - |: |; |, (?:but|and|so|then|mais|et|donc) |\. ")
# Marks of a transcriber, such as `{vocalsound}`, and the spaces that a tokenizer left before contractions.
_MARK, _SPACED = re.compile(r"\{\w+\}"), re.compile(r" (?=n't\b|'\w)")
_LENGTHS = (2, 4, 6, 9, 13, 18, 25, 40)
_CONTENT = (1, 2, 3, 4, 6, 8, 12)
# An answer with fewer content words needs its question.
TERSE = 4
_INSIDE = {
    "binds": cues.BINDS,
    "strong": cues.STRONG,
    "lasts": cues.LASTS,
    "changes": cues.CHANGES,
    "contrasts": cues.CONTRASTS,
    "doubts": cues.DOUBTS,
    "past": cues.PAST,
    "earlier": cues.EARLIER,
    "unchanged": cues.UNCHANGED,
    "settles": cues.SETTLES,
    "figure": FIGURE,
    "time": TIMES,
    "intends": INTENTIONS,
    "first person": FIRST_PERSON,
}
# Methods, because these patterns take more than linear time if they are searched for anywhere.
_AT_START = {
    "lasting order": cues.LASTING_ORDER.match,
    "forbids": cues.FORBIDS.match,
    "practice": cues.PRACTICE.match,
    "remember": cues.REMEMBER.match,
    "single order": cues.SINGLE_ORDER.match,
    "refuses": cues.REFUSES.match,
    "agrees": cues.AGREES.match,
    "comments": cues.COMMENTS.match,
    "describes": cues.DESCRIBES.match,
    "wishes": WISHES.match,
    "aside": ASIDE.match,
}
_BINDING = frozenset(
    f": {name}" for name in ("binds", "strong", "lasts", "changes", "lasting order", "forbids", "refuses")
)
_ANSWERS, _CHOOSES, _SAYS_NAME = ": answers", ": chooses", ": says name"
_OF_NEIGHBOURS = {
    *("binds", "strong", "lasts", "changes", "doubts", "past", "first person", "lasting order", "refuses", "agrees"),
    *("comments", "describes", "asks", "code"),
}


@frozen
class SentenceView:
    """A sentence of a person with its turn, its position there and the message before the turn."""

    sentence: Sentence
    place: int
    turn: TalkTurn
    before: str

    @property
    def is_own(self) -> bool:
        """Is it the person's own, not only quoted, pasted or asked about?"""
        return self.sentence in self.turn.own_sentences


def views(turns: Sequence[TalkTurn]) -> list[SentenceView]:
    """All sentences of the turns, in order."""
    found: list[SentenceView] = []
    before = ""
    for turn in turns:
        answered = turn.before[-1].text if turn.before else before
        found += [SentenceView(sentence, place, turn, answered) for place, sentence in enumerate(turn.sentences)]
        before = turn.message.text
    return found


def features(found: Sequence[SentenceView]) -> list[list[str]]:
    """The names of the features of each sentence."""
    signs = [list(_signs(view.sentence)) for view in found]
    goes_on = bool(found) and not found[-1].turn.opening
    return [
        [*_words(view.sentence), *own, *_position(view), *_opening(view, own, goes_on), *_neighbours(found, signs, n)]
        for n, (view, own) in enumerate(zip(found, signs, strict=True))
    ]


def is_binding(names: Sequence[str]) -> bool:
    """Does the sentence answer what the assistant asked or proposed, or have the form of a rule?"""
    return not _BINDING.isdisjoint(names) or any(name.startswith(_ANSWERS) for name in names)


def is_clear(names: Sequence[str]) -> bool:
    """Do the features decide alone? They do for few words that answer a question with a choice, and for one's name."""
    return _SAYS_NAME in names or any(name.startswith(_CHOOSES) for name in names)


def tokens(text: str) -> list[str]:
    """Words in lower case and punctuation; a number is `#`, code `CODE`, and a name inside the sentence `NAME`."""
    plain = _SPACED.sub("", _MARK.sub(" ", text).replace("’", "'"))
    return [_generic(token, at) for at, token in enumerate(_TOKEN.findall(plain))]


def _generic(token: str, at: int) -> str:
    if token[0] == "`" or "_" in token:
        return "CODE"
    if token[0].isdigit():
        return "#"
    if at and token[0].isupper() and token[0] != "I" and len(token) > 1:
        return "NAME"
    return token.lower()


def _words(sentence: Sentence) -> Iterator[str]:
    words = tokens(sentence.text)
    yield "always"
    yield from dict.fromkeys(words)
    yield from dict.fromkeys(f"{a} {b}" for a, b in zip(["<", *words], [*words, ">"], strict=True))
    yield from dict.fromkeys(f"{a} {b} {c}" for a, b, c in zip(["<", *words], words, words[1:], strict=False))
    yield from (f"words ≥ {n}" for n in _LENGTHS if len(words) >= n)


def _signs(sentence: Sentence) -> Iterator[str]:
    """Patterns that the sentence matches; their names begin with `:`."""
    text = cues.plain(sentence.text)
    head, *clauses = _CLAUSE.split(text)
    yield from (f": {name}" for name, cue in _INSIDE.items() if cue.search(text))
    for name, begins in _AT_START.items():
        if begins(head):
            yield f": {name}"
        elif any(map(begins, clauses)):
            yield f": {name} inside"
    personal = PATTERNS if FIRST_PERSON.search(text) else ()
    pattern = next((pattern for pattern in personal if pattern.pattern.search(text)), None)
    if pattern is not None:
        yield from (f": says {pattern.slot}", f": personal {pattern.type}")
    yield from (f": {name}" for name, present in _shape(sentence) if present)
    count = len(content_words(text))
    yield from (f": content ≥ {n}" for n in _CONTENT if count >= n)


def _shape(sentence: Sentence) -> Iterator[tuple[str, bool]]:
    yield "asks", sentence.asks
    yield "item", sentence.item
    yield "name", PROPER_NAME.search(sentence.text) is not None
    yield "code", _CODE.search(sentence.text) is not None
    yield "lower", sentence.text[:1].islower()


def _position(view: SentenceView) -> Iterator[str]:
    turn, place = view.turn, view.place
    yield f": place {min(place, 3)}"
    yield f": of {min(len(turn.sentences), 4)}"
    if turn.before:
        yield ": to assistant"
    if turn.question:
        yield f"{_ANSWERS} choice {min(place, 2)}"
        if len(content_words(view.sentence.text)) < TERSE:
            yield f"{_CHOOSES} {min(place, 2)}"
    elif turn.proposal:
        yield f"{_ANSWERS} proposal {min(place, 2)}"
    if view.before.rstrip().endswith("?"):
        yield f": after question {min(place, 1)}"


def _opening(view: SentenceView, signs: Sequence[str], goes_on: bool) -> Iterator[str]:
    """Signs of a sentence in the first message of a longer conversation, where people describe what they want."""
    if view.turn.opening and goes_on:
        yield ": opening"
        yield from (f"opening {name}" for name in signs if name[2:] in _OF_NEIGHBOURS)


def _neighbours(found: Sequence[SentenceView], signs: Sequence[Sequence[str]], n: int) -> Iterator[str]:
    """The signs of the sentences before and after it in the same message."""
    for step, side in ((-1, "before"), (1, "after")):
        if 0 <= n + step < len(found) and found[n + step].turn is found[n].turn:
            yield from (f"{side} {name}" for name in signs[n + step] if name[2:] in _OF_NEIGHBOURS)
