"""Every background job, in one table: name, period, what it does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from holdfast.core.memory import Memory
    from holdfast.models.protocols import Embedder
    from holdfast.store.reading import Reading, Waiting
    from holdfast.store.writing.cache import CacheWriting
    from holdfast.store.writing.memories import MemoryWriting

# A job reports how far it is and learns whether it may go on.
Progress = Callable[[Mapping[str, Any]], bool]
_BATCH = 16


@dataclass(frozen=True, slots=True)
class Job:
    """One piece of background work: resumable, idempotent. `period` None: whenever there is something to do."""

    name: str
    help: str
    period: timedelta | None
    run: Callable[[Progress], Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Tools:
    """What the jobs work with."""

    reading: Reading
    memories: MemoryWriting
    cache: CacheWriting | None
    embedder: Embedder | None
    text_of: Callable[[Memory], str]


def jobs(tools: Tools) -> tuple[Job, ...]:
    """The table."""
    return (
        Job("embed", "give a vector to every passage that waits for one", None, lambda p: embed_waiting(tools, p)),
        Job("evict", "drop expired entries of the embedding cache", timedelta(days=1), lambda p: _evict(tools)),
    )


def embed_waiting(tools: Tools, progress: Progress) -> Mapping[str, Any]:
    """Embeds what waits, the most valuable first, in small transactions: a kill costs at most one batch."""
    embedder = tools.embedder
    if embedder is None:
        return {"embedded": 0, "skipped": "no embedder"}
    done, total = 0, tools.reading.count_waiting(embedder.id)
    while batch := tools.reading.waiting(embedder.id, _BATCH):
        tools.memories.put_vectors(_embed(tools, embedder, batch))
        done += len(batch)
        if not progress({"job": "embed", "done": done, "of": max(total, done)}):
            return {"embedded": done, "stopped": "another process took over"}
    dropped = tools.memories.drop_vectors_except(embedder.id) if done else 0
    return {"embedded": done, "dropped": dropped}


def _embed(tools: Tools, embedder: Embedder, batch: tuple[Waiting, ...]) -> dict[int, Any]:
    from holdfast.store.writing.memories import Embedding

    memories = [tools.reading.memory(waiting.memory) for waiting in batch]
    texts = [tools.text_of(memory) if memory else "" for memory in memories]
    vectors = embedder.embed(texts).astype("float16")
    return {
        waiting.passage: Embedding(embedder.id, embedder.dimensions, vector.tobytes(), waiting.said)
        for waiting, vector in zip(batch, vectors, strict=True)
    }


def _evict(tools: Tools) -> Mapping[str, Any]:
    return {"evicted": tools.cache.evict() if tools.cache else 0}
