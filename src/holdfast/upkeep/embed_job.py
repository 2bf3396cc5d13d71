"""The background job that embeds passages."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Protocol

from holdfast.core.document import DocumentChunk
from holdfast.core.embedding import Embedding
from holdfast.core.errors import HoldfastError, ModelError
from holdfast.core.frozen import frozen
from holdfast.core.memory import Memory
from holdfast.core.reason import Reason
from holdfast.models.contextual import passage_text, sentence_texts
from holdfast.store.reading import PassageReading, PendingReading, SearchReading
from holdfast.store.writing.memories import no_vectors
from holdfast.upkeep.upkeep_reasons import UpkeepCode

if TYPE_CHECKING:
    from holdfast.core.document import Chunk
    from holdfast.core.events import MemoryAboutToBeWritten
    from holdfast.core.progress import Progress
    from holdfast.models.protocols import Embedder, Vectors
    from holdfast.store.reading import PendingPassage
    from holdfast.store.writing.memories import EmbedNow, MemoryWriting

# Passages that are read at a time, and vectors that are made and written at a time.
_WINDOW, _BATCH, _STATIC_BATCH = 64, 16, 1_000


class EmbedReading(PendingReading, SearchReading, PassageReading, Protocol):
    """Reads pending passages and the memories and chunks behind them."""


@frozen
class PassageEmbedding:
    """Embeds passages. `embed_now` makes static vectors, if there is such a size.

    `move_code` moves vectors of code towards queries, if the model has a map for it. `unmeasured` is the embedder
    without its cache, if its card does not say how its cosines are distributed.
    """

    reading: EmbedReading
    memories: MemoryWriting
    embedder: Embedder | None
    embed_now: EmbedNow = no_vectors
    move_code: Callable[[Vectors], Vectors] | None = None
    unmeasured: Embedder | None = None

    def __call__(self, progress: Progress) -> Mapping[str, Any]:
        """Embeds pending passages, the most valuable first, in small transactions: a killed process loses one batch.

        First every passage without a vector gets a static one, if there is a static size, so that search by meaning
        finds all passages after seconds. Then the embedder makes better vectors, at last those of the sentences of long
        messages. If the model fails, the job ends with `failed`; the passages stay pending, and a later run continues.
        """
        embedder = self.embedder
        if embedder is None:
            return {"embedded": 0, "skipped": Reason.of(UpkeepCode.NO_EMBEDDER)}
        run = _EmbedRun(self, embedder, progress)
        try:
            stopped = run.add_static() or run.improve() or run.add_sentences()
            unfinished = {"stopped": Reason.of(stopped)} if stopped else {}
        except ModelError as error:
            unfinished = {"failed": model_failed(embedder.id, error)}
        dropped = run.drop_other_models()
        if self.unmeasured is not None and not unfinished:
            from holdfast.upkeep.cosine_job import measure_cosines

            measure_cosines(self.reading, self.memories, self.unmeasured)
        return {**run.counts(), **(unfinished or {"dropped": dropped})}

    def passages(self, embedder: Embedder, owners: Sequence[Memory | Chunk]) -> list[Embedding]:
        """Embeds memories or chunks."""
        vectors = embedder.embed([passage_text(owner) for owner in owners])
        code = [row for row, owner in enumerate(owners) if not isinstance(owner, Memory) and owner.is_code]
        if code and self.move_code is not None:
            vectors[code] = self.move_code(vectors[code])
        packed = [vector.tobytes() for vector in vectors.astype("float16")]
        return [Embedding(embedder.id, embedder.dimensions, data, size=embedder.size) for data in packed]


class _EmbedRun:
    """One run of the job: the number of vectors made so far. Each phase returns why it stopped early, if it did."""

    def __init__(self, job: PassageEmbedding, embedder: Embedder, progress: Progress) -> None:
        self._job = job
        self._reading = job.reading
        self._embedder = embedder
        self._progress = progress
        self.static = self.done = self.messages = 0

    def add_static(self) -> UpkeepCode | None:
        total = self._reading.count_pending(self._embedder.id)
        while batch := self._reading.pending(self._embedder.id, _STATIC_BATCH):
            owned = _owned(self._reading, batch)
            embeddings = self._job.embed_now([owner for _, owner in owned])
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
            self._job.memories.count_words(lambda: self._progress({"job": "embed", "done": 0, "of": total}))
        while window := self._reading.pending(self._embedder.id, _WINDOW, self._embedder.size):
            owned = _owned(self._reading, window)
            if not owned:
                # Passages without an owner stay pending: without this return the loop would never end.
                return UpkeepCode.ORPHANED_PASSAGES
            for at in range(0, len(owned), _BATCH):
                batch = owned[at : at + _BATCH]
                owners = [owner for _, owner in batch]
                embeddings = self._job.passages(self._embedder, owners)
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
            self._job.memories.put_sentences(_said([pending for pending, _ in owned], embeddings))
            self.messages += len(owned)
            if not self._progress({"job": "embed", "done": self.messages, "of": max(total, self.messages)}):
                return UpkeepCode.LEASE_LOST
        return None

    def drop_other_models(self) -> int:
        """Deletes the vectors of other models once each passage has one of this model; returns how many."""
        if self._reading.any_pending(self._embedder.id):
            return 0
        return self._job.memories.drop_vectors_except(self._embedder.id)

    def counts(self) -> dict[str, int]:
        more = {"static": self.static, "sentences": self.messages}
        return {"embedded": self.done, **{name: count for name, count in more.items() if count}}

    def _put(self, batch: Sequence[PendingPassage], embeddings: Sequence[Embedding]) -> None:
        self._job.memories.put_vectors(_said(batch, embeddings))


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


def embed_sentences(embedder: Embedder, messages: Sequence[Memory]) -> list[Embedding]:
    """Embeds the sentences of messages: the data of each embedding are the rows of one message."""
    from holdfast.core.embedding import Embedding

    texts = [sentence_texts(message) for message in messages]
    vectors = embedder.embed([text for own in texts for text in own]).astype("float16")
    ends = list(accumulate(map(len, texts)))
    rows = [vectors[end - len(own) : end] for own, end in zip(texts, ends, strict=True)]
    return [Embedding(embedder.id, embedder.dimensions, own.tobytes(), size=embedder.size) for own in rows]


@frozen
class EmbedAtOnce:
    """Embeds a new memory before it is stored, if the settings ask for that."""

    embedding: PassageEmbedding
    embedder: Embedder

    def __call__(self, event: MemoryAboutToBeWritten) -> MemoryAboutToBeWritten:
        try:
            [embedding] = self.embedding.passages(self.embedder, [event.memory])
        except ModelError:  # The background embeds it later; `stats` and `doctor` say what is wrong.
            return event
        return replace(event, embedding=embedding)
