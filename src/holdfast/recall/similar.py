"""Finds memories similar to a text, quickly by words, or by words and meaning; and what people said about it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, replace
from datetime import datetime
from typing import TYPE_CHECKING

from holdfast.core.answer import Filters, Hit
from holdfast.core.errors import ModelError
from holdfast.core.frozen import frozen
from holdfast.core.memory import EPISODE, Memory
from holdfast.recall.weigh.cosine_scales import UNKNOWN
from holdfast.text.words import words

if TYPE_CHECKING:
    from holdfast.core.cosine_scale import CosineScales
    from holdfast.core.memory_types import TypeRegistry
    from holdfast.models.protocols import Embedder, Vectors
    from holdfast.recall.recipes import RecallResources
    from holdfast.recall.store_parts import PassageSearch
    from holdfast.store.reading import PassageReading

_LIMIT = 12
_MAX_KNOWN = 2_000  # 3 MB of vectors
_BY_WORDS, _WORDS, _EFFORT = 6, 12, 80


@frozen
class SimilarByWords:
    """Finds the current memories that share the most rare words with a text, in about a millisecond.

    With `forgotten`, it finds forgotten memories instead.
    """

    reading: PassageSearch
    types: TypeRegistry

    def __call__(self, project: str, text: str, forgotten: bool = False) -> tuple[Memory, ...]:
        # The longest words are the rarest, and rare words find similar memories.
        longest = sorted(words(text), key=len, reverse=True)[:_WORDS]
        learned = Filters(types=self.types.comparable, include_forgotten=forgotten)
        found = self.reading.find_words(project, longest, learned, _BY_WORDS, effort=_EFFORT)
        rows = self.reading.hydrate([passage for passage, _ in found])
        memories = (rows[passage][0] for passage, _ in found if passage in rows)
        return tuple(m for m in memories if isinstance(m, Memory) and (m.forgotten if forgotten else m.is_current))


@frozen
class SaidBefore:
    """Finds what people said before a time in the words of a text, the most similar messages first."""

    reading: PassageSearch
    project: str

    def __call__(self, text: str, before: datetime) -> tuple[str, ...]:
        return tuple(message.content for message in self.messages(text, before))

    def messages(self, text: str, before: datetime) -> tuple[Memory, ...]:
        """The messages themselves."""
        longest = sorted(words(text), key=len, reverse=True)[:_WORDS]
        said = Filters(types=(EPISODE,), until=before)
        found = self.reading.find_words(self.project, longest, said, _BY_WORDS, effort=_EFFORT)
        rows = self.reading.hydrate([passage for passage, _ in found])
        messages = (rows[passage][0] for passage, _ in found if passage in rows)
        return tuple(m for m in messages if isinstance(m, Memory) and m.source_role == "user")


@frozen
class SimilarByMeaning:
    """Finds the current memories nearest to a text by words and meaning, each with the closeness of their vectors.

    It is 0 for unrelated texts on average and 1 for equal ones; None without `embedder` and when that fails.
    """

    reading: PassageReading
    resources: RecallResources
    types: TypeRegistry
    now: Callable[[], datetime]
    project: str
    embedder: Embedder | None = None
    scales: Callable[[str], CosineScales] = lambda _: UNKNOWN
    # The vectors of texts that were compared: the same memories are similar to many texts of a conversation.
    known: dict[str, Vectors] = field(default_factory=dict)

    def __call__(self, text: str) -> tuple[tuple[Memory, float | None], ...]:
        memories = [hit.memory for hit in self._hits(text) if hit.memory is not None and _believed(hit.memory)]
        return tuple(zip(memories, self._similarities(text, memories), strict=True))

    def _hits(self, text: str) -> tuple[Hit, ...]:
        from holdfast.recall import pipeline
        from holdfast.recall.question import Question, readable
        from holdfast.recall.recipes import SIMILAR, build

        learned = Filters(types=self.types.comparable)
        question = Question(readable(text), self.project, learned, _LIMIT, self.now())
        steps = build(SIMILAR, replace(self.resources, reranker=None, hyde=None))
        return pipeline.ask(question, SIMILAR.name, steps, self.reading, None).hits

    def _similarities(self, text: str, memories: list[Memory]) -> list[float | None]:
        if self.embedder is None or not memories:
            return [None] * len(memories)
        try:
            own, *others = self._vectors(self.embedder, [text, *(memory.content for memory in memories)])
        except ModelError:
            return [None] * len(memories)
        scale = self.scales(self.embedder.id).of_passages(self.embedder.size, self.embedder.size)
        return [scale.closeness(float(other @ own)) for other in others]

    def _vectors(self, embedder: Embedder, texts: list[str]) -> list[Vectors]:
        if len(self.known) > _MAX_KNOWN:
            self.known.clear()
        found = {text: vector for text in texts if (vector := self.known.get(text)) is not None}
        missing = [text for text in dict.fromkeys(texts) if text not in found]
        if missing:
            embedded = dict(zip(missing, embedder.embed(missing), strict=True))
            self.known.update(embedded)
            found |= embedded
        return [found[text] for text in texts]


def _believed(memory: Memory) -> bool:
    return memory.is_current
