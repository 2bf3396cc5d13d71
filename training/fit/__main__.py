"""Chooses the weights of recall and fits its model of evidence.

    python -m training.fit [--more FILE] [--code FOLDER] [--code-only [--part test]] [--questions N] [--write]

Prints the figure of each data set with the weights chosen without that set, with those chosen with all sets, with the
shipped weights, and of plain hybrid search; the same without one part of the ranking; the figures of code by the weight
of words; then how often recall is silent, by the number of passages in the store.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
from bench.recall import functions
from bench.recall.command import cache_folder
from bench.recall.pool import Pool
from bench.recall.vectors import KeptVectors, bundled

from bench import ROOT
from holdfast.core.cosine_scale import CosineScale
from holdfast.core.memory import EPISODE
from holdfast.core.settings import Settings
from holdfast.core.vector_size import VectorSize
from holdfast.models.own_model import open_own
from holdfast.recall.weigh.measure_weights import GROUPS, calibration, learned
from holdfast.recall.weigh.measures import SESSION
from training.fit import documented
from training.fit.code_weights import WORDS, CodeFigures, best_words, code_figures, of_code
from training.fit.evidence import ALL, MODELS, Asked, Silence, apart, ask_all, fitted, silences
from training.fit.ranking import GRID, PARTS, SetFigures, WeightsOf, best, figures_of
from training.fit.sets import half, load
from training.fit.stores import NAMES, FitStore

CODE = "code"
FILE = ROOT / "src" / "holdfast" / "recall" / "data" / "weights.json"


def main(argv: Sequence[str]) -> int:
    options = _options(argv)
    pools = load(options.data, options.more, options.questions)
    if options.code_only:
        whole = functions.load(options.data, 2 * options.questions)
        pools = {name: half(whole, options.part) for name, pool in pools.items() if whole and pool.kind == CODE}
    cosines = open_own().card.cosines
    if len(pools) < 2 - options.code_only or cosines is None:
        sys.exit(f"{options.data} has fewer than two of the data sets, or the model's card has no scale of cosines")
    scale = cosines.of_query(VectorSize.SMALL, VectorSize.SMALL)
    with closing(bundled(options.folder / "vectors.db")) as vectors:
        stores = {name: [FitStore(part, vectors, scale) for part in pool.stores] for name, pool in pools.items()}
        if options.code_only:
            _print(_code_table(_figures_of_code(stores, options, vectors, scale)))
            return 0
        sets = {name: figures_of(pool, stores[name], vectors, _shipped(pool)) for name, pool in pools.items()}
        of_code_sets = _figures_of_code(stores, options, vectors, scale)
        _print(_ranking_table(sets))
        _print(_ablation_table(sets))
        _print(_code_table(of_code_sets))
        apart_from = {name: GRID[best(sets, without=name)] for name in sets}
        rows = ask_all(stores, apart_from)
    threshold = Settings().abstain_below
    for model in MODELS:
        judged, shipped_model = [row for row in rows if row.model == model], dict.fromkeys(sets, calibration()[model])
        print(f"Evidence by the model {model!r}:")
        _print(_silence_table(silences(judged, apart(judged), threshold), silences(judged, shipped_model, threshold)))
    text = json.dumps(_data(GRID[best(sets)], of_code(best_words(of_code_sets)), rows, tuple(sets)), indent=2)
    print(text)
    if options.write:
        FILE.write_text(text + "\n", encoding="utf-8")
    return 0


def _figures_of_code(
    stores: Mapping[str, Sequence[FitStore]], options: argparse.Namespace, vectors: KeptVectors, scale: CosineScale
) -> CodeFigures:
    """The figures of the sets of code, and of the documented functions if their folder is named."""
    found = {name: code_figures(of) for name, of in stores.items() if of[0].pool.kind == CODE}
    if options.code:
        pool = half(documented.load(options.code, 2 * options.questions), options.part)
        found[documented.TITLE] = code_figures([FitStore(part, vectors, scale) for part in pool.stores])
    return found


def _shipped(pool: Pool) -> WeightsOf:
    """The weights that come with the package, for the passages of a set."""
    weights = learned().of(CODE if pool.kind == CODE else EPISODE)
    return {name: weights.get(name, 0.0) for name in (*NAMES, SESSION.name)}


def _data(chosen: WeightsOf, code: WeightsOf, rows: Sequence[Asked], sets: Sequence[str]) -> Mapping[str, Any]:
    """The content of the data file. Weights that are not chosen here stay as they are."""
    by_group = {group: {**chosen, **code} if group == CODE else chosen for group in GROUPS}
    weights = {
        group: {name: of.get(name, kept) for name, kept in learned().of(group).items()}
        for group, of in by_group.items()
    }
    models = {name: fitted([row for row in rows if row.model == name]) for name in MODELS}
    evidence = {name: {signal: round(value, 3) for signal, value in model.items()} for name, model in models.items()}
    # What reading counts is chosen by training/fit/answers.py.
    evidence |= {name: dict(calibration()[name]) for name in ("read", "task")}
    return {"origin": _ORIGIN.format(sets=", ".join(sets)), "weights": weights, "evidence": evidence}


def _ranking_table(sets: Mapping[str, SetFigures]) -> Iterator[tuple[str, ...]]:
    yield "set", "plain hybrid", "shipped weights", "chosen with all sets", "chosen without the set", "these weights"
    together, figures = best(sets), []
    for name, of in sets.items():
        place = best(sets, without=name)
        figures.append((of.hybrid, of.shipped, of.grid[together], of.grid[place]))
        yield name, *map(_rounded, figures[-1]), _shown(GRID[place])
    yield "mean", *map(_rounded, np.mean(figures, axis=0)), f"all sets: {_shown(GRID[together])}"


def _ablation_table(sets: Mapping[str, SetFigures]) -> Iterator[tuple[str, ...]]:
    """Each set with weights that the other sets chose: with all parts, and without one of them."""
    yield "chosen without the set", "all parts", *(f"no {part}" for part in PARTS), "plain hybrid"
    figures = []
    for name, of in sets.items():
        row = [of.grid[best(sets, without=name, part=part)] for part in ("", *PARTS)]
        figures.append([*row, of.hybrid])
        yield name, *map(_rounded, figures[-1])
    yield "mean", *map(_rounded, np.mean(figures, axis=0))


def _code_table(sets: CodeFigures) -> Iterator[tuple[str, ...]]:
    """Each set of code with each weight of words, and with the weight that the other sets of code chose."""
    yield "code", *(f"words {weight:g}" for weight in WORDS), "chosen without the set"
    for name, figures in sets.items():
        apart_from = figures[WORDS.index(best_words(sets, without=name))] if len(sets) > 1 else math.nan
        yield name, *map(_rounded, (*figures, apart_from))


def _silence_table(apart_from: Sequence[Silence], shipped: Sequence[Silence]) -> Iterator[tuple[str, ...]]:
    kinds = ("right answer withheld", "silent without answer", "silent if foreign")
    yield "passages", *kinds, *(f"{kind}, shipped" for kind in kinds)
    for one, other in zip(apart_from, shipped, strict=True):
        yield str(one.size) if one.size != ALL else "all", *map(_rounded, (*one.shares, *other.shares))


def _rounded(figure: float) -> str:
    return f"{figure:.3f}" if not math.isnan(figure) else "–"


def _shown(weights: WeightsOf) -> str:
    return ", ".join(f"{name} {weight:g}" for name, weight in weights.items())


def _print(rows: Iterable[Sequence[str]]) -> None:
    """Prints a markdown table; the first row is its heading."""
    for place, row in enumerate(rows):
        print(f"| {' | '.join(row)} |", flush=True)
        if not place:
            print(f"|{'---|' * len(row)}")
    print()


def _options(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m training.fit", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data", help="folder of the data sets")
    parser.add_argument("--more", type=Path, help="file of further dialogues (training.dialogue_pairs --unseen)")
    parser.add_argument("--code", type=Path, help="folder of mirrors of the repositories in documented.json")
    parser.add_argument("--code-only", action="store_true", help="print only the figures of code")
    parser.add_argument(
        "--part", choices=("development", "test"), default="development", help="half of the questions, with --code-only"
    )
    parser.add_argument("--folder", type=Path, default=cache_folder(os.environ) / "bench", help="folder of the vectors")
    parser.add_argument("--questions", type=int, default=0, help="questions of each set; 0: all")
    parser.add_argument("--write", action="store_true", help="write the result into the package")
    return parser.parse_args(argv)


_ORIGIN = (
    "Chosen by bench/fit on {sets} (development parts): one simple table for all types, because the sets do not agree"
    " on more, except that words count half for code."
)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
