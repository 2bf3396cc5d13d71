"""The vector index: a first look may be cheap, the answer is exact."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from holdfast.core.clock import SystemClock
from holdfast.core.ids import Ids
from holdfast.core.memory import Memory
from holdfast.core.project import Signs
from holdfast.store.sqlite import vectors
from holdfast.store.sqlite.store import SqliteStore
from holdfast.store.writing.memories import Embedding

ROWS, LIMIT = 600, 10


def matryoshka(rows: int) -> NDArray[np.float32]:
    """Nearly all in the first 256 numbers."""
    chance = np.random.default_rng(7)
    made = np.zeros((rows, 512))
    for row in made:
        row[chance.choice(256, 12, replace=False)] = 1 + chance.random(12)
        row[256:] = 0.01 * chance.random(256)
    return unit(made)


def sparse(rows: int) -> NDArray[np.float32]:
    """A few numbers of many: the first of them do not tell enough."""
    chance = np.random.default_rng(7)
    made = np.zeros((rows, 512))
    for row in made:
        row[chance.choice(512, 12, replace=False)] = 1 + chance.random(12)
    return unit(made)


def unit(made: NDArray[Any]) -> NDArray[np.float32]:
    rounded: NDArray[np.float32] = (made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float16)
    return rounded.astype(np.float32)


def index_of(tmp_path: Path, made: NDArray[np.float32]) -> vectors.VectorIndex:
    clock, ids = SystemClock(), Ids()
    store = SqliteStore(str(tmp_path / "memory.db"), now=clock.now, ids=ids)
    project = store.projects.recognise(Signs("/p", "p", None, None, "p"), "p", clock.now())
    with store.memories.change(durable=False) as change:
        for number, vector in enumerate(made):
            memory = Memory(f"mem_{number}", "fact", f"number {number}", project, clock.now())
            change.add(memory, Embedding("m", made.shape[1], vector.astype(np.float16).tobytes()))
    index = store.reading._index("m", made.shape[1])
    assert index is not None
    return index


@pytest.mark.parametrize(("made", "short"), [(matryoshka(ROWS), True), (sparse(ROWS), False)], ids=["short", "full"])
def test_the_first_numbers_are_used_only_where_they_lose_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, made: NDArray[np.float32], short: bool
) -> None:
    monkeypatch.setattr(vectors, "_WORTHWHILE", 100)
    monkeypatch.setattr(vectors, "_CANDIDATES", 2)
    index = index_of(tmp_path, made)
    found = [index.search(vector, "p", (), None, LIMIT) for vector in made[:20]]
    assert index._short_is_enough is short
    exact = [[int(row) + 1 for row in np.argsort(-(made @ vector), kind="stable")[:LIMIT]] for vector in made[:20]]
    kept = [len({passage for passage, _ in one} & set(true)) for one, true in zip(found, exact, strict=True)]
    assert sum(kept) >= 0.97 * LIMIT * len(kept)
    assert all(score == pytest.approx(float(made[p - 1] @ made[0]), abs=1e-5) for p, score in found[0])
