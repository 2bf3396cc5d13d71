"""Builds the components of recall, each when it is first used."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from holdfast.core.built_once import built_once
from holdfast.core.frozen import frozen

if TYPE_CHECKING:
    from holdfast.core.memory_types import TypeRegistry
    from holdfast.core.settings import Settings
    from holdfast.models.model_components import ModelComponents
    from holdfast.models.protocols import Chat
    from holdfast.recall.recaller import Recaller
    from holdfast.recall.recipes import RecallResources
    from holdfast.recall.search.hyde import HydeResources
    from holdfast.recall.search.relation_steps import CodeNeighbours
    from holdfast.recall.similar import SimilarByMeaning, SimilarByWords
    from holdfast.recall.usage_counter import UsageCounter
    from holdfast.recall.weigh.code_check import Recheck
    from holdfast.recall.weigh.cosine_scales import EmbedderScales
    from holdfast.store.protocol import Store
    from holdfast.system.churn import Churn


@frozen(slots=False, eq=False)
class RecallComponents:
    """The components of recall for one project.

    `chat` returns the language model for HyDE, `code_graph` the project's code graph, if there is one. `recheck`
    compares memories with the code they are about.
    """

    settings: Settings
    store: Store
    usage: UsageCounter
    models: ModelComponents
    chat: Callable[[], Chat | None]
    code_graph: Callable[[], CodeNeighbours | None]
    map_phase: Callable[[str], str]
    recheck: Recheck
    types: TypeRegistry
    now: Callable[[], datetime]
    project: str
    root: str

    @built_once
    def resources(self) -> RecallResources:
        """The readers and models that the steps of a recipe use."""
        from holdfast.recall.query.query_embedding import QueryEmbedder
        from holdfast.recall.query.shorthand import shorthand
        from holdfast.recall.recipes import RecallResources

        models, table = self.models, shorthand(self.settings.shorthand)
        query = QueryEmbedder(
            self.store.reading,
            lambda: models.embedder,
            self.scales,
            lambda: models.is_bundled,
            self._embedding_failure,
            table.spelt_out,
        )
        return RecallResources(
            self.store.reading,
            query,
            self.settings.per_session,
            mentions=lambda: self.store.entities,
            names=self._names,
            neighbours=self.code_graph,
            scales=self._decay_scales,
            reranker=self.models.reranker,
            reader=self.models.reader,
            hyde=self._hyde(),
            types=self.types,
            shorthand=table,
            why_not_embedded=query.why_not,
            recheck=self.recheck,
        )

    @built_once
    def scales(self) -> EmbedderScales:
        """Finds the scale of the embedder's cosines."""
        from holdfast.recall.weigh.cosine_scales import EmbedderScales

        return EmbedderScales(self.store.reading, lambda: self.models.card_scales)

    def _embedding_failure(self, model: str) -> str | None:
        """Why the last run of the job that embeds passages failed with that model; None if it did not."""
        run = self.store.reading.last_run("embed")
        return run.failure_of(model) if run is not None else None

    @built_once
    def recaller(self) -> Recaller:
        """Answers queries."""
        from holdfast.recall.recaller import Recaller

        thresholds = (self.settings.abstain_below, self.settings.per_document)
        return Recaller(
            self.resources, self.store.reading, self.usage, self.now, self.project, self.map_phase, *thresholds,
            self._recent_tools,
        )  # fmt: skip

    @built_once
    def similar_by_words(self) -> SimilarByWords:
        """Finds similar memories fast, for intake."""
        from holdfast.recall.similar import SimilarByWords

        return SimilarByWords(self.store.reading, self.types)

    @built_once
    def similar_by_meaning(self) -> SimilarByMeaning:
        """Finds similar memories thoroughly, for consolidation."""
        from holdfast.recall.similar import SimilarByMeaning

        reading, embedder = self.store.reading, self.models.embedder
        return SimilarByMeaning(reading, self.resources, self.types, self.now, self.project, embedder, self.scales)

    @built_once
    def _churn(self) -> Churn:
        from holdfast.system.churn import Churn

        return Churn(self.root, self.now)

    def _recent_tools(self) -> tuple[str, ...]:
        from holdfast.recall.query.recent_tools import recent_tools

        return recent_tools(self.store.data_folder.journals(self.project), self.now().timestamp())

    def _decay_scales(self, files: Mapping[int, tuple[str, ...]]) -> Mapping[int, float]:
        return self._churn.scales(files)

    def _hyde(self) -> HydeResources | None:
        chat = self.chat()
        if chat is None:
            return None
        from holdfast.models.circuit_breaker import CircuitBreaker
        from holdfast.recall.search.hyde import HydeResources

        return HydeResources(chat, self.models.embedder, self.models.tokens, CircuitBreaker())

    def _names(self, text: str) -> Sequence[str]:
        from holdfast.entities.declared_entities import DeclaredLibraries
        from holdfast.entities.registered import RegisteredNames
        from holdfast.entities.strategies import FastNames
        from holdfast.models.whole_words import whole_words

        declared = DeclaredLibraries(self.root, whole_words)
        return FastNames(RegisteredNames(self.store.entities, self.project), declared).keys(text)
