"""The sizes of an embedding model whose sizes share one vector space."""

from __future__ import annotations

from enum import IntEnum


class VectorSize(IntEnum):
    """The size of the model that made a vector. In one vector space the larger size makes the better vector."""

    SINGLE = 0  # a model with one size only
    STATIC = 1  # a weighted sum of token vectors
    SMALL = 2
    BASE = 3
