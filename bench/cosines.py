"""Measures the cosines of a local model between unrelated texts, for its card.

    python -m bench.cosines [FOLDER] [--data DATA]

Prints the field `cosines` of the card: the mean and the standard deviation between the questions of the package and
passages of the data sets, between two passages, and between the mean vectors of two sessions; and the mean vector of
passages. Each figure is the mean over the data sets. A folder of our own model is measured for each pair of its sizes.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from bench import ROOT
from bench.recall import functions, longmemeval, markdown, sde
from holdfast.core.cosine_scale import CosineScale, CosineScales, as_fields
from holdfast.core.vector_size import VectorSize
from holdfast.models.cosine_measurement import centre_of, scale_between, scale_of, unrelated_texts
from holdfast.models.local import LocalEmbedder
from holdfast.models.own_model import OWN

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bench.recall.pool import Pool
    from holdfast.models.protocols import Embedder

    Floats = NDArray[np.float32]

_SETS: tuple[Callable[[Path], Pool | None], ...] = (longmemeval.load, sde.load, functions.load, markdown.load)
_PASSAGES, _SESSIONS, _MESSAGES, _SEED = 150, 60, 12, 7


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, nargs="?", default=Path(OWN))
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    asked = parser.parse_args(argv)
    pools = [pool for load in _SETS if (pool := load(asked.data)) is not None]
    if not pools:
        sys.exit(f"no data sets in {asked.data}")
    print(json.dumps(as_fields(measure(embedders(asked.folder), pools)), indent=2))
    return 0


def embedders(folder: Path) -> dict[VectorSize, Embedder]:
    """The embedders of a model folder by size; one for a model with one size."""
    from holdfast.core.errors import ModelError
    from holdfast.models.model_files import CARD, read_json

    if "sizes" not in read_json(folder / CARD):
        return {VectorSize.SINGLE: LocalEmbedder(folder, threads=2)}
    from holdfast.models.own_model import OwnModel
    from holdfast.models.static import StaticEmbedder
    from holdfast.models.transformer import TransformerEmbedder

    model = OwnModel(folder)
    made: dict[VectorSize, Embedder] = {VectorSize.STATIC: StaticEmbedder(model)}
    for size in (VectorSize.SMALL, VectorSize.BASE):
        try:
            made[size] = TransformerEmbedder(model, size, threads=2)
        except ModelError:  # The largest size is in a package of its own.
            continue
    return made


def measure(models: Mapping[VectorSize, Embedder], pools: Sequence[Pool]) -> CosineScales:
    """Measures every pair of sizes on every data set."""
    questions, _ = unrelated_texts()
    queries = {size: np.array([model.embed_query(text) for text in questions]) for size, model in models.items()}
    drawn = [random.Random(_SEED).sample(pool.units, min(_PASSAGES, len(pool.units))) for pool in pools]
    texts = [[unit.full_text for unit in units] for units in drawn]
    passages = {size: [model.embed(some) for some in texts] for size, model in models.items()}
    return CosineScales(
        {(q, p): _mean(scale_of(queries[q] @ of.T) for of in passages[p]) for q in models for p in models},
        {
            (a, b): _mean(scale_between(*both) for both in zip(passages[a], passages[b], strict=True))
            for a in models
            for b in models
            if a <= b
        },
        centre_of(np.array([of.mean(axis=0) for of in passages[_stored(models)]])),
    )


def _stored(models: Mapping[VectorSize, Embedder]) -> VectorSize:
    """The size that most stored vectors have."""
    return VectorSize.SMALL if VectorSize.SMALL in models else max(models)


def _mean(scales: Iterable[CosineScale]) -> CosineScale:
    every = list(scales)
    means, deviations = [scale.mean for scale in every], [scale.deviation for scale in every]
    return _rounded(CosineScale(sum(means) / len(every), sum(deviations) / len(every)))


def _rounded(scale: CosineScale) -> CosineScale:
    return CosineScale(round(scale.mean, 3), round(scale.deviation, 4))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
