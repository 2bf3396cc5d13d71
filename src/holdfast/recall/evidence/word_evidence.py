"""Estimates from words and cosine alone how likely a passage answers a query, from 0 to 1.

Used where `holdfast.recall.evidence.answerability` did not run.
"""

from __future__ import annotations

from collections.abc import Mapping

from holdfast.recall.paths import MEANING, SUBSTRING
from holdfast.text.stemming import stem
from holdfast.text.words import terms

# Standard deviations of a cosine above unrelated texts: below the first there is no evidence, above the second full.
_DEVIATIONS_FROM, _DEVIATIONS_TO = 0.97, 6.23


def evidence(stems: frozenset[str], text: str, raw: Mapping[str, float]) -> float:
    """Returns the higher of two numbers, 0 to 1: the share of the query's stems in the text, and the scaled cosine."""
    if SUBSTRING.name in raw:
        return raw[SUBSTRING.name]
    near = (raw.get(MEANING.name, 0.0) - _DEVIATIONS_FROM) / (_DEVIATIONS_TO - _DEVIATIONS_FROM)
    return max(_share(stems, text), min(1.0, max(0.0, near)))


def _share(stems: frozenset[str], text: str) -> float:
    lowered = text.lower()
    if "_" in lowered:
        lowered += " " + terms(text)
    possible = [word for word in stems if word in lowered]
    if not possible:
        return 0.0
    missing = {word for word in possible if not _contains(lowered, word)}
    if missing:
        missing -= {stem(part) for part in terms(text).split()}
    return (len(possible) - len(missing)) / len(stems)


def _contains(text: str, wanted: str) -> bool:
    """Whether the text has a word with that stem. Checks only where the stem occurs: this runs for every candidate."""
    start = text.find(wanted)
    while start >= 0:
        end = start + len(wanted)
        while end < len(text) and text[end].isalnum():
            end += 1
        if (start == 0 or not text[start - 1].isalnum()) and stem(text[start:end]) == wanted:
            return True
        start = text.find(wanted, end)
    return False
