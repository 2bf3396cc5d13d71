"""Reading passages that were found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple, Protocol

from holdfast.core.clock import stored_time
from holdfast.core.vector_size import VectorSize

if TYPE_CHECKING:
    from array import array

    import numpy as np
    from numpy.typing import NDArray

    from holdfast.core.anchor import CodeAnchor, Freshness
    from holdfast.core.answer import Filters
    from holdfast.core.cosine_scale import MeasuredCosines
    from holdfast.core.document import DocumentChunk
    from holdfast.core.memory import Memory

    Vector = NDArray[np.float32]


class Factors(NamedTuple):
    """The fields of the memory or document behind a passage that scoring uses.

    `created`, `event` and `accessed` are time stamps as text, `anchored` are the anchors as stored. `working` is set
    for a work note: what an agent says between its tool calls. `asked` are the questions of a memory. A named tuple
    with text, because a query makes a hundred of them and reads the times of few.
    """

    passage: int
    id: str
    type: str
    source: str
    confidence: float
    created: str
    event: str | None
    accessed: str | None
    access_count: int
    session: str | None
    role: str | None
    half_life_days: float | None
    pinned: bool
    verified: bool
    anchored: str
    searched: str
    working: bool = False
    asked: str = ""

    @property
    def views(self) -> str:
        """All by which it is found: its text and its questions."""
        return f"{self.searched} {self.asked}" if self.asked else self.searched

    @property
    def when(self) -> datetime:
        """When it happened or was said; otherwise when it was learned."""
        return stored_time(self.event or self.created)

    @property
    def anchors(self) -> tuple[CodeAnchor, ...]:
        """What binds the memory to code."""
        from holdfast.store.rows.memory_rows import anchors_of

        return anchors_of(self.anchored)

    @property
    def freshness(self) -> Freshness | None:
        """How the code it is about changed since it was stored; None for most passages, which are not bound to code."""
        if self.anchored == "[]":
            return None
        from holdfast.core.anchor import freshness_of

        return freshness_of(self.anchors)

    def with_anchors(self, anchors: tuple[CodeAnchor, ...]) -> Factors:
        """Returns a copy with other anchors."""
        from holdfast.store.rows.memory_rows import anchors_json

        return self._replace(anchored=anchors_json(anchors))

    def used_by(self, moment: datetime) -> datetime:
        """When it was last found, if that was before the moment; otherwise when it happened."""
        accessed = stored_time(self.accessed) if self.accessed else None
        return accessed if accessed is not None and accessed <= moment else self.when

    def known_on(self, day: str) -> bool:
        """Whether it had been said or learned by the end of that day (`2026-05-03`). A plan is known once it is made.

        Compares days, because clocks and time zones differ by hours.
        """
        return min(self.created, self.event or self.created)[: len(day)] <= day


class Traits(NamedTuple):
    """The properties of passages that weighing uses, column by column; `bags` as in `text.bags`."""

    passages: Sequence[int]
    kinds: Sequence[str]
    roles: Sequence[str | None]
    sessions: Sequence[str | None]
    bags: Sequence[bytes]


class PassageOrigins(Protocol):
    """Reads what passages come from and belong to: messages, documents, files, and what was stored on purpose."""

    def sources_of(self, passages: Sequence[int]) -> Mapping[int, tuple[str, ...]]:
        """The ids of the messages that each memory was learned from; none for messages and reflections."""
        ...

    def count_taught(self, project: str, most: int) -> int:
        """The number of memories that were stored on purpose, messages left out; counts to `most`. Cheap."""
        ...

    def taught(self, project: str) -> tuple[int, ...]:
        """The passages of these memories, in no order."""
        ...

    def documents_of(self, passages: Sequence[int]) -> Mapping[int, str]:
        """The id of the document of each chunk, and of each memory that was learned from a decision record."""
        ...

    def files_of(self, passages: Sequence[int]) -> Mapping[int, tuple[str, ...]]:
        """The files each passage mentions; passages without files are left out."""
        ...

    def files_bound(self, project: str, file: str, limit: int = 5) -> Mapping[str, float]:
        """The files that belong to this one, closest first: by what is found together, and by dependencies.

        The weight of two memories is how often they were found together, divided by how often the rarer one was found;
        the weight of two files is that of their closest memories. Fewer than three joint finds do not count. The weight
        of a dependency (`required_with`) is the confidence of the relation, if the memory that states it is believed.
        """
        ...


class PassageReading(PassageOrigins, Protocol):
    """Reads properties of passages by their numbers; passages that no longer exist are left out."""

    def traits(self, passages: Sequence[int]) -> Traits:
        """The properties that weighing uses. Applies no filters."""
        ...

    def adjacent_messages(self, passages: Sequence[int]) -> Mapping[int, tuple[int | None, int | None]]:
        """The previous and the next message of the same session, for those of the passages that are messages.

        None where there is none, or where many messages of other sessions were stored in between.
        """
        ...

    def factors(self, project: str, passages: Sequence[int], filters: Filters) -> tuple[Factors, ...]:
        """The properties that scoring uses, for the passages that pass the filters. In any order."""
        ...

    def hydrate(self, passages: Sequence[int]) -> Mapping[int, tuple[Memory | DocumentChunk, str]]:
        """The memory or document chunk behind each passage, with the passage's text."""
        ...

    def vectors(
        self, embedder: str, passages: Sequence[int], size: VectorSize = VectorSize.SINGLE
    ) -> Mapping[int, array[float]]:
        """The passages' vectors of that embedder of at least that size."""
        ...

    def vector_sizes(self, embedder: str, passages: Sequence[int], usual: VectorSize) -> Mapping[int, VectorSize]:
        """The sizes of those of the passages' vectors that do not have the usual size. Cheap if all vectors have it."""
        ...

    def sample_vectors(self, embedder: str, limit: int) -> NDArray[np.float32]:
        """Returns at most `limit` vectors of that embedder, of random passages of all projects; fast at any size."""
        ...

    def measured_cosines(self, embedder: str) -> MeasuredCosines | None:
        """The scales that were measured for that embedder and stored; None if there are none."""
        ...
