"""Embeds the text of a query, once per recall."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.recall.question import Embedded
from holdfast.text.words import cjk_share

if TYPE_CHECKING:
    from holdfast.models.protocols import Embedder
    from holdfast.store.reading import SearchReading

# Above this share of CJK characters the bundled model is not used: it was not trained on them, and words do better.
_UNREADABLE = 0.3


class QueryEmbedder:
    """Returns the vector of a query; None when no stored vector could be compared with it.

    Caches the last query, because several steps of one recall need its vector.
    """

    def __init__(self, reading: SearchReading, embedder: Embedder | None, is_bundled: bool = False) -> None:
        self._reading = reading
        self._embedder = embedder
        self._is_bundled = is_bundled
        self._last: tuple[str, Embedded] | None = None

    def __call__(self, text: str) -> Embedded | None:
        embedder = self._embedder
        if embedder is None or not self._reading.has_vectors(embedder.id):
            return None
        if self._is_bundled and cjk_share(text) > _UNREADABLE:
            return None
        last = self._last
        if last is None or last[0] != text:
            last = self._last = (text, Embedded(embedder.id, embedder.embed_query(text)))
        return last[1]
