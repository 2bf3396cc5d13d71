"""Recognises sentences in which an agent corrects itself or gives up an approach."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from functools import cache
from typing import Any, NamedTuple

from holdfast.observer.observation_summaries import capitalised
from holdfast.text.patterns import compiled
from holdfast.text.sentence_ends import split_prose

_SHORTEST, _LONGEST, _EXAMINED = 30, 400, 6_000
_FILE = os.path.join(os.path.dirname(__file__), "data", "findings.json")


class Finding(NamedTuple):
    """A sentence, without its lead-in, and what it is: a self-correction or a dead end."""

    kind: str
    text: str


def findings(text: str) -> list[Finding]:
    """The sentences of an agent's text that state a correction or a dead end about named code."""
    text = text[:_EXAMINED]
    if not _has_hint(text.lower()):
        return []
    sentences = _joined(sentence.strip(" -*>#\t") for sentence in split_prose(text))
    likely = (s for s in sentences if _SHORTEST <= len(s) <= _LONGEST and _has_hint(s.lower()))
    return [finding for sentence in likely if (finding := _finding(sentence)) is not None]


def _joined(sentences: Iterable[str]) -> list[str]:
    """The sentences, those of one finding joined: what was wrong with what is right, an end with its reason."""
    joined, waits = list[str](), False
    for sentence in sentences:
        if joined and (waits or compiled(_rules()["follows"]).search(sentence)):
            joined[-1] += f" {sentence}"
        else:
            joined.append(sentence)
        waits = compiled(_rules()["continues"]).search(sentence) is not None
    return joined


def _has_hint(lowered: str) -> bool:
    """Can a pattern match? Looking for the hints is much faster."""
    return any(hint in lowered for hint in _rules()["hints"])


def _finding(sentence: str) -> Finding | None:
    rules = _rules()
    sentence = sentence.replace("’", "'").replace("**", "")
    kind = next((kind for kind, pattern in rules["patterns"] if compiled(pattern).search(sentence)), None)
    # The words that announce a change of mind say nothing about the project.
    end = "." if sentence.endswith(".") else ""
    sentence = compiled(rules["announces"]).sub("; ", sentence).lstrip(" ;").rstrip(" ;.") + end
    # Plans, guesses and questions are no findings. A finding about the project names something of it.
    if kind is None or compiled(rules["no_finding"]).search(sentence):
        return None
    if not compiled(rules["names_code"]).search(sentence):
        return None
    text = compiled(rules["lead_in"]).sub("", sentence).lstrip(" -–—,:")
    return Finding(kind, capitalised(text))


@cache
def _rules() -> dict[str, Any]:
    with open(_FILE, encoding="utf-8") as opened:
        rules: dict[str, Any] = json.load(opened)
    return rules
