"""What is believed near a text: words and meaning together, episodes left out (R-E8)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from holdfast.core.answer import Filters, Hit
from holdfast.core.memory import Memory
from holdfast.recall import pipeline
from holdfast.recall.question import Question, readable
from holdfast.recall.recipes import Recipe, build

if TYPE_CHECKING:
    from holdfast.core.memory_types import TypeRegistry
    from holdfast.models.protocols import Embedder
    from holdfast.recall.recipes import RecallResources
    from holdfast.store.reading import PassageReading

# Why neither time nor newest first: a statement is compared with what is known, whenever that was said.
NEAR = Recipe("near", "words and meaning, for statements that are compared", time=0, token_rerank=0, newest=False)
_LIMIT = 12


@dataclass(frozen=True, slots=True)
class SimilarSearch:
    """Finds what is near. `embedder` also tells how near, and is given only where that can be read as likeness."""

    reading: PassageReading
    resources: RecallResources
    types: TypeRegistry
    now: Callable[[], datetime]
    project: str
    embedder: Embedder | None = None

    def __call__(self, text: str) -> tuple[tuple[Memory, float | None], ...]:
        found = [hit.memory for hit in self._hits(text) if hit.memory is not None]
        believed = [m for m in found if not m.forgotten and m.valid_until is None]
        return tuple(zip(believed, self._nearness(text, believed), strict=True))

    def _hits(self, text: str) -> tuple[Hit, ...]:
        learned = Filters(types=self.types.comparable)
        question = Question(readable(text), self.project, learned, _LIMIT, self.now())
        steps = build(NEAR, replace(self.resources, reranker=None, hyde=None))
        return pipeline.ask(question, NEAR.name, steps, self.reading, None).hits

    def _nearness(self, text: str, memories: list[Memory]) -> list[float | None]:
        if self.embedder is None or not memories:
            return [None] * len(memories)
        vectors = self.embedder.embed([text, *(m.content for m in memories)])
        return [float(likeness) for likeness in vectors[1:] @ vectors[0]]
