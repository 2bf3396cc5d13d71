"""What the rest of the house needs of a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]


class Embedder(Protocol):
    """Texts to vectors of length one. `id` names model, revision and dimensions: equal ids, comparable vectors."""

    @property
    def id(self) -> str: ...
    @property
    def dimensions(self) -> int: ...
    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row per text, as passages. An empty sequence gives an array of shape (0, dimensions)."""
        ...

    def embed_query(self, text: str) -> Vectors:
        """One vector of shape (dimensions,), as a question."""
        ...


class Reranker(Protocol):
    """How well each text answers a question, 0 to 1, in the order given."""

    @property
    def id(self) -> str: ...
    def rerank(self, query: str, texts: Sequence[str]) -> tuple[float, ...]: ...


@dataclass(frozen=True, slots=True)
class ChatReply:
    """A language model's answer and what it cost."""

    text: str
    prompt_tokens: int = 0
    completion_tokens: int = 0


class Chat(Protocol):
    """A language model that answers in text, or in JSON when a schema is given."""

    @property
    def id(self) -> str: ...
    def complete(
        self, system: str, prompt: str, *, schema: Mapping[str, Any] | None = None, max_tokens: int = 1024
    ) -> ChatReply: ...


class TokenCounter(Protocol):
    """How many tokens a text costs; offline, deterministic."""

    def count(self, text: str) -> int: ...
    def truncate(self, text: str, tokens: int) -> str:
        """The longest beginning of the text that costs at most so many tokens."""
        ...
