"""Every background job, in one table: name, period, what it does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from holdfast.core.document import Chunk
    from holdfast.core.memory import Memory
    from holdfast.models.late_interaction import LateInteraction
    from holdfast.models.protocols import Embedder
    from holdfast.store.reading import PendingPassage, Reading
    from holdfast.store.writing.cache import CacheWriting
    from holdfast.store.writing.memories import Embedding, MemoryWriting

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
class JobResources:
    """What the jobs work with."""

    reading: Reading
    memories: MemoryWriting
    cache: CacheWriting | None
    embedder: Embedder | None
    text_of: Callable[[Memory | Chunk], str]
    closer: LateInteraction | None = None
    views_of: Callable[[Memory | Chunk, str], tuple[str, ...]] = lambda *_: ()
    consolidate: Callable[[Progress], Mapping[str, Any]] = lambda _: {"sessions": 0}
    reflect: Callable[[Progress], Mapping[str, Any]] = lambda _: {"reflections": 0}
    enrich: Callable[[Progress], Mapping[str, Any]] = lambda _: {"enriched": 0}


def jobs(tools: JobResources) -> tuple[Job, ...]:
    """The table."""
    return (
        Job("evict", "drop expired entries of the embedding cache", timedelta(days=1), lambda p: _evict(tools)),
        Job("tidy", "bring the index of words into order (04:30)", timedelta(days=1), lambda p: _tidy(tools, p)),
        Job("enrich", "look again for names where few were found (02:00)", timedelta(days=1), tools.enrich),
        # Why without a period: a session is over when it is idle or left, and that has no hour.
        Job("consolidate", "learn from sessions that are over or have grown long", None, tools.consolidate),
        Job("reflect", "look back on the week (Sunday 03:00)", timedelta(days=7), tools.reflect),
        # Why last: what the others learned gets its vector too.
        Job("embed", "give a vector to every passage that waits for one", None, lambda p: embed_waiting(tools, p)),
    )


def embed_waiting(tools: JobResources, progress: Progress) -> Mapping[str, Any]:
    """Embeds what waits, the most valuable first, in small transactions: a kill costs at most one batch."""
    embedder = tools.embedder
    if embedder is None:
        return {"embedded": 0, "skipped": "no embedder"}
    done, total = 0, tools.reading.count_waiting(embedder.id)
    while batch := tools.reading.waiting(embedder.id, _BATCH):
        embedded = _embed(tools, embedder, batch)
        if not embedded:
            # Why: what belongs to nothing would wait for ever, and this would ask for it for ever.
            return {"embedded": done, "stopped": "what waits belongs to nothing; run `holdfast doctor --repair`"}
        tools.memories.put_vectors(embedded)
        done += len(embedded)
        if not progress({"job": "embed", "done": done, "of": max(total, done)}):
            return {"embedded": done, "stopped": "another process took over"}
    if not done:
        return {"embedded": 0, "dropped": 0}
    dropped = tools.memories.drop_vectors_except(embedder.id)
    _make_ready(tools.reading, embedder)
    return {"embedded": done, "dropped": dropped}


def _make_ready(reading: Reading, embedder: Embedder) -> None:
    """Brings the vectors into the shape they are searched in, for which the next question would have to wait."""
    import numpy as np

    reading.similar(embedder.id, np.zeros(embedder.dimensions, np.float32), ())


def _embed(tools: JobResources, embedder: Embedder, batch: tuple[PendingPassage, ...]) -> dict[int, Any]:
    owners = _owners(tools.reading, batch)
    known = [waiting for waiting in batch if waiting.memory in owners]
    looked = look(tools, embedder, [(owners[waiting.memory], waiting.kind) for waiting in known])
    return {waiting.passage: replace(one, said=waiting.said) for waiting, one in zip(known, looked, strict=True)}


def _owners(reading: Reading, batch: tuple[PendingPassage, ...]) -> dict[str, Memory | Chunk]:
    """The memory or the piece of a document behind each passage; one that is gone meanwhile is left out."""
    ids = [waiting.memory for waiting in batch]
    memories = (reading.memory(id) for id in ids)
    return {**{memory.id: memory for memory in memories if memory}, **reading.chunks(ids)}


def look(tools: JobResources, embedder: Embedder, owners: Sequence[tuple[Memory | Chunk, str]]) -> list[Embedding]:
    """What is kept of each, as the model sees it: a vector, and its closer look where it offers one."""
    from holdfast.store.writing.memories import Embedding

    texts = [tools.text_of(owner) for owner, _ in owners]
    if tools.closer is None:
        vectors = embedder.embed(texts).astype("float16")
        return [Embedding(embedder.id, embedder.dimensions, vector.tobytes()) for vector in vectors]
    views = (tools.views_of(owner, kind) for owner, kind in owners)
    looked = [tools.closer.encode_passage(text, seen) for text, seen in zip(texts, views, strict=True)]
    kept = (embedder.id, embedder.dimensions)
    return [Embedding(*kept, one.vector.astype("float16").tobytes(), None, one.views, one.tokens) for one in looked]


def _tidy(tools: JobResources, progress: Progress) -> Mapping[str, Any]:
    def may_go_on() -> bool:
        return progress({"job": "tidy"})

    # Why counted here: without an embedder nobody else does.
    return {"joined": tools.memories.join_words(may_go_on), "counted": tools.memories.count_words(may_go_on)}


def _evict(tools: JobResources) -> Mapping[str, Any]:
    return {"evicted": tools.cache.evict() if tools.cache else 0}
