"""How strong is the sign that a passage answers a question at all? On one absolute scale, unlike ranks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from holdfast.store.text import stem, terms, words

# Cosines of the bundled model below the first tell nothing, above the second they tell everything.
_COSINE_FROM, _COSINE_TO = 0.50, 0.75


def evidence(asked: Sequence[str], text: str, raw: Mapping[str, float]) -> float:
    """The better of two signs, 0 to 1: the share of the question's words in the text, and the cosine."""
    if "substring" in raw:
        return 1.0
    near = (raw.get("meaning", 0.0) - _COSINE_FROM) / (_COSINE_TO - _COSINE_FROM)
    return max(_share(asked, text), min(1.0, max(0.0, near)))


def _share(asked: Sequence[str], text: str) -> float:
    if not asked:
        return 0.0
    there = {stem(word) for word in (*words(text), *terms(text).split())}
    return sum(stem(word) in there for word in asked) / len(asked)
