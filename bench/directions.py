"""Fits the projection for token vectors (`models/data/directions.npz`) on the texts of the data sets.

    python -m bench.directions --write

Embeds a sample of each set with the bundled model and stores the 64 directions in which the vectors of informative
tokens differ most, the spread along each, and which tokens of the vocabulary are informative: words and parts of words
that are not stop words.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from bench.child import ROOT
from bench.recall import functions, longmemeval, markdown, sde
from holdfast.models.late_interaction import DIRECTIONS
from holdfast.models.local import BUNDLED, LocalEmbedder
from holdfast.text.stop_words import STOP_WORDS

_KEPT = 64
_SETS = (longmemeval.load, sde.load, functions.load, markdown.load)


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.directions", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data", help="folder of the data sets")
    parser.add_argument("--texts", type=int, default=600, help="number of texts per set")
    parser.add_argument("--write", action="store_true", help="write the directions into the package")
    options = parser.parse_args(argv)
    embedder, telling = LocalEmbedder(), _telling()
    vectors = np.concatenate([_tokens(embedder, text, telling) for text in _texts(options.data, options.texts)])
    mean = vectors.mean(0)
    spread_of, directions = np.linalg.eigh(np.cov((vectors - mean).T))
    best = np.argsort(-spread_of)[:_KEPT]
    basis = directions[:, best].astype(np.float32)
    kept = float(spread_of[best].sum() / spread_of.sum())
    print(f"{len(vectors):,} tokens; {_KEPT} directions keep {kept:.3f} of the variance")
    if options.write:
        np.savez_compressed(
            DIRECTIONS,
            model=np.array(embedder.id),
            mean=mean.astype(np.float32),
            basis=basis.astype(np.float16),
            spread=((vectors - mean) @ basis).std(0).astype(np.float32),
            telling=np.packbits(telling),
            vocabulary=np.array(len(telling)),
        )
    return 0


def _texts(data: Path, count: int) -> Iterator[str]:
    for load in _SETS:
        pool = load(data, 0)
        if pool is None:
            raise SystemExit(f"{data} does not contain the required data sets")
        chosen = np.random.default_rng(0).permutation(len(pool.units))[:count]
        yield from (pool.units[place].full_text for place in chosen)


def _tokens(embedder: LocalEmbedder, text: str, telling: np.ndarray) -> np.ndarray:
    _, tokens, ids = embedder.embed_whole(text)
    return np.asarray(tokens[telling[ids]])


def _telling() -> np.ndarray:
    from tokenizers import Tokenizer

    vocabulary = Tokenizer.from_file(str(BUNDLED / "tokenizer.json")).get_vocab()
    words = sorted(vocabulary, key=lambda word: vocabulary[word])
    return np.array([word.replace("##", "").isalnum() and word not in STOP_WORDS for word in words])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
