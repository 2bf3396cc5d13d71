"""An embedder that reports every failure as a ModelError, and is not called again right after it failed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from holdfast.core.errors import ModelError, ModelUnreachable
from holdfast.models.circuit_breaker import CircuitBreaker

if TYPE_CHECKING:
    from holdfast.core.vector_size import VectorSize
    from holdfast.models.protocols import Embedder, Vectors

Result = TypeVar("Result")


class GuardedEmbedder:
    """Calls an embedder; after a failure it repeats that failure for a while. `uncached` is the embedder itself.

    With `seconds`, a call that takes longer has failed.
    """

    def __init__(
        self,
        embedder: Embedder,
        uncached: Embedder,
        breaker: CircuitBreaker | None = None,
        seconds: float | None = None,
    ) -> None:
        self._embedder = embedder
        self.uncached = uncached
        self._breaker = breaker or CircuitBreaker()
        self._seconds = seconds

    def within(self, seconds: float) -> GuardedEmbedder:
        """The same embedder for calls for which somebody waits."""
        return GuardedEmbedder(self._embedder, self.uncached, self._breaker, seconds)

    @property
    def id(self) -> str:
        return self._embedder.id

    @property
    def size(self) -> VectorSize:
        return self._embedder.size

    @property
    def dimensions(self) -> int:
        return self._embedder.dimensions

    def embed(self, texts: Sequence[str]) -> Vectors:
        return self._call(lambda: self._embedder.embed(texts))

    def embed_query(self, text: str) -> Vectors:
        return self._call(lambda: self._embedder.embed_query(text))

    def check(self) -> None:
        """Raises ModelError if the model does not work now. Neither the cache nor an earlier failure counts."""
        loaded_or_failed(lambda: self.uncached.embed_query("ready?"))

    def _call(self, embed: Callable[[], Result]) -> Result:
        seconds = self._seconds
        if seconds is None:
            return self._breaker.call(lambda: loaded_or_failed(embed))
        from holdfast.models.deadline import in_time

        late = ModelUnreachable(f"{self.id} took longer than {seconds:g} s")
        return self._breaker.call(lambda: in_time(seconds, lambda: loaded_or_failed(embed), late))


def loaded_or_failed(use: Callable[[], Result]) -> Result:
    """Uses a model. A library or file that cannot be loaded is a failure of the model like any other."""
    try:
        return use()
    except (OSError, ImportError, MemoryError) as error:
        raise ModelError(f"it cannot be loaded ({error or type(error).__name__})") from error
