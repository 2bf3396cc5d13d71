"""A short statement as it is compared: what it is about, its values, its polarity, and when it holds."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from holdfast.trust.statements.tokens import Token, marks, tokens_of, weight
from holdfast.trust.statements.values import Value, values_of

_NAME = 1.2  # a name tells more than a word
_LONG = 2_000
_NEAR = 7  # words on each side of a value that say what it is the value of
_SINGLE = frozenset("the a an each every this le la un une chaque".split())
_OF_THE_USER = re.compile(r"(?:the )?user(?:'s)? (?!must|shall|should|may|can)", re.I)
_NARROWS = re.compile(
    r"\W*(?:only|solely|exclusively|none but|(?:nobody|no one|no-one) (?:but|except)|seule?s?)\b", re.I
)
_ADDS = re.compile(r"\b(?:also|too|as well|in addition|additionally|aussi|également)\b", re.I)
_DEFAULT = re.compile(r"\b(?:default|unless|par défaut|sauf)\b", re.I)
_CHANGED = re.compile(
    r"\b(?:no longer|not any ?more|used to|instead|from now on|moved|switched|changed|increased|decreased|upgraded|"
    r"replaced|stopped|quit|gave up|cut back|as of|these days|renamed|went from|up from|down from|finally|new|"
    r"désormais|ne .{1,30} plus|changé|déménagé)\b",
    re.I,
)
_BEGINNING = re.compile(
    r"\b(?:(?:start(?:ed)?|began|begun)\b.{0,20}\bwith|initially|originally|at first|back then)\b", re.I
)


@dataclass(frozen=True, slots=True)
class Statement:
    """A text, read: `topic` weighs what it is about, without its values; `said` are its words, without fillers."""

    text: str
    tokens: tuple[Token, ...]
    values: tuple[Value, ...]
    said: tuple[str, ...]
    topic: Mapping[str, float]
    repeated: frozenset[str]
    names: frozenset[str]
    subject: frozenset[str]
    force: frozenset[str]
    negated: bool
    personal: bool
    permits: bool
    narrows: bool
    adds: bool
    default: bool
    changed: bool
    beginning: bool
    condition: frozenset[str]

    def around(self, value: Value, reach: int = _NEAR) -> tuple[Token, ...]:
        """The tokens on both sides of a value, within its own sentence."""
        before = self.tokens[max(0, value.start - reach) : value.start]
        after = self.tokens[value.end : value.end + reach]
        starts = [n for n, token in enumerate(before) if token.text in ".!?"]
        ends = [n for n, token in enumerate(after) if token.text in ".!?"]
        return before[starts[-1] + 1 if starts else 0 :] + after[: ends[0] if ends else None]

    def kinds_of(self, shared: Set[str]) -> frozenset[str]:
        """Words of the subject beside one that both share: `express` parcels, `drafts` of comments, app `upgrade`."""
        words = [token.root for token in self.tokens if token.word not in ("of", "de", "des", "du")]
        beside = [pair for one, other in pairwise(words) for pair in ((one, other), (other, one))]
        return self.subject.intersection(one for one, other in beside if other in shared & self.subject)


@lru_cache(maxsize=4096)
def read(text: str) -> Statement:
    """Reads a statement, of a long text its beginning; the same text is read once."""
    tokens = tokens_of(text[:_LONG])
    values = values_of(tokens)
    words = [token.word for token in tokens]
    topic = _topic(tokens, values)
    return Statement(
        text=text,
        tokens=tokens,
        values=values,
        said=_said(tokens, values),
        topic=topic,
        repeated=frozenset(word for word, times in Counter(t.root for t in tokens).items() if times > 1),
        names=frozenset(token.root for token in tokens if token.name and token.root in topic),
        subject=_subject(tokens, topic),
        force=marks("force").intersection(words),
        negated=sum(word in marks("negation") for word in words) % 2 == 1,
        personal=bool(marks("personal").intersection(words) or _OF_THE_USER.match(text)),
        permits=bool(marks("permission").intersection(words)),
        narrows=bool(_NARROWS.match(text)),
        adds=bool(_ADDS.search(text)),
        default=bool(_DEFAULT.search(text)),
        changed=bool(_CHANGED.search(text)),
        condition=_condition(tokens, topic),
        beginning=bool(_BEGINNING.search(text)),
    )


def _said(tokens: Sequence[Token], values: Sequence[Value]) -> tuple[str, ...]:
    """The words in order, each value in one form: `thirty days` and `30 days` are said alike."""
    told = {place: "" for value in values for place in range(value.start, value.end)}
    told |= {value.start: f"{value.kind} {value.low:g} {value.high:g}" for value in values}
    words = (token.root if not token.mark and token.word not in marks("filler") else "" for token in tokens)
    return tuple(word for place, said in enumerate(words) if (word := told.get(place, said)))


def _topic(tokens: Sequence[Token], values: Sequence[Value]) -> dict[str, float]:
    """What the statement is about: its telling words and names, and what its numbers count."""
    said = {place for value in values for place in range(value.start, value.end)}
    telling = [token for place, token in enumerate(tokens) if place not in said and token.text[0].isalpha()]
    topic = {token.root: weight(token.root) * (_NAME if token.name else 1.0) for token in telling}
    topic |= {unit: weight(unit) for value in values for unit in value.unit}
    return {word: tells for word, tells in topic.items() if tells > 0}


def _subject(tokens: Sequence[Token], topic: Mapping[str, float]) -> frozenset[str]:
    """The telling words before the verb.

    Where no verb is seen as one, a plural ends the subject (`invited users start`); after `the` or `a` the first word
    in -s is taken for the verb (`the importer rejects`).
    """
    found: list[str] = []
    plural: list[str] = []
    single = bool(tokens) and tokens[0].word in _SINGLE
    for token in tokens:
        if token.word in marks("verb") and found:
            return frozenset(found)
        if token.root in topic:
            ends = token.word.endswith("s") and not plural and bool(found or not single)
            found.append(token.root)
            plural = (found[:-1] if single else found[:]) if ends else plural
    return frozenset(plural or found[:1])


def _condition(tokens: Sequence[Token], topic: Mapping[str, float]) -> frozenset[str]:
    """The telling words of the clause that says when the rest holds."""
    start = next((n for n, token in enumerate(tokens) if token.word in marks("condition")), len(tokens))
    clause = tokens[start:]
    end = next((n for n, token in enumerate(clause) if token.mark), len(clause))
    return frozenset(token.root for token in clause[:end] if token.root in topic)
