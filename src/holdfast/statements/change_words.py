"""Reads how a statement says that something changed: which words mark it, and which old value it names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from functools import cache
from itertools import accumulate

from holdfast.core.frozen import frozen
from holdfast.statements.statement_tokens import StatementToken, words_of

_PHRASE = r"(?P<old>[^,;:.!?()]{1,60}?)"
_END = r"(?= [,;:.!?()]| (?:and|but|because|since|so|as|mais|et|car|parce|pour|for|these days|any ?more)\b|$)"
# How people name a value that no longer holds. The patterns apply to the words in lower case, joined by spaces.
_OLD_VALUES = tuple(
    map(
        re.compile,
        (
            rf"\b(?:instead of|in place of|rather than|au lieu (?:de|d'|du|des)|à la place (?:de|d'|du|des)"
            rf"|plutôt (?:que|qu')) {_PHRASE}{_END}",
            rf"^(?:no , )?(?:it's|it is|that's|they're|ce n' est|c' est) (?:not|pas) {_PHRASE} (?=[,;])",
            rf"\b(?:not|don't|doesn't|won't|pas) {_PHRASE} (?=, (?:we|i|it|they|he|she|on|nous|je|il|elle)\b)",
            rf"[,;] (?:and |et |but |mais )?(?:not|no|no longer|never|pas|non|non pas|plus) {_PHRASE}{_END}",
            rf"\b(?:not|isn't|aren't|wasn't|weren't|pas|plus) {_PHRASE} "
            r"(?:but|mais|, it's|, it is|, they're|, c' est)\b",
        ),
    )
)
_TITLE = r"(?:(?:mr|mrs|ms|dr|m|mme) (?:\. )?)?"
_SUCCEEDED = re.compile(
    rf"\b(?:replac\w+|succeed\w+|(?:took|takes?) over from|remplac\w+) {_TITLE}{_PHRASE} (?:as|comme|en tant que)\b"
)
_REPLACED = re.compile(
    rf"\b(?:replac\w+|swapp\w+|remplac\w+) (?:the |our |le |la |les |l' )?{_PHRASE} (?:with|by|for|par)\b"
)
_USE_ANOTHER = re.compile(rf"\b(?:don't|do not|never) (?P<verb>\w+) {_PHRASE} (?=[,;] (?P=verb)\b)")
_FROM = re.compile(rf"\b(?:from|de|du|d') {_PHRASE} (?=(?:to|over to|à|au|aux|vers)\b)")
_NOT_ANY_MORE = re.compile(r"(\b(?:not|no|never|\w+n't)\b)[^.;!?]*?(\b(?:any ?more|any longer)\b)")
_NE_PLUS = re.compile(r"\b(ne|n')(?= )[^.;!?]{1,60}?\b(plus)\b(?! de\b)")
# Kinds of phrases that say that something changed, and those that say so of some subjects only.
MARKS = frozenset(("now", "becomes", "correction"))
CHANGES = MARKS | {"denied", "gone", "ends", "stay"}
EVENTS = CHANGES | {"starts", "life", "progress"}
# Kinds of phrases that are part of what a statement says.
_UNMARKED = frozenset(("plan", "unsure", "stay", "ends", "starts", "life", "progress"))


@frozen
class ChangeMarks:
    """The marks of a change in a statement.

    `kinds` are the kinds of phrases of `data/changes.txt` that occur in it. `denied` are the numbers of the tokens that
    name an old value (`Tuesdays` in `Thursdays instead of Tuesdays`), `replaced` those of which the statement also says
    that something took its place (`from Jest to Vitest`). `marked` are those of the marking phrases, `gone`
    those of the phrases that withdraw something (`no longer`, `dropped`), `unsure` those of doubts and questions.
    """

    kinds: frozenset[str]
    denied: frozenset[int]
    replaced: frozenset[int]
    marked: frozenset[int]
    gone: frozenset[int]
    unsure: frozenset[int]


def change_marks(tokens: Sequence[StatementToken]) -> ChangeMarks:
    """Reads the marks of a change."""
    words = [token.word for token in tokens]
    text = " ".join(words)
    found = [(kind, match.span()) for kind, pattern in _patterns() for match in pattern.finditer(text)]
    kinds = {kind for kind, _ in found}
    becoming = [span for kind, span in found if kind == "becomes"]
    naming = (_REPLACED, _SUCCEEDED, _USE_ANOTHER, *_changed_from(kinds))
    replaced = [old for pattern in naming for old in _old_values(text, pattern)]
    # `the budget of the project rose to` names no old value.
    replaced = [old for old in replaced if not any(old[1][0] <= start < old[1][1] for start, _ in becoming)]
    old = [*replaced, *(found for pattern in _OLD_VALUES for found in _old_values(text, pattern))]
    gone = [match.span(group) for match in _NOT_ANY_MORE.finditer(text) for group in (1, 2) if match.start(group) >= 0]
    gone += [match.span(group) for match in _NE_PLUS.finditer(text) for group in (1, 2)]
    kinds |= ({"gone"} if gone else set()) | ({"denied"} if old else set())
    spans = [span for kind, span in found if kind not in _UNMARKED] + gone + [whole for whole, _ in old]
    places = list(accumulate((len(word) + 1 for word in words), initial=0))
    denied = _inside(places, [phrase for _, phrase in old])
    gone += [span for kind, span in found if kind in ("gone", "ends")]
    unsure = _inside(places, [span for kind, span in found if kind == "unsure"])
    marked = _inside(places, spans) - denied
    named = _inside(places, [phrase for _, phrase in replaced])
    return ChangeMarks(frozenset(kinds), denied, named, marked, _inside(places, gone), unsure)


def _changed_from(kinds: Set[str]) -> tuple[re.Pattern[str], ...]:
    return (_FROM,) if "becomes" in kinds else ()


def _old_values(text: str, pattern: re.Pattern[str]) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """The spans of the phrases that name an old value, each with the span of the value."""
    for match in pattern.finditer(text):
        yield match.span(), match.span("old")


def _inside(places: Sequence[int], spans: Sequence[tuple[int, int]]) -> frozenset[int]:
    return frozenset(n for n, place in enumerate(places[:-1]) if any(start <= place < end for start, end in spans))


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    lines = ((kind, "|".join(rest)) for kind, *rest in words_of("changes.txt"))
    return tuple((kind, re.compile(pattern)) for kind, pattern in lines)
