"""A question as the pipeline sees it, and the candidates that answer it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from holdfast.core.memory import nothing
from holdfast.store.text import words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from holdfast.core.answer import Filters
    from holdfast.store.reading import Factors

_IDENTIFIER = re.compile(r"[a-z][A-Z]|\w_\w|\w/\w|\w\.\w{1,4}\b|\w\(\)|::")
_STRUCTURAL = frozenset({"analyze_impact", "get_dependencies", "trace_data_flow"})


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, of which project, under which filters, at what moment."""

    text: str
    project: str
    filters: Filters
    limit: int
    now: datetime
    phase: str | None = None
    recent: tuple[str, ...] = ()

    @property
    def words(self) -> list[str]:
        return words(self.text)

    @property
    def kind(self) -> str:
        """`identifier`, `structural` or `semantic` (R-C2): it chooses the weight of each path."""
        if _IDENTIFIER.search(self.text):
            return "identifier"
        return "structural" if _STRUCTURAL & set(self.recent) else "semantic"


class Found(NamedTuple):
    """A passage on its way through the pipeline: where each path ranked it, and its score so far.

    `waits`: its vector is still to come.

    Why a named tuple: hundreds are made for every question, and these are made five times faster.
    """

    passage: int
    ranks: Mapping[str, int]
    raw: Mapping[str, float]
    score: float = 0.0
    parts: Mapping[str, float] = nothing()
    of: Factors | None = None
    waits: bool = False


@dataclass(frozen=True, slots=True)
class Embedded:
    """The question's vector and the embedder whose vectors it may be compared with."""

    embedder: str
    vector: NDArray[np.float32]


Notes = Mapping[str, Any]
