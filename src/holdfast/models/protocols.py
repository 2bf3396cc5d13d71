"""The interfaces of models: embedder, reranker, chat and token counter. Failures are raised as ModelError."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from holdfast.core.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    from holdfast.core.vector_size import VectorSize

    Vectors = NDArray[np.float32]


class Embedder(Protocol):
    """Turns texts into vectors of length one. `id` names the vector space: model, revision and dimensions.

    Vectors are comparable exactly between embedders of equal id. `size` tells apart the sizes of one vector space.
    """

    @property
    def id(self) -> str: ...
    @property
    def size(self) -> VectorSize: ...
    @property
    def dimensions(self) -> int: ...
    def embed(self, texts: Sequence[str]) -> Vectors:
        """Embeds texts as passages, one row per text. No texts give an array of shape (0, dimensions)."""
        ...

    def embed_query(self, text: str) -> Vectors:
        """Embeds a text as a query: one vector."""
        ...


class StaticModel(Protocol):
    """The static size of a vector space: embeds a text in microseconds, while it is stored."""

    @property
    def id(self) -> str: ...
    @property
    def size(self) -> VectorSize: ...
    @property
    def dimensions(self) -> int: ...
    def pack(self, texts: Sequence[str]) -> Sequence[bytes]:
        """Embeds texts as passages; returns the 16-bit floats of each."""
        ...


class Reranker(Protocol):
    """Scores how well texts answer a query."""

    @property
    def id(self) -> str: ...
    def rerank(self, query: str, texts: Sequence[str]) -> tuple[float, ...]:
        """Returns one score from 0 to 1 per text, in the order of the texts."""
        ...


class TextReader(Protocol):
    """Reads two texts together; answers are log-odds. Both methods raise ModelError."""

    def answers(self, question: str, passages: Sequence[str]) -> Sequence[float]:
        """Does each passage answer the question?"""
        ...


@frozen
class ChatReply:
    """A language model's answer and the tokens it cost; 0 where the server does not report them."""

    text: str
    prompt_tokens: int = 0
    completion_tokens: int = 0


class Chat(Protocol):
    """A language model."""

    @property
    def id(self) -> str: ...
    def complete(
        self, system: str, prompt: str, *, schema: Mapping[str, Any] | None = None, max_tokens: int = 1024
    ) -> ChatReply:
        """Answers a prompt in text, or in JSON text if a JSON schema is given.

        The JSON is valid, but the caller must check that it follows the schema.
        """
        ...


class TokenCounter(Protocol):
    """Counts the tokens of a text, without a network and deterministically."""

    def count(self, text: str) -> int: ...
    def truncate(self, text: str, tokens: int) -> str:
        """Returns the longest beginning of the text that costs at most `tokens` tokens."""
        ...
