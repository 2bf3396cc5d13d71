"""Measures the cosines between unrelated texts, for an embedder whose card does not have them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from holdfast.core.cosine_scale import CosineScale, CosineScales

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from holdfast.models.protocols import Embedder

    Floats = NDArray[np.float32]

# Passages of a store from which its cosines can be estimated; with fewer, the texts of the package are used.
ENOUGH_PASSAGES = 50
# Fewer vectors say nothing about the cosines of an embedder.
_FEWEST = 8
_QUERY_SHARE = 0.75
_FILE = Path(__file__).parent / "data" / "unrelated.txt"


def measure(embedder: Embedder, passages: Floats) -> CosineScales:
    """Measures the cosines of an embedder with vectors of passages, or with texts of the package if these are few.

    Embeds a few dozen short texts. Passages of one store are mostly unrelated; what little they have in common belongs
    to what a search must tell apart.
    """
    questions, texts = unrelated_texts()
    if len(passages) < ENOUGH_PASSAGES:
        passages = embedder.embed(texts)
    queries = np.array([embedder.embed_query(question) for question in questions])
    scales = scale_of(queries @ passages.T), scale_between(passages, passages)
    return CosineScales.of_one_size(*scales, centre=centre_of(passages))


def estimate(passages: Floats) -> CosineScales | None:
    """Estimates the cosines of an embedder from vectors of passages alone; None if they are too few.

    Many models embed queries in another way than passages, which makes their cosines lower.
    """
    if len(passages) < _FEWEST:
        return None
    scale = scale_between(passages, passages)
    return CosineScales.of_one_size(CosineScale(_QUERY_SHARE * scale.mean, scale.deviation), scale)


def centre_of(passages: Floats) -> tuple[float, ...]:
    """The mean vector of passages that are mostly unrelated, rounded for a card."""
    return tuple(round(float(number), 4) for number in passages.mean(axis=0))


def scale_between(passages: Floats, same: Floats) -> CosineScale:
    """The scale of the cosines between different passages; `same` are vectors of the same passages, row by row."""
    return scale_of((passages @ same.T)[np.triu_indices(len(passages), 1)])


def scale_of(cosines: Floats) -> CosineScale:
    """The scale of cosines most of which are between unrelated texts.

    Duplicates and related texts are the upper tail; the median and the lower half describe the unrelated rest.
    """
    middle = float(np.median(cosines))
    below = cosines[cosines <= middle] - middle
    deviation = float(np.sqrt(np.mean(below**2)))
    return CosineScale(min(max(middle, -0.99), 0.99), max(deviation, 0.01))


def unrelated_texts() -> tuple[list[str], list[str]]:
    """The questions and the texts of the package, which have nothing to do with each other."""
    lines = [line for line in _FILE.read_text(encoding="utf-8").splitlines() if line]
    questions = [line for line in lines if line.endswith("?")]
    return questions, [line for line in lines if not line.endswith("?")]
