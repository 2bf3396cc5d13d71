"""Searches documents only, by words, by meaning or both, with a limit on chunks per document."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from holdfast.core.errors import InvalidInput
from holdfast.core.memory import DOCUMENT_PASSAGE
from holdfast.recall.paths import SUBSTRING
from holdfast.recall.pipeline import ask
from holdfast.recall.recipes import DEFAULT, RECIPES, Recipe, build, named

if TYPE_CHECKING:
    from holdfast.core.answer import Recall
    from holdfast.recall.question import Question
    from holdfast.recall.recipes import RecallResources

# Rank fusion for documents: the fused ranks × confidence × links, without the factors of memories.
_RRF = replace(
    RECIPES["rrf"], words=80, meaning=80, entities=0, co_access=0, churn=False, relevance=1.0, recency=0.0,
    frequency=0.0, temper=0.0,
)  # fmt: skip
_RRF_WORDS, _RRF_VECTORS = replace(_RRF, meaning=0), replace(_RRF, words=0)

# The recipes of each mode, in order; a recipe runs if the one before it found nothing but a literal substring.
MODES: Mapping[str, tuple[Recipe, ...]] = {
    "hybrid": (DEFAULT,),
    "keyword": (RECIPES["keyword"],),
    "vector": (RECIPES["vector"], RECIPES["keyword"]),
}
_RRF_MODES: Mapping[str, tuple[Recipe, ...]] = {
    "hybrid": (_RRF,),
    "keyword": (_RRF_WORDS,),
    "vector": (_RRF_VECTORS, _RRF_WORDS),
}
# Hits to ask for per wanted chunk, because the limit per document drops some; and the most hits to ask for.
_MORE, _MOST = 3, 100


def search(question: Question, recipes: tuple[Recipe, ...], resources: RecallResources, per_document: int) -> Recall:
    """Returns the best chunks, at most `per_document` of each document (0: no limit). Never abstains.

    Chunks of code are only among them if the filters name their type.
    """
    if per_document < 0:
        raise InvalidInput(f"per_document must be at least 0, not {per_document}", hint="0 means no limit.")
    wider = min(max(question.limit * max(1, per_document) * _MORE, question.limit), max(_MOST, question.limit))
    types = question.filters.types or (DOCUMENT_PASSAGE,)
    widened = replace(question, limit=wider, filters=replace(question.filters, types=types))
    for recipe in recipes:
        steps = build(recipe, replace(resources, per_document=per_document))
        answer = ask(widened, recipe.name, steps, resources.reading, None)
        # A substring match is the last resort; the next recipe may find whole words.
        if answer.hits and SUBSTRING.name not in answer.hits[0].why.paths:
            break
    return replace(answer, hits=answer.hits[: question.limit])


def recipes_of(mode: str | None, recipe: str) -> tuple[Recipe, ...]:
    """Returns the recipes to try for a mode and a ranking recipe. Raises InvalidInput if they contradict each other.

    The mode selects the paths, `rrf` the ranking. The recipes `keyword` and `vector` are the modes of these names.
    """
    if mode is not None and mode not in MODES:
        raise InvalidInput(f"mode {mode!r}", hint=f"Use one of: {', '.join(MODES)}.")
    name = named(recipe).name
    if name in MODES and mode not in (None, name):
        hint = f"Leave one of them out, or use the recipe {DEFAULT.name} or rrf."
        raise InvalidInput(f"mode {mode!r} does not go with the recipe {name!r}", hint=hint)
    by_mode = _RRF_MODES if name == "rrf" else MODES
    return by_mode[name if name in MODES else mode or "hybrid"]
