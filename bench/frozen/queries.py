"""The first ten hits of every query of the quick sets of the recall benchmark, and how certain they are.

Stores are built anew, because what a store contains is part of what is recorded. Vectors are kept between runs.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from bench.recall import longmemeval
from bench.recall.command import cache_folder
from bench.recall.ours import Built, Calendar
from bench.recall.pool import Pool, Question
from bench.recall.sets import SETS
from bench.recall.systems import stores
from bench.recall.vectors import bundled
from holdfast import Hit, Workspace

# The number of questions of each set; 0 means all.
_SETS = {"everyday": 0, "sde": 0, "friends": 60, "markdown": 0, "code": 120, longmemeval.NAME: 16}
_HITS = 10


def values(data: Path) -> Mapping[str, Sequence[str]] | None:
    """For each set one line per hit, and one per query with the confidence of the answer."""
    if not data.is_dir():
        return None
    vectors = bundled(cache_folder(os.environ) / "bench" / "vectors.db")
    found: dict[str, Sequence[str]] = {}
    try:
        for name, questions in _SETS.items():
            pool = SETS[name](data, questions)
            assert pool is not None
            with tempfile.TemporaryDirectory() as folder:
                built = stores(pool, Path(folder), vectors)
                found[name] = [line for part, store in built for line in _answers(part, store)]
    finally:
        vectors.close()
    return found


def _answers(pool: Pool, built: Built) -> Iterator[str]:
    clock = Calendar()
    with built.open(clock) as ws:
        clock.at = max((unit.when for unit in pool.units if unit.when), default=None)
        for question in pool.questions:
            clock.at = question.at or clock.at
            yield from _answer(ws, question, built.units)


def _answer(ws: Workspace, question: Question, units: Mapping[str, str]) -> Iterator[str]:
    answer = ws.recall(question.text, _HITS, count=False, also=question.also)
    left_out = " abstained" if answer.abstained else ""
    yield f"{question.id} confidence {answer.confidence:.2f}{left_out} | {' '.join(question.text.split())}"
    for place, hit in enumerate(answer.hits, 1):
        yield f"{question.id} {place} {hit.certainty or 'no estimate'} | {_key(hit, units)}"


def _key(hit: Hit, units: Mapping[str, str]) -> str:
    """The unit of a message or memory; the text of a learned memory; the place of a chunk."""
    if hit.memory is None:
        assert hit.document is not None
        assert hit.chunk is not None
        return f"{hit.document.path} {hit.chunk.start}-{hit.chunk.end}"
    return units.get(hit.id) or f"{hit.type}: {' '.join(hit.memory.content.split())}"
