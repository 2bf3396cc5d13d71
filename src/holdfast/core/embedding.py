"""The vector of a passage as it is stored."""

from __future__ import annotations

from holdfast.core.frozen import frozen
from holdfast.core.vector_size import VectorSize


@frozen
class Embedding:
    """A vector to store: its vector space, its float16 bytes and the size of the model that made it.

    `said` is the passage's text when it was embedded: the vector is dropped if the text has changed since.
    """

    embedder: str
    dimensions: int
    data: bytes
    said: str | None = None
    size: VectorSize = VectorSize.SINGLE
