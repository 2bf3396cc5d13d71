"""Named configurations of the pipeline. A recipe is data; building it binds the steps to a store and a model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from holdfast.core.errors import InvalidInput
from holdfast.recall.question import Embedded
from holdfast.recall.steps import ByMeaning, BySubstring, ByWords, Cap, Filter, Fuse, Score, Step

if TYPE_CHECKING:
    from holdfast.store.reading import Reading


@dataclass(frozen=True, slots=True)
class Recipe:
    """Which paths look, how deep, and what scoring weighs."""

    name: str
    help: str
    words: int = 20
    meaning: int = 30
    relevance: float = 0.6
    recency: float = 0.25
    frequency: float = 0.15


RECIPES = {
    recipe.name: recipe
    for recipe in (
        Recipe("default", "the seed's paths and fusion, relevance first", relevance=0.9, recency=0.07, frequency=0.03),
        Recipe("seed", "the seed's formula as it stands: 0.6 relevance, 0.25 recency, 0.15 frequency"),
        Recipe("keyword", "words alone, no model asked", meaning=0, relevance=0.9, recency=0.07, frequency=0.03),
        Recipe("vector", "vectors alone", words=0, relevance=0.9, recency=0.07, frequency=0.03),
    )
}


def build(name: str, reading: Reading, embed: Callable[[str], Embedded | None], per_session: int) -> tuple[Step, ...]:
    """The steps of a recipe, in order."""
    if name not in RECIPES:
        raise InvalidInput(f"recipe {name!r}", hint=f"Use one of: {', '.join(RECIPES)}.")
    recipe = RECIPES[name]
    paths: list[Step] = []
    if recipe.words:
        paths.append(ByWords(reading, recipe.words))
    if recipe.meaning:
        paths.append(ByMeaning(reading, embed, recipe.meaning))
    scoring = Score(recipe.relevance, recipe.recency, recipe.frequency)
    return (*paths, BySubstring(reading), Fuse(), Filter(reading), scoring, Cap(per_session))
