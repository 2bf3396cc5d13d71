"""Chooses what the best sentence of a long message counts.

    python -m training.fit.sentences [--more FILE]

Prints the figure of each set of conversations by the share of the best sentence, with the shipped weights, and the
figure with the share that the other sets choose.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
from bench.recall.command import cache_folder
from bench.recall.figures import mean, share_found
from bench.recall.pool import Pool
from bench.recall.vectors import KeptVectors, bundled

from bench import ROOT
from holdfast.core.cosine_scale import CosineScale
from holdfast.core.memory import EPISODE
from holdfast.core.vector_size import VectorSize
from holdfast.models.own_model import open_own
from holdfast.recall.weigh.measure_weights import learned
from holdfast.recall.weigh.measures import SESSION
from training.fit.ranking import mean_figure
from training.fit.sets import load
from training.fit.stores import NAMES, Case, FitStore

SHARES = (0.0, 0.3, 0.4, 0.5, 0.6, 0.7, 1.0)
_SESSIONS = ", sessions in five"


def main(argv: Sequence[str]) -> int:
    options = _options(argv)
    cosines = open_own().card.cosines
    pools = {name: pool for name, pool in load(options.data, options.more).items() if pool.kind == "said"}
    if cosines is None or not pools:
        sys.exit(f"{options.data} has no set of conversations, or the model's card has no scale of cosines")
    scale = cosines.of_query(VectorSize.SMALL, VectorSize.SMALL)
    with closing(bundled(options.folder / "vectors.db")) as vectors:
        columns = [_figures(pools, vectors, scale, share) for share in SHARES]
    print("| set |", " | ".join(f"share {share:g}" for share in SHARES), "| chosen without the set |")
    print("|---|" + "---|" * (len(SHARES) + 1))
    for name in columns[0]:
        apart_from = columns[best_share(columns, without=name)][name]
        print(f"| {name} |", " | ".join(f"{column[name]:.3f}" for column in columns), f"| {apart_from:.3f} |")
    return 0


def best_share(columns: Sequence[Mapping[str, float]], without: str = "") -> int:
    """The place of the share with the highest mean over the sets, except one set with all of its figures."""
    left_out = without.removesuffix(_SESSIONS)
    kept = [[figure for name, figure in column.items() if not name.startswith(left_out or "\0")] for column in columns]
    return int(np.argmax([mean(figures) for figures in kept]))


def _figures(pools: Mapping[str, Pool], vectors: KeptVectors, scale: CosineScale, share: float) -> Mapping[str, float]:
    """The figure of each set with that share: recall@10; for questions that name their sessions, also these."""
    weights = {name: learned().of(EPISODE).get(name, 0.0) for name in (*NAMES, SESSION.name)}
    figures = {}
    for name, pool in pools.items():
        cases, sessions = list[Case](), list[float]()
        for part in pool.stores:
            store = FitStore(part, vectors, scale, share)
            for question in part.answerable:
                if right := store.right(question):
                    cases.append(store.case(question.text, right, store.near(question.text)))
                    rows = cases[-1].rows[cases[-1].order(weights)].tolist()
                    groups = tuple(dict.fromkeys(part.units[row].group for row in rows))
                    sessions += [share_found(question.groups, groups, 5)] if question.groups else []
        figures[name] = mean_figure(cases, weights, first=False)
        figures |= {f"{name}{_SESSIONS}": mean(sessions)} if sessions else {}
    return figures


def _options(argv: Sequence[str]) -> argparse.Namespace:
    described = (__doc__ or "").splitlines()[0]
    parser = argparse.ArgumentParser(prog="python -m training.fit.sentences", description=described)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data", help="folder of the data sets")
    parser.add_argument("--more", type=Path, help="file of further dialogues (training.dialogue_pairs --unseen)")
    parser.add_argument("--folder", type=Path, default=cache_folder(os.environ) / "bench", help="folder of the vectors")
    return parser.parse_args(argv)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
