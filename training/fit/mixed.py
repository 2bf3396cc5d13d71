"""Measures what taught memories gain and cost in one store with messages, documents and code.

    python -m training.fit.mixed [--questions N] [--worlds N] [--aside]

Each written world that is not trained on is taught to a copy of a store of several sets; its questions and those of the
sets are asked there, as a user asks, with the shipped recipe and without what it does for taught memories. `--aside`
asks about the worlds that did not choose it.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sqlite3
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

from bench.recall.ablation import ABLATIONS
from bench.recall.command import cache_folder
from bench.recall.figures import mean
from bench.recall.learned import build_learned
from bench.recall.ours import Built, Calendar, Holdfast, embed
from bench.recall.pool import Answer, Found, Pool, Question
from bench.recall.vectors import bundled

from bench import ROOT
from holdfast import Candidate
from holdfast.bench.measure import show_progress
from holdfast.bench.reports import aligned
from holdfast.recall.recipes import DEFAULT, Recipe
from training.fit import sets
from training.fit.answers import world_pool
from training.fit.ranking import HITS
from training.worlds import development, worlds

_SETS = ("FriendsQA", "LongMemEval", "CoSQA", "markdown-qa")
_WORLDS = "worlds"
_SEARCH, _BONUS = "without the search of taught memories", "without preferring taught memories"
RECIPES: Mapping[str, Recipe] = {
    "shipped": DEFAULT,
    "no search": ABLATIONS[_SEARCH],
    "no bonus": ABLATIONS[_BONUS],
    "neither": replace(DEFAULT, name="neither", without=frozenset({"taught", "prefer taught"})),
}

# Whether a right hit is first, and among the first ten, by set and recipe.
Results = dict[tuple[str, str], list[tuple[bool, bool]]]


def main(argv: Sequence[str]) -> int:
    options = _options(argv)
    found = sets.load(options.data, questions=options.questions)
    pools = {name: found[name] for name in _SETS if name in found}
    chosen = world_pool([world for world in worlds() if development(world)]).parts[options.aside :: 2][: options.worlds]
    results: Results = {}
    with closing(bundled(options.folder / "vectors.db")) as vectors:
        others = _together(list(pools.values()))
        built = build_learned(others, options.folder, vectors)
        for number, world in enumerate(chosen):
            show_progress(f"world {number + 1} of {len(chosen)}")
            asked = [(name, question) for name, pool in pools.items() for question in pool.asked[number :: len(chosen)]]
            asked += [(_WORLDS, question) for question in world.answerable]
            with _taught(built, world) as store:
                _ask(store, _together([world, others]), asked, results)
    print(aligned(list(_table(results))))
    return 0


def _together(pools: Sequence[Pool]) -> Pool:
    units = tuple(unit for pool in pools for unit in pool.units)
    documents = {name: text for pool in pools for name, text in pool.documents.items()}
    return replace(pools[0], name="mixed", kind="mixed", units=units, documents=documents, parts=())


@contextmanager
def _taught(built: Built, world: Pool) -> Iterator[Built]:
    """A copy of a store to which the memories of a world were taught; deleted at the end."""
    store = replace(built, file="taught.db")
    _delete(store)
    with closing(sqlite3.connect(built.db)) as original, closing(sqlite3.connect(store.db)) as copy:
        original.backup(copy)
    with store.open(Calendar()) as workspace:
        answers = workspace.remember_all(Candidate(unit.text, unit.type or "fact") for unit in world.units)
    kept = {a.memory.id: unit.key for unit, a in zip(world.units, answers, strict=True) if a.memory is not None}
    try:
        embed(world, store)
        yield replace(store, units={**built.units, **kept})
    finally:
        _delete(store)


def _delete(store: Built) -> None:
    for file in store.folder.glob(f"{store.file}*"):
        shutil.rmtree(file) if file.is_dir() else file.unlink()


def _ask(store: Built, whole: Pool, asked: Sequence[tuple[str, Question]], results: Results) -> None:
    for column, recipe in RECIPES.items():
        with Holdfast(whole, store, recipe=recipe) as holdfast:
            for name, question in asked:
                results.setdefault((name, column), []).append(_judged(question, holdfast.ask(question, HITS)))


def _judged(question: Question, answer: Answer) -> tuple[bool, bool]:
    right = [_is_right(question, found) for found in answer.found[:HITS]]
    return any(right[:1]), any(right)


def _is_right(question: Question, found: Found) -> bool:
    spans = (s.group == found.group and found.start < s.end and s.start < found.end for s in question.spans)
    return found.group in question.groups or not set(question.keys).isdisjoint(found.keys) or any(spans)


def _table(results: Results) -> Iterator[Sequence[str]]:
    yield ("right hit first, in ten", *RECIPES)
    for name in dict.fromkeys(name for name, _ in results):
        cells = [results[name, column] for column in RECIPES]
        figures = [f"{mean(first for first, _ in cell):.3f}, {mean(ten for _, ten in cell):.3f}" for cell in cells]
        yield (f"{name} ({len(cells[0])})", *figures)


def _options(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m training.fit.mixed", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data", help="folder of the data sets")
    parser.add_argument("--folder", type=Path, default=cache_folder(os.environ) / "bench", help="folder of the store")
    parser.add_argument("--questions", type=int, default=60, help="questions of each set; 0: all")
    parser.add_argument("--worlds", type=int, default=12, help="number of worlds")
    parser.add_argument("--aside", action="store_true", help="the worlds put aside")
    return parser.parse_args(argv)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
