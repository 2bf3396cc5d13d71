"""Fits the model that recognises updates: `python -m bench.statements_fit --write` writes it into the package.

First it counts the words of every conversation, because common words carry little information. Then it fits the
features of `holdfast.statements.pair_features` by logistic regression, with and without the closeness of vectors.
Pairs of one question are left out together, so that the printed figures are for unseen questions.
"""

from __future__ import annotations

import argparse
import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.regression import regression
from bench.statements_pairs import DATA, Pair, drawn, turns_of
from holdfast.statements.oppositions import oppositions
from holdfast.statements.pair_features import update_measures
from holdfast.statements.parsing import read
from holdfast.statements.statement_tokens import tokens_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from holdfast.core.cosine_scale import CosineScales

    Figures = NDArray[np.float64]

FILE = Path(__file__).parents[1] / "src" / "holdfast" / "trust" / "statements" / "data" / "weights.json"
MEASURES = (
    *("unit", "around", "stands", "deal", "shared", "mass", "rare"),
    *("contrast", "dated", "other_names", "changed", "beginning"),
)
SHRINK = 0.3
_RARE, _TELLING = 5, 0.95
_ORIGIN = "LongMemEval (MIT), what people say in 940 talks: the inverse share of the talks that hold the word"
LEAST = 0.7  # threshold for an update; about one in a hundred pairs is then wrong


def main(argv: Sequence[str] | None = None) -> None:
    """Prints the weights and their accuracy on left-out questions."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the weights into the package")
    options = parser.parse_args(argv)
    if options.write:
        _count_words(DATA / "longmemeval" / "sessions.jsonl.gz")
    pairs = drawn()
    similarity = closeness(pairs)
    found = {
        "words": fitted(pairs, [None] * len(pairs)),
        "near": fitted(pairs, similarity),
        "least": {"update": LEAST},
    }
    content = {"origin": "LongMemEval (MIT), pairs listed in bench/sets/statements.json", "weights": found}
    print(json.dumps(content, indent=1))
    if options.write:
        FILE.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def fitted(pairs: Sequence[Pair], similarity: Sequence[float | None]) -> dict[str, float]:
    """Fits the weight of each feature."""
    names = [*MEASURES, *(["near"] if similarity[0] is not None else [])]
    weights = regression(_matrix(pairs, similarity, names), _labels(pairs), SHRINK)
    return {name: round(float(weight), 3) for name, weight in zip(["bias", *names], weights, strict=True)}


def left_out(pairs: Sequence[Pair], similarity: Sequence[float | None]) -> list[dict[str, float]]:
    """For each pair, the weights fitted without the pairs of its question."""
    groups = sorted({pair.question for pair in pairs})
    without = {
        group: fitted(
            [pair for pair in pairs if pair.question != group],
            [near for pair, near in zip(pairs, similarity, strict=True) if pair.question != group],
        )
        for group in groups
    }
    return [without[pair.question] for pair in pairs]


def closeness(pairs: Sequence[Pair]) -> list[float]:
    """The closeness of the vectors of each pair, from the bundled model."""
    from holdfast.models.choice import bundled_embedder

    texts, embedder = sorted({text for pair in pairs for text in (pair.old, pair.new)}), bundled_embedder()
    vectors = dict(zip(texts, embedder.embed(texts), strict=True))
    scales: CosineScales | None = getattr(embedder, "scales", None)
    assert scales is not None
    scale = scales.of_passages(embedder.size, embedder.size)
    return [scale.closeness(float(vectors[pair.old] @ vectors[pair.new])) for pair in pairs]


def _count_words(sessions: Path) -> None:
    """Writes the information of each common word: 0 if every conversation contains it, 1 if one in two hundred does."""
    talks = [frozenset(_roots(turns)) for turns in turns_of(sessions).values()]
    held = Counter(word for talk in talks for word in talk)
    rarest = math.log(len(talks) / _RARE)
    weights = {word: min(1.0, round(math.log(len(talks) / n) / rarest, 2)) for word, n in held.items() if n > _RARE}
    content = {
        "origin": _ORIGIN,
        "weights": {word: weights[word] for word in sorted(weights) if weights[word] < _TELLING},
    }
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    FILE.with_name("common.json").write_text(text + "\n", encoding="utf-8")


def _roots(turns: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    text = " ".join(turn["content"] for turn in turns if turn["role"] == "user")[:6_000]
    return (token.root for token in tokens_of(text) if token.word[0].isalpha())


def _matrix(pairs: Sequence[Pair], similarity: Sequence[float | None], names: Sequence[str]) -> Figures:
    import numpy as np

    rows = []
    for pair, near in zip(pairs, similarity, strict=True):
        new, old = read(pair.new), read(pair.old)
        measures = update_measures(new, old, oppositions(new, old), near)
        rows.append([1.0, *(measures.get(name, 0.0) for name in names)])
    return np.array(rows)


def _labels(pairs: Sequence[Pair]) -> Figures:
    import numpy as np

    return np.array([float(pair.kind == "update") for pair in pairs])


if __name__ == "__main__":
    main()
