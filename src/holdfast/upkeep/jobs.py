"""The table of background jobs: name, period and function."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Protocol

from holdfast.core.errors import HoldfastError, ModelError
from holdfast.core.frozen import frozen
from holdfast.core.reason import Reason
from holdfast.store.reading import DocumentReading, JobReading, MemoryReading, SearchReading
from holdfast.upkeep.reasons import UpkeepCode

if TYPE_CHECKING:
    from holdfast.core.document import Chunk
    from holdfast.core.memory import Memory
    from holdfast.core.progress import Progress
    from holdfast.models.protocols import Embedder
    from holdfast.store.reading import PendingPassage
    from holdfast.store.writing.cache import CacheWriting
    from holdfast.store.writing.memories import Embedding, MemoryWriting

_BATCH = 16


@frozen
class Job:
    """A background job: resumable and idempotent. Without a `period` it runs whenever there is work.

    `run` returns counts by name; `skipped`, `stopped` or `failed` holds the reason if the job did not finish.
    """

    name: str
    period: timedelta | None
    run: Callable[[Progress], Mapping[str, Any]]


class EmbedReading(JobReading, SearchReading, MemoryReading, DocumentReading, Protocol):
    """Reads pending passages and the memories and chunks behind them."""


@frozen
class JobResources:
    """The stores, models and functions that the jobs use."""

    reading: EmbedReading
    memories: MemoryWriting
    cache: CacheWriting | None
    embedder: Embedder | None
    text_of: Callable[[Memory | Chunk], str]
    views_of: Callable[[Memory | Chunk, str], tuple[str, ...]] | None = None
    consolidate: Callable[[Progress], Mapping[str, Any]] = lambda _: {"sessions": 0}
    reflect: Callable[[Progress], Mapping[str, Any]] = lambda _: {"reflections": 0}
    enrich: Callable[[Progress], Mapping[str, Any]] = lambda _: {"enriched": 0}


def jobs(resources: JobResources) -> tuple[Job, ...]:
    """Returns all jobs in the order they run. `interfaces.messages.upkeep` has the help of each."""
    return (
        Job("evict", timedelta(days=1), lambda progress: _evict(resources)),
        Job("tidy", timedelta(days=1), lambda progress: _tidy(resources, progress)),
        Job("enrich", timedelta(days=1), resources.enrich),
        # No period: a session may end at any time.
        Job("consolidate", None, resources.consolidate),
        Job("reflect", timedelta(days=7), resources.reflect),
        # Last, so that memories learned by the other jobs are embedded too.
        Job("embed", None, lambda progress: embed_pending(resources, progress)),
    )


def embed_pending(resources: JobResources, progress: Progress) -> Mapping[str, Any]:
    """Embeds pending passages, the most valuable first, in small transactions: a killed process loses one batch.

    If the model fails, the job ends with `failed`; the passages stay pending, and a later run continues.
    """
    embedder = resources.embedder
    if embedder is None:
        return {"embedded": 0, "skipped": Reason.of(UpkeepCode.NO_EMBEDDER)}
    done, total = 0, resources.reading.count_pending(embedder.id)
    while batch := resources.reading.pending(embedder.id, _BATCH):
        try:
            embedded = _embed(resources, embedder, batch)
        except ModelError as error:
            return {"embedded": done, "failed": model_failed(error)}
        if not embedded:
            # Passages without an owner stay pending: without this return the loop would never end.
            return {"embedded": done, "stopped": Reason.of(UpkeepCode.ORPHANED_PASSAGES)}
        resources.memories.put_vectors(embedded)
        done += len(embedded)
        if not progress({"job": "embed", "done": done, "of": max(total, done)}):
            return {"embedded": done, "stopped": Reason.of(UpkeepCode.LEASE_LOST)}
    if not done:
        return {"embedded": 0, "dropped": 0}
    dropped = resources.memories.drop_vectors_except(embedder.id)
    _build_index(resources.reading, embedder)
    return {"embedded": done, "dropped": dropped}


def model_failed(error: HoldfastError) -> Reason:
    """The reason for a failed call to the embedding model."""
    return Reason.of(UpkeepCode.MODEL_FAILED, error=f"{error.what}: {error.detail}".removesuffix(": "))


def _build_index(reading: SearchReading, embedder: Embedder) -> None:
    """Builds the vector index with an empty search, so that the next query need not wait for it."""
    import numpy as np

    reading.similar(embedder.id, np.zeros(embedder.dimensions, np.float32), ())


def _embed(resources: JobResources, embedder: Embedder, batch: tuple[PendingPassage, ...]) -> dict[int, Any]:
    owners = _owners(resources.reading, batch)
    owned = [pending for pending in batch if pending.memory in owners]
    embeddings = embed_passages(resources, embedder, [(owners[pending.memory], pending.kind) for pending in owned])
    return {
        pending.passage: replace(embedding, said=pending.said)
        for pending, embedding in zip(owned, embeddings, strict=True)
    }


def _owners(reading: EmbedReading, batch: tuple[PendingPassage, ...]) -> dict[str, Memory | Chunk]:
    """Returns the memory or chunk of each passage by id, without those that were deleted since."""
    ids = [pending.memory for pending in batch]
    memories = (reading.memory(id) for id in ids)
    return {**{memory.id: memory for memory in memories if memory}, **reading.chunks(ids)}


def embed_passages(
    resources: JobResources, embedder: Embedder, owners: Sequence[tuple[Memory | Chunk, str]]
) -> list[Embedding]:
    """Embeds memories or chunks, each paired with its type; adds sentence vectors if `views_of` is given."""
    from holdfast.store.writing.memories import Embedding

    texts = [resources.text_of(owner) for owner, _ in owners]
    vectors = [vector.tobytes() for vector in embedder.embed(texts).astype("float16")]
    views = [_views(resources, embedder, owner) for owner in owners]
    model = (embedder.id, embedder.dimensions)
    return [Embedding(*model, data, views=packed) for data, packed in zip(vectors, views, strict=True)]


def _views(resources: JobResources, embedder: Embedder, owner: tuple[Memory | Chunk, str]) -> bytes:
    texts = resources.views_of(*owner) if resources.views_of else ()
    if not texts:
        return b""
    from holdfast.models.views import pack_views

    return pack_views(embedder.embed(texts))


def _tidy(resources: JobResources, progress: Progress) -> Mapping[str, Any]:
    def may_continue() -> bool:
        return progress({"job": "tidy"})

    memories = resources.memories
    # Embedding counts words too; without an embedder only this job does.
    return {"joined": memories.join_words(may_continue), "counted": memories.count_words(may_continue)}


def _evict(resources: JobResources) -> Mapping[str, Any]:
    return {"evicted": resources.cache.evict() if resources.cache else 0}
