"""Finds out why a new text and a stored one cannot both be true."""

from __future__ import annotations

from holdfast.core.reason import Reason
from holdfast.text.similarity import content_words

# A longer text makes several statements; it is not compared.
_MAX_CHARACTERS = 300
# Contradicting statements share at least this fraction of the shorter one's words.
_MIN_SHARED = 0.4


def contradicts(new: str, old: str) -> Reason | None:
    """Why two texts cannot both be true, with the words that differ, or None. Long texts are not compared."""
    if len(new) > _MAX_CHARACTERS or len(old) > _MAX_CHARACTERS or not _may_share_subject(new, old):
        return None
    from holdfast.trust.reasons import DIFFERENCES
    from holdfast.trust.statements import compare

    verdict = compare(new, old)
    if verdict.kind not in ("update", "clash"):
        return None
    return Reason.of(DIFFERENCES[verdict.by], difference=verdict.difference)


def _may_share_subject(a: str, b: str) -> bool:
    """Do they share enough words to be about the same subject? Much cheaper than a full comparison."""
    words_a, words_b = content_words(a), content_words(b)
    return len(words_a & words_b) >= max(2, _MIN_SHARED * min(len(words_a), len(words_b)))
