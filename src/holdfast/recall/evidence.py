"""How strong is the sign that a passage answers a question at all? On one absolute scale, unlike ranks."""

from __future__ import annotations

from collections.abc import Mapping

from holdfast.text.words import stem, terms

# Cosines of the bundled model below the first tell nothing, above the second they tell everything.
_COSINE_FROM, _COSINE_TO = 0.50, 0.75


def evidence(asked: frozenset[str], text: str, raw: Mapping[str, float]) -> float:
    """The better of two signs, 0 to 1: the share of the question's stems in the text, and the cosine."""
    if "substring" in raw:
        return 1.0
    near = (raw.get("meaning", 0.0) - _COSINE_FROM) / (_COSINE_TO - _COSINE_FROM)
    return max(_share(asked, text), min(1.0, max(0.0, near)))


def _share(asked: frozenset[str], text: str) -> float:
    lowered = text.lower()
    if "_" in lowered:
        lowered += " " + terms(text)
    possible = [word for word in asked if word in lowered]
    if not possible:
        return 0.0
    missing = {word for word in possible if not _stands_in(lowered, word)}
    if missing:
        missing -= {stem(part) for part in terms(text).split()}
    return (len(possible) - len(missing)) / len(asked)


def _stands_in(text: str, wanted: str) -> bool:
    """Does a word of that stem stand in the text? Looks only where the stem occurs: this runs for every candidate."""
    start = text.find(wanted)
    while start >= 0:
        end = start + len(wanted)
        while end < len(text) and text[end].isalnum():
            end += 1
        if (start == 0 or not text[start - 1].isalnum()) and stem(text[start:end]) == wanted:
            return True
        start = text.find(wanted, end)
    return False
