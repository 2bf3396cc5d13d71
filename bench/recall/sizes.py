"""Right answers withheld and wrong answers given, for stores from 5 to 100,000 passages.

The everyday memories lie among unrelated messages and functions of the other sets. Any answer to a question without one
counts as wrong, even if an unrelated passage happens to fit it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from bench.recall import dialogues, everyday, functions, longmemeval
from bench.recall.learned import build_learned
from bench.recall.ours import Holdfast
from bench.recall.pool import Answer, Pool, Scores, Unit, ask_all
from bench.recall.vectors import KeptVectors
from holdfast.bench.measure import show_progress

SMALL, USUAL, LARGE = (5, 40), (5, 40, 1_000, 10_000), (5, 40, 1_000, 10_000, 100_000)
GIVEN, WORDINGS = "answered without an answer", "with two other wordings"
COLUMNS = (everyday.FIRST, everyday.WITHHELD, everyday.WRONG, GIVEN)
QUESTIONS = "with questions at writing time"
_FUNCTIONS = 0.3
# Larger stores take long to build twice.
_MOST_WITH_QUESTIONS = 1_000


def measure(sizes: Sequence[int], data: Path, folder: Path, vectors: KeptVectors) -> Mapping[str, Scores]:
    """Asks the everyday questions as a user and as an agent does, in stores of each size for which there is data."""
    found: dict[str, Scores] = {}
    for pool in pools(sizes, data):
        size = len(pool.stores[0].units)
        show_progress(f"everyday questions among {size:,} passages")
        found |= _measured(f"{size:,} passages", pool, pool.stores, folder, vectors)
        if size <= _MOST_WITH_QUESTIONS:
            stores = tuple(map(everyday.with_questions, pool.stores))
            found |= _measured(f"{size:,} passages, {QUESTIONS}", pool, stores, folder, vectors)
    return found


def _measured(
    name: str, pool: Pool, stores: Sequence[Pool], folder: Path, vectors: KeptVectors
) -> Iterator[tuple[str, Scores]]:
    """The figures of a pool in these stores, asked in one wording and in three."""
    asked: dict[str, dict[str, Answer]] = {name: {}, f"{name}, {WORDINGS}": {}}
    for part in stores:
        with Holdfast(part, build_learned(part, folder, vectors)) as holdfast:
            for answers, questions in zip(asked.values(), (part, everyday.with_wordings(part)), strict=True):
                answers |= ask_all(holdfast, questions)
    for row, answers in asked.items():
        scores = everyday.score(pool, answers)
        yield row, {**scores, GIVEN: 1 - scores[everyday.SILENT]}


def pools(sizes: Sequence[int], data: Path) -> Iterator[Pool]:
    """The everyday set in stores of each size; a size that the data does not reach is left out."""
    whole = everyday.load()
    for size in sizes:
        if size < len(whole.units):
            yield everyday.in_stores_of(size)
        elif size == len(whole.units):
            yield whole
        else:
            others = _unrelated(size - len(whole.units), data)
            if len(others) + len(whole.units) == size:
                documents = {unit.group: unit.text for unit in others if not unit.role}
                units = (*whole.units, *others)
                yield replace(whole, name=f"among-{size}", kind="mixed", units=units, documents=documents)


def _unrelated(count: int, data: Path) -> list[Unit]:
    """Functions and messages of the other sets, in their order."""
    code, chats = functions.load(data), longmemeval.load(data)
    found = list(code.units[: int(_FUNCTIONS * count)]) if code else []
    messages = [*(chats.units if chats else ()), *dialogues.all_turns(data)]
    return found + messages[: count - len(found)]
