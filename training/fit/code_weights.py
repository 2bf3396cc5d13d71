"""Chooses what words count for code: people describe a function in other words than it is written in.

The weights of the other measures are those of all types. A mean over the sets, each set counted once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from holdfast.recall.weigh.measures import BM25, MEANING, SHARE
from training.fit.ranking import WeightsOf, mean_figure
from training.fit.stores import NAMES, FitStore

# BM25 and the matched share, varied together as for the other types.
WORDS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)
# The figure with each of the weights, by set.
CodeFigures = Mapping[str, Sequence[float]]


def code_figures(stores: Sequence[FitStore]) -> tuple[float, ...]:
    """The mean reciprocal rank of the functions that answer, with each of the weights."""
    cases = [
        store.case(question.text, right, store.near(question.text))
        for store in stores
        for question in store.pool.answerable
        if (right := store.right(question))
    ]
    return tuple(mean_figure(cases, _weights(words), first=True) for words in WORDS)


def best_words(sets: CodeFigures, without: str = "") -> float:
    """The weight with the highest mean over all sets except one; the first of equals."""
    means = np.mean([figures for name, figures in sets.items() if name != without], axis=0)
    return WORDS[int(np.argmax(means))]


def of_code(words: float) -> WeightsOf:
    """The weights that replace those of the other types."""
    return {BM25.name: words, SHARE.name: words}


def _weights(words: float) -> WeightsOf:
    return {**dict.fromkeys(NAMES, 0.0), MEANING.name: 1.0, **of_code(words)}
