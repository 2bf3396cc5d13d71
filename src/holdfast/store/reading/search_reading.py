"""Finding passages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from holdfast.store.reading.word_reading import Variants

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from holdfast.core.answer import Filters

    Vector = NDArray[np.float32] | Sequence[float]


class SearchReading(Protocol):
    """Finds passages by words, vectors, time, files and joint use."""

    def find_words(
        self,
        project: str,
        words: Sequence[str],
        filters: Filters,
        limit: int,
        *,
        effort: int = 2_000,
        bm25: bool = True,
        variants: Variants = ...,
    ) -> tuple[tuple[int, float], ...]:
        """Ranks passages by BM25, best first; a higher score is a better match.

        Looks for the rarest words, as many as occur in at most `effort` passages in all. Only if these find too little,
        it ranks passages that contain several of the commoner words together.

        Without `bm25`, ranks by the summed rarity of the words found; ties go to the newest. This costs a fraction,
        for callers that score the candidates themselves.

        `variants` are further words or phrases for some of the words. A passage with any of them contains the word.
        """
        ...

    def passages_count(self) -> int:
        """The number of passages in all projects. Cheap at any size."""
        ...

    def find_substring(self, project: str, text: str, filters: Filters, limit: int) -> tuple[int, ...]:
        """Passages that contain the text literally, in any case, newest first. Reads up to 100,000 texts."""
        ...

    def find_near(
        self, project: str, embedder: str, vector: Vector, filters: Filters, limit: int
    ) -> tuple[tuple[int, float], ...]:
        """Ranks passages by the cosine similarity of that embedder's vectors, best first."""
        ...

    def similar(self, embedder: str, vector: Vector, passages: Sequence[int]) -> Mapping[int, float]:
        """The cosine similarity of each passage that has a vector of that embedder. Fast for hundreds."""
        ...

    def similar_sentences(self, embedder: str, vector: Vector, passages: Sequence[int]) -> Mapping[int, float]:
        """The highest cosine of each passage's sentences, for those with sentence vectors. Fast for dozens."""
        ...

    def has_vectors(self, embedder: str) -> bool:
        """Whether any vector of that embedder exists. If not, a query need not be embedded."""
        ...

    def lacking_vector(self, embedder: str, passages: Sequence[int]) -> frozenset[int]:
        """Those of the passages without a vector of that embedder, as of the last vector search."""
        ...

    def within(self, project: str, since: datetime, until: datetime, filters: Filters, limit: int) -> tuple[int, ...]:
        """Passages said or dated between two moments, latest first."""
        ...

    def about_files(
        self, project: str, files: Sequence[str], filters: Filters, limit: int
    ) -> tuple[tuple[int, str], ...]:
        """Passages that mention one of these exact files and pass the filters, each with the file.

        Ordered by file as given, then by confidence.
        """
        ...

    def found_with(
        self, project: str, passages: Sequence[int], filters: Filters, limit: int, *, at_least: int = 2
    ) -> tuple[tuple[int, int], ...]:
        """Other passages that were found together with these, most often first, with the count."""
        ...
