"""Builds what answers queries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.core.built_once import later
from holdfast.recall.query.query_embedding import QueryEmbedder
from holdfast.recall.query.shorthand import shorthand
from holdfast.recall.recaller import Recaller
from holdfast.recall.recipes import RecallResources
from holdfast.recall.weigh.cosine_scales import EmbedderScales

if TYPE_CHECKING:
    from holdfast.container import Container
    from holdfast.recall.search.hyde import HydeResources
    from holdfast.recall.search.relation_steps import CodeNeighbours
    from holdfast.system.churn import Churn

_HYDE_SECONDS = 5.0


def recaller(c: Container) -> Recaller:
    return Recaller(
        c.recall_resources,
        c.reading,
        c.usage,
        c.now,
        c.project,
        later(lambda: c.methodology.map_phase),
        c.settings.abstain_below,
        c.settings.per_document,
        lambda: _recent_tools(c),
    )


def recall_resources(c: Container) -> RecallResources:
    models, table = c.models, shorthand(c.settings.shorthand)
    query = QueryEmbedder(
        c.reading,
        lambda: models.embedder,
        c.embedder_scales,
        lambda: models.is_bundled,
        lambda model: _embedding_failure(c, model),
        table.spelt_out,
    )
    return RecallResources(
        c.reading,
        query,
        c.settings.per_session,
        mentions=lambda: c.store.entities,
        names=later(lambda: c.names.keys),
        neighbours=lambda: _code_graph(c),
        scales=later(lambda: c.churn.scales),
        reranker=models.reranker,
        reader=models.reader,
        hyde=_hyde(c),
        types=c.types,
        shorthand=table,
        why_not_embedded=query.why_not,
        recheck=later(lambda: c.code_memory.recheck),
    )


def embedder_scales(c: Container) -> EmbedderScales:
    return EmbedderScales(c.reading, lambda: c.models.card_scales)


def churn(c: Container) -> Churn:
    from holdfast.system.churn import Churn

    return Churn(c.root, c.now)


def _code_graph(c: Container) -> CodeNeighbours | None:
    """The code graph for searches: the one that was set, else that of the project, if it was indexed."""
    if c.code_graph is not None or not c.reading.code_generation(c.project):
        return c.code_graph
    return c.closeness


def _embedding_failure(c: Container, model: str) -> str | None:
    """Why the last run of the job that embeds passages failed with that model; None if it did not."""
    run = c.reading.last_run("embed")
    return run.failure_of(model) if run is not None else None


def _recent_tools(c: Container) -> tuple[str, ...]:
    from holdfast.recall.query.recent_tools import recent_tools

    return recent_tools(c.store.data_folder.journals(c.project), c.now().timestamp())


def _hyde(c: Container) -> HydeResources | None:
    chat = c.chats.chat("imagine", seconds=_HYDE_SECONDS)
    if chat is None:
        return None
    from holdfast.models.circuit_breaker import CircuitBreaker
    from holdfast.recall.search.hyde import HydeResources

    return HydeResources(chat, c.models.embedder, c.models.tokens, CircuitBreaker())
