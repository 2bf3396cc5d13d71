"""A store with vectors set by hand, and candidates made from it."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np

from holdfast.core.answer import Filters
from holdfast.core.clock import FixedClock
from holdfast.core.cosine_scale import CosineScale, CosineScales
from holdfast.core.embedding import Embedding
from holdfast.core.ids import Ids
from holdfast.core.memory import Memory
from holdfast.core.vector_size import VectorSize
from holdfast.recall.question import RecallCandidate
from holdfast.system.project import ProjectIdentity
from tests.store.conftest import passage_of, store_at

MODEL = "by hand"
# The cosines of unrelated passages centre on 0.676, as those of the bundled model do.
SCALES = CosineScales.of_one_size(CosineScale(0.0, 1.0), CosineScale(0.676, 0.0585))


class World:
    """A store with one project, `p`."""

    def __init__(self, path: Path, now: datetime) -> None:
        self._now = now
        self.store = store_at(path, FixedClock(now).now)
        self.store.projects.recognise(ProjectIdentity("/p", "p", None, None, "p"), "p", now)
        self.reading = self.store.reading

    def put(self, text: str, vector: tuple[float, ...] = (), **fields: Any) -> RecallCandidate:
        """Stores a memory, by default a fact from now; returns it as a candidate with that `score`."""
        score, type, at = fields.pop("score", 0.0), fields.pop("type", "fact"), fields.pop("at", self._now)
        size = fields.pop("size", VectorSize.SINGLE)
        memory = Memory(Ids().new(), type, text, "p", at, **fields)
        data = np.array(vector, np.float16).tobytes()
        with self.store.memories.change(durable=False) as change:
            change.add(memory, Embedding(MODEL, len(vector), data, size=size) if vector else None)
        passage = passage_of(self.store, memory.id, "p")
        [of] = self.reading.factors("p", [passage], Filters())
        return RecallCandidate(passage, {"words": 1}, {}, score, row=of)

    def close(self) -> None:
        self.store.close()
