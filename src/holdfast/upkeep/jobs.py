"""The table of background jobs: name, period and function."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Protocol

from holdfast.core.document import DocumentChunk
from holdfast.core.errors import HoldfastError, ModelError
from holdfast.core.frozen import frozen
from holdfast.core.memory import Memory
from holdfast.core.reason import Reason
from holdfast.store.reading import PassageReading, PendingReading, SearchReading
from holdfast.store.writing.memories import no_vectors
from holdfast.upkeep.periods import PERIODS
from holdfast.upkeep.upkeep_reasons import UpkeepCode

if TYPE_CHECKING:
    from holdfast.core.document import Chunk
    from holdfast.core.progress import Progress
    from holdfast.models.protocols import Embedder, Vectors
    from holdfast.store.reading import PendingPassage
    from holdfast.store.writing.cache import CacheWriting
    from holdfast.store.writing.memories import Embedding, EmbedNow, MemoryWriting

# Passages that are read at a time, and vectors that are made and written at a time.
_WINDOW, _BATCH, _STATIC_BATCH = 64, 16, 1_000


@frozen
class Job:
    """A background job: resumable and idempotent. Without a `period` it runs whenever there is work.

    `run` returns counts by name; `skipped`, `stopped` or `failed` holds the reason if the job did not finish. `project`
    is the one it works on; None for a job of the whole store. A job that `gives_way` may take long and is never urgent:
    it stops when another process waits, which has another session to learn from, and which continues it later.
    """

    name: str
    period: timedelta | None
    run: Callable[[Progress], Mapping[str, Any]]
    project: str | None = None
    gives_way: bool = False


class EmbedReading(PendingReading, SearchReading, PassageReading, Protocol):
    """Reads pending passages and the memories and chunks behind them."""


@frozen
class JobResources:
    """The stores, models and functions that the jobs use. `embed_now` makes static vectors, if there is such a size.

    `move_code` moves vectors of code towards queries, if the model has a map for it. `unmeasured` is the embedder
    without its cache, if its card does not say how its cosines are distributed.
    """

    reading: EmbedReading
    memories: MemoryWriting
    cache: CacheWriting | None
    embedder: Embedder | None
    text_of: Callable[[Memory | Chunk], str]
    embed_now: EmbedNow = no_vectors
    move_code: Callable[[Vectors], Vectors] | None = None
    consolidate: Callable[[Progress], Mapping[str, Any]] = lambda _: {"sessions": 0}
    reflect: Callable[[Progress], Mapping[str, Any]] = lambda _: {"reflections": 0}
    enrich: Callable[[Progress], Mapping[str, Any]] = lambda _: {"enriched": 0}
    link: Callable[[Progress], Mapping[str, Any]] = lambda _: {"names": 0}
    code: Callable[[Progress], Mapping[str, Any]] = lambda _: {"resolved": 0}
    unmeasured: Embedder | None = None
    anchors: Callable[[Progress], Mapping[str, Any]] = lambda _: {}
    observe: Callable[[Progress], Mapping[str, Any]] = lambda _: {"observed": 0}
    relate: Callable[[Progress], Mapping[str, Any]] = lambda _: {"related": 0}
    backup: Callable[[Progress], Mapping[str, Any]] = lambda _: {"backups": 0}
    messages: Callable[[Progress], Mapping[str, Any]] = lambda _: {"messages": 0}
    erase: Callable[[Progress], Mapping[str, Any]] = lambda _: {"erased": 0}


def jobs(resources: JobResources, project: str | None = None) -> tuple[Job, ...]:
    """Returns all jobs in the order they run. `interfaces.messages.upkeep` has the help of each."""
    return (
        # First, so that nothing is learned from what shall be erased, and no backup keeps it.
        Job("erase", None, resources.erase),
        # Early, because the next session may begin at once; no period, because a session may end at any time.
        Job("messages", None, resources.messages, project),
        Job("consolidate", None, resources.consolidate, project),
        Job("observe", None, resources.observe, project),
        Job("backup", PERIODS["backup"], resources.backup),
        Job("evict", PERIODS["evict"], lambda progress: _evict(resources)),
        Job("tidy", PERIODS["tidy"], lambda progress: _tidy(resources, progress), gives_way=True),
        Job("enrich", PERIODS["enrich"], resources.enrich, gives_way=True),
        # No period: a person may add a name at any time.
        Job("link", None, resources.link),
        # No period: files may change at any time.
        Job("code", None, resources.code, project),
        Job("anchors", PERIODS["anchors"], resources.anchors, project),
        Job("relate", PERIODS["relate"], resources.relate, project),
        Job("reflect", PERIODS["reflect"], resources.reflect, project),
        # Last, so that memories learned by the other jobs are embedded too.
        Job("embed", None, lambda progress: embed_pending(resources, progress), gives_way=True),
    )


def embed_pending(resources: JobResources, progress: Progress) -> Mapping[str, Any]:
    """Embeds pending passages, the most valuable first, in small transactions: a killed process loses one batch.

    First every passage without a vector gets a static one, if there is a static size, so that search by meaning finds
    all passages after seconds. Then the embedder makes better vectors, at last those of the sentences of long messages.
    If the model fails, the job ends with `failed`; the passages stay pending, and a later run continues.
    """
    embedder = resources.embedder
    if embedder is None:
        return {"embedded": 0, "skipped": Reason.of(UpkeepCode.NO_EMBEDDER)}
    run = _EmbedRun(resources, embedder, progress)
    try:
        stopped = run.add_static() or run.improve() or run.add_sentences()
        unfinished = {"stopped": Reason.of(stopped)} if stopped else {}
    except ModelError as error:
        unfinished = {"failed": model_failed(embedder.id, error)}
    dropped = run.drop_other_models()
    if resources.unmeasured is not None and not unfinished:
        from holdfast.upkeep.cosine_job import measure_cosines

        measure_cosines(resources.reading, resources.memories, resources.unmeasured)
    return {**run.counts(), **(unfinished or {"dropped": dropped})}


class _EmbedRun:
    """One run of the job: the number of vectors made so far. Each phase returns why it stopped early, if it did."""

    def __init__(self, resources: JobResources, embedder: Embedder, progress: Progress) -> None:
        self._resources = resources
        self._reading = resources.reading
        self._embedder = embedder
        self._progress = progress
        self.static = self.done = self.messages = 0

    def add_static(self) -> UpkeepCode | None:
        total = self._reading.count_pending(self._embedder.id)
        while batch := self._reading.pending(self._embedder.id, _STATIC_BATCH):
            owned = _owned(self._reading, batch)
            embeddings = self._resources.embed_now([owner for _, owner in owned])
            if not embeddings or embeddings[0].embedder != self._embedder.id:
                return None
            self._put([pending for pending, _ in owned], embeddings)
            self.static += len(embeddings)
            if not self._progress({"job": "embed", "done": self.static, "of": max(total, self.static)}):
                return UpkeepCode.LEASE_LOST
        if self.static:
            _build_index(self._reading, self._embedder)
        return None

    def improve(self) -> UpkeepCode | None:
        wanted = (self._embedder.id, self._embedder.size)
        total = self._reading.count_pending(*wanted)
        if total:
            self._resources.memories.count_words(lambda: self._progress({"job": "embed", "done": 0, "of": total}))
        while window := self._reading.pending(self._embedder.id, _WINDOW, self._embedder.size):
            owned = _owned(self._reading, window)
            if not owned:
                # Passages without an owner stay pending: without this return the loop would never end.
                return UpkeepCode.ORPHANED_PASSAGES
            for at in range(0, len(owned), _BATCH):
                batch = owned[at : at + _BATCH]
                owners = [owner for _, owner in batch]
                embeddings = embed_passages(self._resources, self._embedder, owners)
                self._put([pending for pending, _ in batch], embeddings)
                self.done += len(batch)
                if not self._progress({"job": "embed", "done": self.done, "of": max(total, self.done)}):
                    return UpkeepCode.LEASE_LOST
            # Often, so that this process rebuilds a worn index, not one that answers a query.
            _build_index(self._reading, self._embedder)
        return None

    def add_sentences(self) -> UpkeepCode | None:
        wanted = (self._embedder.id, self._embedder.size)
        total = self._reading.count_pending_sentences(*wanted)
        while batch := self._reading.pending_sentences(self._embedder.id, _BATCH, self._embedder.size):
            owned = [(pending, owner) for pending, owner in _owned(self._reading, batch) if isinstance(owner, Memory)]
            if not owned:
                return UpkeepCode.ORPHANED_PASSAGES
            embeddings = embed_sentences(self._embedder, [message for _, message in owned])
            self._resources.memories.put_sentences(_said([pending for pending, _ in owned], embeddings))
            self.messages += len(owned)
            if not self._progress({"job": "embed", "done": self.messages, "of": max(total, self.messages)}):
                return UpkeepCode.LEASE_LOST
        return None

    def drop_other_models(self) -> int:
        """Deletes the vectors of other models once each passage has one of this model; returns how many."""
        if self._reading.any_pending(self._embedder.id):
            return 0
        return self._resources.memories.drop_vectors_except(self._embedder.id)

    def counts(self) -> dict[str, int]:
        more = {"static": self.static, "sentences": self.messages}
        return {"embedded": self.done, **{name: count for name, count in more.items() if count}}

    def _put(self, batch: Sequence[PendingPassage], embeddings: Sequence[Embedding]) -> None:
        self._resources.memories.put_vectors(_said(batch, embeddings))


def _said(batch: Sequence[PendingPassage], embeddings: Sequence[Embedding]) -> dict[int, Embedding]:
    """The embeddings by passage, each with the text it was made from."""
    pairs = zip(batch, embeddings, strict=True)
    return {pending.passage: replace(embedding, said=pending.said) for pending, embedding in pairs}


def model_failed(model: str, error: HoldfastError) -> Reason:
    """The reason for a failed call to the embedding model."""
    return Reason.of(UpkeepCode.MODEL_FAILED, model=model, error=f"{error.what}: {error.detail}".removesuffix(": "))


def _build_index(reading: SearchReading, embedder: Embedder) -> None:
    """Brings the vector index up to date with an empty search, so that the next query need not wait for it."""
    import numpy as np

    reading.similar(embedder.id, np.zeros(embedder.dimensions, np.float32), ())


def _owned(reading: PassageReading, batch: Sequence[PendingPassage]) -> list[tuple[PendingPassage, Memory | Chunk]]:
    """Pairs each passage with its memory or chunk, without those that were deleted since."""
    owners = reading.hydrate([pending.passage for pending in batch])
    found = ((pending, owners[pending.passage][0]) for pending in batch if pending.passage in owners)
    return [(pending, owner.chunk if isinstance(owner, DocumentChunk) else owner) for pending, owner in found]


def embed_passages(resources: JobResources, embedder: Embedder, owners: Sequence[Memory | Chunk]) -> list[Embedding]:
    """Embeds memories or chunks."""
    from holdfast.store.writing.memories import Embedding

    vectors = embedder.embed([resources.text_of(owner) for owner in owners])
    code = [row for row, owner in enumerate(owners) if not isinstance(owner, Memory) and owner.is_code]
    if code and resources.move_code is not None:
        vectors[code] = resources.move_code(vectors[code])
    packed = [vector.tobytes() for vector in vectors.astype("float16")]
    return [Embedding(embedder.id, embedder.dimensions, data, size=embedder.size) for data in packed]


def embed_sentences(embedder: Embedder, messages: Sequence[Memory]) -> list[Embedding]:
    """Embeds the sentences of messages: the data of each embedding are the rows of one message."""
    from holdfast.models.contextual import sentence_texts
    from holdfast.store.writing.memories import Embedding

    texts = [sentence_texts(message) for message in messages]
    vectors = embedder.embed([text for own in texts for text in own]).astype("float16")
    ends = list(accumulate(map(len, texts)))
    rows = [vectors[end - len(own) : end] for own, end in zip(texts, ends, strict=True)]
    return [Embedding(embedder.id, embedder.dimensions, own.tobytes(), size=embedder.size) for own in rows]


def _tidy(resources: JobResources, progress: Progress) -> Mapping[str, Any]:
    def may_continue() -> bool:
        return progress({"job": "tidy"})

    memories = resources.memories
    # Embedding counts words too; without an embedder only this job does.
    return {"joined": memories.join_words(may_continue), "counted": memories.count_words(may_continue)}


def _evict(resources: JobResources) -> Mapping[str, Any]:
    return {"evicted": resources.cache.evict() if resources.cache else 0}
