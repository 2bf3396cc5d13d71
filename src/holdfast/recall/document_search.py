"""Searching documents alone: by words, by meaning or by both, so many pieces of each (R-D5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from holdfast.core.document import DOCUMENT_PASSAGE_TYPES
from holdfast.core.errors import InvalidInput
from holdfast.recall.paths import SUBSTRING
from holdfast.recall.pipeline import ask
from holdfast.recall.recipes import RECIPES, build

if TYPE_CHECKING:
    from holdfast.core.answer import Recall
    from holdfast.recall.question import Question
    from holdfast.recall.recipes import RecallResources

# What is asked in each mode, and what next when that finds nothing. Each ends with the text as it stands.
MODES: Mapping[str, tuple[str, ...]] = {
    "hybrid": ("default",),
    "keyword": ("keyword",),
    "vector": ("vector", "keyword"),
}
# How many times more are looked at, as some pieces of each document may not stand in the answer; how many at most.
_MORE, _MOST = 3, 100


def search(question: Question, mode: str, resources: RecallResources, per_document: int) -> Recall:
    """The pieces of documents that answer best, at most so many of each; 0: any number. Never holds weak ones back."""
    if mode not in MODES:
        raise InvalidInput(f"mode {mode!r}", hint=f"Use one of: {', '.join(MODES)}.")
    wider = min(max(question.limit * max(1, per_document) * _MORE, question.limit), max(_MOST, question.limit))
    types = question.filters.types or DOCUMENT_PASSAGE_TYPES
    asked = replace(question, limit=wider, filters=replace(question.filters, types=types))
    for recipe in MODES[mode]:
        steps = build(RECIPES[recipe], replace(resources, per_document=per_document))
        answer = ask(asked, recipe, steps, resources.reading, None)
        # Why: words come before the text as it stands, which every recipe ends with.
        if answer.hits and SUBSTRING.name not in answer.hits[0].why.paths:
            break
    return replace(answer, hits=answer.hits[: question.limit])
