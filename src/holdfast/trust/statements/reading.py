"""A short statement as it is compared: what it is about, its values, its polarity, and when it holds."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from holdfast.trust.statements.tokens import Token, root, tokens_of, weight
from holdfast.trust.statements.values import Value, values_of

_NEAR = 7  # words on each side of a value that say what it is the value of
_PERSONAL = frozenset("i i'm i've i'd i'll my me mine we we're we've we'll our us user user's je j'ai mon ma mes".split())
NEGATIONS = frozenset(
    """not no never none neither nor cannot can't don't doesn't didn't won't wouldn't shouldn't mustn't isn't aren't
    wasn't weren't haven't hasn't hadn't without nobody nothing nowhere ne n'est n'a jamais aucun aucune sans ni""".split()
)
_MODALS = frozenset(
    "must shall should may might can cannot will would is are was were be has have had does do doit doivent peut "
    "peuvent sera est sont".split()
)
_FORCE = frozenset("must shall should may might never always only cannot doit toujours jamais".split())
_PERMITS = frozenset("may might can could peut peuvent".split())
_NARROWS = re.compile(r"\W*(?:only|solely|exclusively|none but|(?:nobody|no one|no-one) (?:but|except)|seuls?|seules?)\b", re.I)
_ADDS = re.compile(r"\b(also|too|as well|in addition|additionally|aussi|également)\b", re.I)
_DEFAULT = re.compile(r"\b(by default|default|unless|par défaut|sauf)\b", re.I)
# Words that hold a sentence together and change nothing of what it tells.
_FILLERS = frozenset(
    """a an the and is are am was were be been being i i'm i've i'd i'll it it's this that these those of there here so well oh
    actually really just also by way speaking which who my our we we've we're have has had do does did to le la les un
    une des de du est et""".split()
)
_NOW = re.compile(
    r"\b(now|currently|at the moment|these days|so far|already|as of|just (?:got|reached|hit|finished|completed|moved|"
    r"switched|started|realized|checked)|recently|maintenant|désormais|actuellement)\b",
    re.I,
)
_CHANGED = re.compile(
    r"\b(no longer|not any ?more|used to|instead|from now on|moved|switched|changed|increased|decreased|upgraded|"
    r"replaced|stopped|quit|gave up|cut back|as of|these days|renamed|went from|up from|down from|"
    r"finally|new|désormais|ne .{1,30} plus|changé|déménagé)\b",
    re.I,
)
_ORIGIN = re.compile(r"\b(?:start(?:ed)?|began|begun)\b.{0,20}\bwith\b|\b(?:initially|originally|at first|back then)\b", re.I)
_ENDED = re.compile(r"\b(no longer|used to|not any ?more|stopped|quit|gave up|ne .{1,30} plus)\b", re.I)
_EVENT = re.compile(
    r"\b(today|yesterday|tonight|this morning|this weekend|last (?:night|week|weekend|month|year|summer|\w+day)|"
    r"(?:days?|weeks?|months?|years?) ago|on the \d+|tomorrow|next \w+|upcoming|hier|demain|aujourd'hui)\b",
    re.I,
)
_MAYBE = re.compile(
    r"\b(thinking of|thinking about|considering|planning|plan to|might|maybe|perhaps|would like|i'd like|hoping|"
    r"want to|looking for|looking to|wondering|interested in|going to|can you|could you|do you|should i)\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Statement:
    """A text, read. `topic` weighs what it is about (values left out), `names` are those written like names."""

    text: str
    tokens: tuple[Token, ...]
    values: tuple[Value, ...]
    said: tuple[str, ...]
    topic: Mapping[str, float]
    repeated: frozenset[str]
    names: frozenset[str]
    subject: frozenset[str]
    personal: bool
    modal: frozenset[str]
    negated: bool
    permits: bool
    narrows: bool
    adds: bool
    default: bool
    now: bool
    changed: bool
    ended: bool
    origin: bool
    event: bool
    maybe: bool

    def around(self, value: Value, reach: int = _NEAR) -> tuple[Token, ...]:
        """The tokens on both sides of a value, within its own sentence."""
        before = self.tokens[max(0, value.start - reach) : value.start]
        after = self.tokens[value.end : value.end + reach]
        starts = [n for n, token in enumerate(before) if token.text in ".!?"]
        ends = [n for n, token in enumerate(after) if token.text in ".!?"]
        return before[starts[-1] + 1 if starts else 0 :] + after[: ends[0] if ends else None]

    @property
    def head(self) -> str:
        """The word an `of` leans on in the subject: `drafts` in `drafts of comments`."""
        for token, following in zip(self.tokens, self.tokens[1:], strict=False):
            if following.word in ("of", "de", "des", "du"):
                return token.root if token.root in self.subject else ""
        return ""


@lru_cache(maxsize=4096)
def read(text: str) -> Statement:
    """Reads a statement; the same text is read once."""
    tokens = tokens_of(text)
    values = values_of(tokens)
    said = {place for value in values for place in range(value.start, value.end)}
    telling = [t for n, t in enumerate(tokens) if n not in said and t.text[0].isalpha()]
    topic = {t.root: w * (1.2 if t.name else 1.0) for t in telling if (w := weight(t.root)) > 0}
    for value in values:
        topic |= {unit: weight(unit) for unit in value.unit if weight(unit) > 0}
    return Statement(
        text=text,
        tokens=tokens,
        values=values,
        said=tuple(t.root for t in tokens if not t.mark and t.word not in _FILLERS),
        topic=topic,
        repeated=frozenset(word for word, times in Counter(t.root for t in tokens).items() if times > 1),
        names=frozenset(t.root for t in telling if t.name and t.root in topic),
        subject=_subject(tokens, topic),
        personal=any(t.word in _PERSONAL for t in tokens),
        modal=frozenset(t.word for t in tokens if t.word in _FORCE),
        negated=sum(t.word in NEGATIONS for t in tokens) % 2 == 1,
        permits=any(t.word in _PERMITS for t in tokens),
        narrows=bool(_NARROWS.match(text)),
        adds=bool(_ADDS.search(text)),
        default=bool(_DEFAULT.search(text)),
        now=bool(_NOW.search(text)),
        changed=bool(_CHANGED.search(text)),
        ended=bool(_ENDED.search(text)),
        origin=bool(_ORIGIN.search(text)),
        event=bool(_EVENT.search(text)),
        maybe=bool(_MAYBE.search(text)),
    )


def _subject(tokens: tuple[Token, ...], topic: Mapping[str, float]) -> frozenset[str]:
    """The telling words before the first verb that can be seen as one; without it, the first telling word."""
    found: list[str] = []
    for token in tokens:
        if token.word in _MODALS and found:
            return frozenset(found)
        if token.root in topic:
            found.append(token.root)
    return frozenset(found[:1])
