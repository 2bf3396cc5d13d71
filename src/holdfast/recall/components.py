"""Builds what recall needs, each component when it is first used."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from holdfast.core.built_once import built_once

if TYPE_CHECKING:
    from holdfast.core.memory_types import TypeRegistry
    from holdfast.core.settings import Settings
    from holdfast.models.components import ModelComponents
    from holdfast.models.protocols import Chat
    from holdfast.recall.entity import Mentions
    from holdfast.recall.hyde import HydeResources
    from holdfast.recall.reading import RecallReading
    from holdfast.recall.recaller import Recaller
    from holdfast.recall.recipes import RecallResources
    from holdfast.recall.similar import SimilarByMeaning, SimilarByWords
    from holdfast.recall.usage import UsageCounter


@dataclass(frozen=True)
class RecallComponents:
    """Recall for one project. `chat` gives the language model for generated answers (HyDE), if there is one."""

    settings: Settings
    reading: RecallReading
    mentions: Mentions
    usage: UsageCounter
    models: ModelComponents
    chat: Callable[[], Chat | None]
    map_phase: Callable[[str], str]
    types: TypeRegistry
    now: Callable[[], datetime]
    project: str
    root: str

    @built_once
    def resources(self) -> RecallResources:
        """The readers and models that recipes are built from."""
        from holdfast.core.churn import Churn
        from holdfast.entities.strategies import keys_named
        from holdfast.recall.query_embedding import QueryEmbedder
        from holdfast.recall.recipes import RecallResources

        return RecallResources(
            self.reading,
            QueryEmbedder(self.reading, self.models.embedder, self.models.late_interaction),
            self.settings.per_session,
            mentions=self.mentions,
            names=keys_named,
            scales=Churn(self.root, self.now).scales,
            reranker=self.models.reranker,
            hyde=self._hyde(),
            types=self.types,
        )

    @built_once
    def recaller(self) -> Recaller:
        """Answers queries."""
        from holdfast.recall.recaller import Recaller

        thresholds = (self.settings.abstain_below, self.settings.per_document)
        return Recaller(self.resources, self.reading, self.usage, self.now, self.project, self.map_phase, *thresholds)

    @built_once
    def similar_by_words(self) -> SimilarByWords:
        """Finds similar memories fast, for intake."""
        from holdfast.recall.similar import SimilarByWords

        return SimilarByWords(self.reading, self.types)

    @built_once
    def similar_by_meaning(self) -> SimilarByMeaning:
        """Finds similar memories thoroughly, for consolidation."""
        from holdfast.recall.similar import SimilarByMeaning

        embedder = self.models.embedder if self.models.late_interaction is not None else None
        return SimilarByMeaning(self.reading, self.resources, self.types, self.now, self.project, embedder)

    def _hyde(self) -> HydeResources | None:
        chat = self.chat()
        if chat is None:
            return None
        from holdfast.recall.hyde import HydeResources
        from holdfast.recall.pipeline import sure

        return HydeResources(chat, self.models.embedder, self.models.tokens, sure)
