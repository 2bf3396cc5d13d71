"""Embeds the text of a query, once per recall."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from holdfast.core.errors import ModelError
from holdfast.core.reason import Reason
from holdfast.recall.question import Embedded
from holdfast.recall.recall_reasons import RecallCode
from holdfast.text.words import cjk_share

if TYPE_CHECKING:
    from holdfast.core.cosine_scale import CosineScales
    from holdfast.models.protocols import Embedder
    from holdfast.store.reading import SearchReading

# Above this share of CJK characters the bundled model is not used: it was not trained on them, and words do better.
_UNREADABLE = 0.3


class QueryEmbedder:
    """Returns the vector of a query; None when it cannot be embedded, or compared with no stored vector.

    Caches the last query, because several steps of one recall need its vector. `choose` returns the embedder for a
    query. `last_failure` returns why it could not embed passages, if known.
    `spelt_out` writes out the shorthand of a query, which models do not know.
    """

    def __init__(
        self,
        reading: SearchReading,
        choose: Callable[[], Embedder | None],
        scales: Callable[[str], CosineScales],
        is_bundled: Callable[[], bool] = lambda: False,
        last_failure: Callable[[str], str | None] = lambda _: None,
        spelt_out: Callable[[str], str] = lambda text: text,
    ) -> None:
        self._reading = reading
        self._choose = choose
        self._scales = scales
        self._is_bundled = is_bundled
        self._last_failure = last_failure
        self._spelt_out = spelt_out
        self._last: tuple[str, Embedder, Embedded] | None = None

    def __call__(self, text: str) -> Embedded | None:
        found = self._find(text)
        return found if isinstance(found, Embedded) else None

    def why_not(self, text: str) -> Reason | None:
        """Says why a query has no vector although the settings name an embedder; None if nothing is missing.

        Ask after the query was embedded: then this neither embeds it nor calls an endpoint again.
        """
        found = self._find(text)
        return found if isinstance(found, Reason) else None

    def _find(self, text: str) -> Embedded | Reason | None:
        embedder = self._choose()
        if embedder is None:
            return None
        if not self._reading.has_vectors(embedder.id):
            return self._nothing_embedded(embedder.id)
        if cjk_share(text) > _UNREADABLE and self._is_bundled():
            return None
        last = self._last
        if last is None or last[:2] != (text, embedder):
            try:
                last = self._last = (text, embedder, self._embed(embedder, text))
            except ModelError as error:
                return Reason.of(RecallCode.MODEL_FAILED, error=f"{error.what}: {error.detail}")
        return last[2]

    def _embed(self, embedder: Embedder, text: str) -> Embedded:
        vector = embedder.embed_query(self._spelt_out(text))
        return Embedded(embedder.id, vector, self._scales(embedder.id), embedder.size)

    def _nothing_embedded(self, model: str) -> Reason | None:
        if not self._reading.passages_count():
            return None
        failure = self._last_failure(model)
        if failure is None:
            return Reason.of(RecallCode.NOTHING_EMBEDDED, model=model)
        return Reason.of(RecallCode.NOTHING_EMBEDDED_YET, model=model, error=failure)
