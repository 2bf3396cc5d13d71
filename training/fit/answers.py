"""Chooses what reading the best candidates counts, and what it says about missing answers.

    python -m training.fit.answers [--more FILE] [--questions N]

Asks the questions of the development parts, and those about the written worlds that are not trained on. Prints the
share of right first hits and the recall@10 of each set by the weight of reading; then how often recall is silent,
without and with reading, by the shipped model of evidence, whose numbers were chosen by this table.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from bench.recall.command import cache_folder
from bench.recall.pool import Answers, Pool, Question, Scores, Unit
from bench.recall.vectors import bundled

from bench import ROOT
from holdfast.bench.measure import show_progress
from holdfast.bench.reports import aligned
from holdfast.core.memory import EPISODE
from holdfast.core.settings import Settings
from holdfast.core.vector_size import VectorSize
from holdfast.models.own_model import open_own
from holdfast.models.reader import bundled_reader
from holdfast.recall.evidence.answerability import mean_of_best, odds_of_size, signals
from holdfast.recall.evidence.read_answers import LONGEST, ReadAnswers
from holdfast.recall.weigh.measure_weights import calibration, learned
from training.fit.sets import load
from training.fit.stores import NAMES, FitStore
from training.worlds import World, development, worlds

WEIGHTS = (0.0, 0.01, 0.02, 0.03, 0.05)
_STEP, _HITS = ReadAnswers(None), 10
_THRESHOLD = math.log(Settings().abstain_below / (1 - Settings().abstain_below))
_UNREAD = {"evidence": 1.0, "answer": 0.0, "more": 0.0, "fewer": 0.0, "bias": 0.0}
_SETS = ("FriendsQA", "LongMemEval", "Molweni", "RealMemBench", "QMSum")


@dataclass(frozen=True)
class ReadCase:
    """The best candidates of a question: scores, log-odds of evidence, whether each is right, and what reading says.

    What is not read has a NaN. `wanted` is the number of right passages in the store, `size` that of all passages.
    """

    scores: np.ndarray
    evidence: np.ndarray
    right: np.ndarray
    odds: np.ndarray
    wanted: int
    size: int

    def order(self, weight: float) -> np.ndarray:
        """The places of the candidates, best first: those that are read, then the others."""
        read = np.where(np.isnan(self.odds), 0.0, self.odds)
        depth = depth_of(self.odds)
        added = np.where(np.arange(len(read)) < depth, self.scores + weight * read, self.scores - 9)
        return np.argsort(-added, kind="stable")

    def without_answers(self) -> ReadCase:
        kept = ~self.right
        return ReadCase(self.scores[kept], self.evidence[kept], self.right[kept], self.odds[kept], 0, self.size)


def depth_of(odds: np.ndarray) -> int:
    known = np.flatnonzero(~np.isnan(odds))
    return int(known[-1]) + 1 if len(known) else 0


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m training.fit.answers", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data", help="folder of the data sets")
    parser.add_argument(
        "--more", type=Path, help="further dialogues, as `training.dialogue_pairs --unseen` writes them"
    )
    parser.add_argument("--folder", type=Path, default=cache_folder(os.environ) / "bench", help="folder of the vectors")
    parser.add_argument("--questions", type=int, default=0, help="questions of each set; 0: all")
    options = parser.parse_args(argv)
    pools = {name: pool for name, pool in load(options.data, options.more, options.questions).items() if name in _SETS}
    pools["worlds"] = world_pool([world for world in worlds() if development(world)])
    cases = {name: list(_cases(name, pool, options.folder)) for name, pool in pools.items()}
    print(aligned(list(_ranking_table(cases))))
    print(aligned(list(_evidence_table(cases))))
    return 0


def world_pool(found: Sequence[World]) -> Pool:
    """The worlds as a set, each in a store of its own."""
    parts = tuple(_world(world) for world in found)
    units = tuple(unit for part in parts for unit in part.units)
    questions = tuple(question for part in parts for question in part.questions)
    return Pool("worlds", "worlds", "memories", units, questions, _no_score, parts=parts, asks_unanswerable=True)


def _world(world: World) -> Pool:
    units = tuple(Unit(f"{world.name}{n}", text, f"{world.name}{n}", type="fact") for n, text in world.passages.items())
    questions = tuple(
        Question(f"{world.name}q{n}", text, groups=tuple(f"{world.name}{each}" for each in sorted(answers)))
        for n, (text, answers) in enumerate(world.questions)
    )
    return Pool("worlds", world.name, "memories", units, questions, _no_score, asks_unanswerable=True)


def _no_score(pool: Pool, answers: Answers) -> Scores:
    raise NotImplementedError("the cases are scored here")


def _cases(name: str, pool: Pool, folder: Path) -> Iterator[ReadCase]:
    cosines = open_own().card.cosines
    assert cosines is not None
    scale = cosines.of_query(VectorSize.SMALL, VectorSize.SMALL)
    weights = np.array([learned().of(EPISODE).get(measure, 0.0) for measure in NAMES])
    with closing(bundled(folder / "vectors.db")) as vectors:
        for number, part in enumerate(pool.stores):
            show_progress(f"{name}: store {number + 1} of {len(pool.stores)}")
            store = FitStore(part, vectors, scale)
            for question in part.asked:
                right = store.right(question)
                if right or not question.is_answerable:
                    yield _case(store, question, right, weights)


def _case(store: FitStore, question: Question, right: frozenset[int], weights: np.ndarray) -> ReadCase:
    case = store.case(question.text, right, store.near(question.text))
    scores = case.scaled @ weights / weights.sum()
    order = np.argsort(-scores, kind="stable")[: 3 * _STEP.most]
    usual = mean_of_best(case.matched.tolist()), mean_of_best(case.near.tolist())
    rows = [signals(float(case.matched[at]), float(case.near[at]), *usual) for at in order]
    model = calibration()["near"]
    found = np.array([model["bias"] + sum(model[name] * value for name, value in row.items()) for row in rows])
    texts = [store.pool.units[case.rows[at]].text for at in order]
    hits = np.array([int(case.rows[at]) in right for at in order])
    return ReadCase(scores[order], found, hits, _odds(question.text, texts), len(right), len(store.pool.units))


def _odds(question: str, texts: Sequence[str]) -> np.ndarray:
    odds, left = np.full(len(texts), math.nan), _STEP.characters
    for place, text in enumerate(texts[: _STEP.most]):
        if len(text) > LONGEST:
            continue
        left -= len(text)
        if left < 0:
            break
        odds[place] = bundled_reader().answer(question, text)
    return odds


def _ranking_table(cases: Mapping[str, Sequence[ReadCase]]) -> Iterator[tuple[str, ...]]:
    yield "right first, recall@10", *(f"weight {weight:g}" for weight in WEIGHTS)
    for name, of_set in cases.items():
        answered = [case for case in of_set if case.wanted]
        yield name, *("{:.3f}, {:.3f}".format(*_figures(answered, weight)) for weight in WEIGHTS)


def _figures(cases: Sequence[ReadCase], weight: float) -> tuple[float, float]:
    hits = [case.right[case.order(weight)] for case in cases]
    found = [each[:_HITS].sum() / min(_HITS, case.wanted) for each, case in zip(hits, cases, strict=True)]
    return float(np.mean([each[0] for each in hits])), float(np.mean(found))


def _evidence_table(cases: Mapping[str, Sequence[ReadCase]], weight: float = 0.02) -> Iterator[tuple[str, ...]]:
    """How often recall is silent, and how well the best evidence tells answers from their lack, with the shipped model.

    The right answer is withheld if it is first. Answers are missing because they were removed, or because the question
    has none.
    """
    kinds = ("withheld", "silent, removed", "silent, no answer", "area, removed", "area, no answer")
    yield "evidence", *(f"{kind}, {how}" for kind in kinds for how in ("not read", "read"))
    for name, of_set in cases.items():
        columns = [_silence(of_set, model, weight) for model in (_UNREAD, calibration()["read"])]
        yield name, *(f"{column[n]:.3f}" for n in range(len(kinds)) for column in columns)


def _silence(cases: Sequence[ReadCase], model: Mapping[str, float], weight: float) -> list[float]:
    right = [_best(c, model, weight) for c in cases if c.wanted and c.right[c.order(weight)[0]]]
    removed = [_best(c.without_answers(), model, weight) for c in cases if c.wanted]
    without = [_best(c, model, weight) for c in cases if not c.wanted]
    silent = [_mean(np.array(found) < _THRESHOLD) for found in (right, removed, without)]
    areas = [_mean(np.array(right)[:, None] > np.array(found)[None]) for found in (removed, without)]
    return [*silent, *areas]


def _best(case: ReadCase, model: Mapping[str, float], weight: float) -> float:
    """The highest log-odds of the first ten hits: recall answers if one of them has enough."""
    first = case.order(weight)[:_HITS]
    odds, known = case.odds[first], case.evidence[first]
    rest = odds_of_size(model, case.size) + model["bias"]
    read = model["evidence"] * known + model["answer"] * np.nan_to_num(odds) + rest
    return float(np.where(np.isnan(odds), known, read).max())


def _mean(values: np.ndarray) -> float:
    return float(values.mean()) if values.size else math.nan


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
