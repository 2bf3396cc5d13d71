"""Searches documents only, by words, by meaning or both, with a limit on chunks per document."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from holdfast.core.errors import InvalidInput
from holdfast.core.memory import DOCUMENT_PASSAGE_TYPES
from holdfast.recall.paths import SUBSTRING
from holdfast.recall.pipeline import ask
from holdfast.recall.recipes import RECIPES, build

if TYPE_CHECKING:
    from holdfast.core.answer import Recall
    from holdfast.recall.question import Question
    from holdfast.recall.recipes import RecallResources

# The recipes of each mode, in order; a recipe runs if the one before it found nothing but a literal substring.
MODES: Mapping[str, tuple[str, ...]] = {
    "hybrid": ("default",),
    "keyword": ("keyword",),
    "vector": ("vector", "keyword"),
}
# Hits to ask for per wanted chunk, because the limit per document drops some; and the most hits to ask for.
_MORE, _MOST = 3, 100


def search(question: Question, mode: str, resources: RecallResources, per_document: int) -> Recall:
    """Returns the best chunks, at most `per_document` of each document (0: no limit). Never abstains."""
    if mode not in MODES:
        raise InvalidInput(f"mode {mode!r}", hint=f"Use one of: {', '.join(MODES)}.")
    wider = min(max(question.limit * max(1, per_document) * _MORE, question.limit), max(_MOST, question.limit))
    types = question.filters.types or DOCUMENT_PASSAGE_TYPES
    widened = replace(question, limit=wider, filters=replace(question.filters, types=types))
    for recipe in MODES[mode]:
        steps = build(RECIPES[recipe], replace(resources, per_document=per_document))
        answer = ask(widened, recipe, steps, resources.reading, None)
        # A substring match is the last resort; the next recipe may find whole words.
        if answer.hits and SUBSTRING.name not in answer.hits[0].why.paths:
            break
    return replace(answer, hits=answer.hits[: question.limit])
