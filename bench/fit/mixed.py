"""Measures the questions of several sets in one store of memories, messages, documents and code.

    python -m bench.fit.mixed [--questions N]

Prints the figure of each set with the shipped weights, and with the weights of documents for code as well: whether code
that is weighed in another way displaces the right memory, message or document.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np

from bench.child import ROOT
from bench.fit import sets
from bench.fit.ranking import HITS
from bench.recall import everyday
from bench.recall.command import cache_folder
from bench.recall.figures import reciprocal_rank
from bench.recall.learned import build_learned
from bench.recall.ours import Holdfast
from bench.recall.pool import Answer, Found, Pool, Question
from bench.recall.vectors import bundled
from holdfast.recall.weights import learned

_SETS = ("FriendsQA", "CoSQA", "markdown-qa")
_CODE = ".py"


def main(argv: Sequence[str]) -> int:
    options = _options(argv)
    found = sets.load(options.data, questions=options.questions)
    pools = {"everyday": everyday.load(), **{name: found[name] for name in _SETS if name in found}}
    whole = _together(list(pools.values()))
    with closing(bundled(options.folder / "vectors.db")) as vectors:
        built = build_learned(whole, options.folder, vectors)
        columns = []
        for as_documents in (False, True):
            with _weights_of_code(as_documents), Holdfast(whole, built) as holdfast:
                answers = {name: _ask(holdfast, pool) for name, pool in pools.items()}
            columns.append({name: _figures(pools[name], of) for name, of in answers.items()})
    for name in pools:
        for figure, value in columns[0][name].items():
            print(f"| {name}, {figure} | {value:.3f} | {columns[1][name][figure]:.3f} |")
    return 0


def _together(pools: Sequence[Pool]) -> Pool:
    units = tuple(unit for pool in pools for unit in pool.units)
    documents = {name: text for pool in pools for name, text in pool.documents.items()}
    return replace(pools[0], name="mixed", kind="mixed", units=units, documents=documents)


@contextmanager
def _weights_of_code(as_documents: bool) -> Iterator[None]:
    """Exchanges the weights of code for those of documents while it is open, if `as_documents`."""
    shipped = learned().by_group
    if as_documents:
        object.__setattr__(learned(), "by_group", {**shipped, "code": shipped["document"]})
    try:
        yield
    finally:
        object.__setattr__(learned(), "by_group", shipped)


def _ask(holdfast: Holdfast, pool: Pool) -> Mapping[Question, Answer]:
    return {question: holdfast.ask(question, HITS) for question in pool.asked}


def _figures(pool: Pool, answers: Mapping[Question, Answer]) -> Mapping[str, float]:
    """The right answer first, or among the first ten; and how many of the first hits are code."""
    asked = {question: answer for question, answer in answers.items() if question.is_answerable}
    ranks = [[_is_right(question, one) for one in answer.found[:HITS]] for question, answer in asked.items()]
    code = [bool(a.found) and a.found[0].group.endswith(_CODE) for a in answers.values()]
    return {
        "right first": float(np.mean([any(of[:1]) for of in ranks])),
        "right in ten": float(np.mean([any(of) for of in ranks])),
        "MRR@10": float(np.mean([reciprocal_rank({True}, of, HITS) for of in ranks])),
        "code first": float(np.mean(code)),
    }


def _is_right(question: Question, found: Found) -> bool:
    spans = (s.group == found.group and found.start < s.end and s.start < found.end for s in question.spans)
    return found.group in question.groups or not set(question.keys).isdisjoint(found.keys) or any(spans)


def _options(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.fit.mixed", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data", help="folder of the data sets")
    parser.add_argument("--folder", type=Path, default=cache_folder(os.environ) / "bench", help="folder of the store")
    parser.add_argument("--questions", type=int, default=0, help="questions of each set; 0: all")
    return parser.parse_args(argv)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
