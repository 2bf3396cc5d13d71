"""Finds the words of a family: other inflections and derivations of a word, such as `deployments` for `deploy`."""

from __future__ import annotations

from collections.abc import Iterable

from holdfast.text.english import english_stem
from holdfast.text.stemming import french_stem, stem

_SHORTEST, _LONGEST = 4, 24
_MOST = 6
# English stems that words of different meaning share: import and important, author and authorize, custom and customer.
_AMBIGUOUS = frozenset(
    """activ author custom execut import initi integr intern object organ past person posit relat secret sever specif
    subject termin univers util""".split()
)


def family_start(word: str) -> str:
    """The letters with which all words of its family start; empty if it is too short, too long or no plain word.

    The last letter of a stem may differ between the words of a family: `deny`, `denied`.
    """
    if not (_SHORTEST <= len(word) <= _LONGEST and word.isalpha() and word < "\u0500"):
        return ""
    shorter = min(len(english_stem(word)), len(french_stem(word)))
    return word[: shorter - 1] if shorter > _SHORTEST else word[:_SHORTEST]


def in_family(word: str, known: Iterable[str], *, french: bool) -> tuple[str, ...]:
    """Those of the known words that share a stem with the word, the shortest first; one of each inflected form.

    Leaves out inflections of the word itself, because these match anyway.
    """
    stem_of = french_stem if french else english_stem
    own, found = stem_of(word), dict[str, str]()
    if not french and own in _AMBIGUOUS:
        return ()
    for other in sorted(known, key=lambda other: (len(other), other)):
        if stem_of(other) == own and stem(other) != stem(word):
            found.setdefault(stem(other), other)
    return tuple(found.values())[:_MOST]
