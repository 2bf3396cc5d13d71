"""Shortens a long text to its beginning and the part that a query is about."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from holdfast.text.sentence_ends import sentence_ends
from holdfast.text.similarity import content_words

# Longer texts are shortened where somebody asked for another one: whole plans and logs are pasted into messages.
LONGEST = 1_000
# The fraction for the beginning, which says what the text is.
_BEGINNING = 0.3
_GAP, _END = " … ", " …"


def excerpt(text: str, query: str, longest: int = LONGEST) -> str:
    """The beginning of a text and the sentences and lines with the most of the query's words; "…" marks each cut.

    At most `longest` characters. A word counts more if few sentences have it. Without any word of the query, the
    beginning goes on.
    """
    if len(text) <= longest:
        return text
    available = longest - len(_GAP) - len(_END)
    cuts = list(_cuts(text, int(available * _BEGINNING)))
    beginning = bisect_right(cuts, available * _BEGINNING) - 1
    first, last = _best(text, cuts[beginning:], content_words(query), available - cuts[beginning])
    parts = text[: cuts[beginning]], text[first:last]
    shown = text[:last] if first == cuts[beginning] else _GAP.join(part.strip() for part in parts)
    return shown.strip() + (_END if last < len(text) else "")


def _cuts(text: str, longest: int) -> Iterator[int]:
    """Where the text may be cut: before each sentence and line, inside one that is too long, and at the end."""
    at = 0
    for end in (*sentence_ends(text), len(text)):
        while end - at > longest:
            yield at
            blank = text.rfind(" ", at + longest // 2, at + longest)
            at = blank + 1 if blank > 0 else at + longest
        if at < end:
            yield at
        at = end
    yield len(text)


def _best(text: str, cuts: Sequence[int], asked: frozenset[str], longest: int) -> tuple[int, int]:
    """The span that has the most; of several that have the same, the first of the text or else the middle one."""
    said = [content_words(text[start:end]) & asked for start, end in pairwise(cuts)]
    spread = Counter(word for words in said for word in words)
    found: dict[tuple[int, int], float] = {}
    last = 0
    for first, start in enumerate(cuts[:-1]):
        while last + 1 < len(cuts) and cuts[last + 1] - start <= longest:
            last += 1
        found[start, cuts[last]] = sum(1 / spread[word] for word in frozenset[str]().union(*said[first:last]))
    most = max(found.values())
    best = [span for span, share in found.items() if share >= most]
    return best[0] if best[0][0] == cuts[0] else best[len(best) // 2]
