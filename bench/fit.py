"""Fits the data that recall ships: the weight of each measure, and the model that estimates evidence.

    python -m bench.fit --folder FOLDER --write

Reads the stores that `holdfast bench recall` keeps in that folder. Weights are fitted per type of passage, are never
negative, and use measures scaled to 0…1 per question, so that they do not depend on one source. The printed figures
are cross-validated by question. Questions without an answer are constructed: the answering sessions are removed, or
the questions are asked to an unrelated store.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bench.child import ROOT
from bench.recall import functions, longmemeval, markdown, sde
from bench.recall.command import cache_folder
from bench.recall.figures import auroc, share_found
from bench.recall.ours import Built, Calendar, build, ranking
from bench.recall.pool import Pool, Question
from holdfast import Workspace
from holdfast.core.answer import Filters
from holdfast.recall.answerability import signals
from holdfast.recall.paths import SUBSTRING
from holdfast.recall.question import Question as Query
from holdfast.recall.question import RecallCandidate
from holdfast.recall.recipes import DEFAULT
from holdfast.recall.recipes import build as steps_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

FILE = ROOT / "src" / "holdfast" / "recall" / "data" / "weights.json"
# Fewer for files: a document has no session and no speaker.
MEASURES = {
    "episode": ("bm25", "share", "meaning", "speaker", "reply", "time"),
    "code": ("bm25", "share", "meaning"),
    "document": ("bm25", "share", "meaning"),
}
_TYPES = {"said": ("episode",), "code": ("code",), "markdown": ("document",)}
_FOLDS = 5
_RIDGE = 0.02


@dataclass(frozen=True, slots=True)
class Case:
    """One question: the measures of each candidate, which candidates answer it, and their keys in the set."""

    measured: Floats
    answers: NDArray[np.bool_]
    keys: tuple[str, ...] = ()


def main(argv: Sequence[str]) -> int:
    options = _options(argv)
    stores = {name: _open(load, options) for name, load in (("lme", longmemeval.load), ("sde", sde.load))}
    weights = {
        "episode": _fitted("episode", stores["lme"]),
        "code": _fitted("code", _open(functions.load, options)),
        "document": _fitted("document", _open(markdown.load, options)),
    }
    # There are not enough questions about typed memories yet. They are short statements, so they get the weights of
    # documents.
    weights["memory"] = {**weights["document"], "time": weights["episode"]["time"]}
    evidence = {"near": _judged(stores, "near"), "words": _judged(stores, "words")}
    text = json.dumps({"origin": _ORIGIN, "weights": weights, "evidence": evidence}, indent=2)
    print(text)
    if options.write:
        FILE.write_text(text + "\n", encoding="utf-8")
    return 0


def fit(cases: Sequence[Case], steps: int = 4000) -> Floats:
    """Fits non-negative weights that rank the answers highest (softmax over the candidates of a question)."""
    answerable = [case for case in cases if case.answers.any()]
    weights = np.ones(answerable[0].measured.shape[1])
    pace = 1.0
    value, slope = _loss(answerable, weights)
    for _ in range(steps):
        tried = np.maximum(weights - pace * slope, 0.0)
        after, next_slope = _loss(answerable, tried)
        if after > value:
            pace /= 2
            if pace < 1e-6:
                break
            continue
        done = value - after < 1e-9
        weights, value, slope, pace = tried, after, next_slope, pace * 1.2
        if done:
            break
    return weights


def _loss(cases: Sequence[Case], weights: Floats) -> tuple[float, Floats]:
    loss, slope = _RIDGE * float(weights @ weights) / 2, _RIDGE * weights
    for case in cases:
        scores = case.measured @ weights
        shares = np.exp(scores - scores.max())
        shares /= shares.sum()
        loss -= float(np.log(shares[case.answers] + 1e-12).mean()) / len(cases)
        slope = slope - (case.measured[case.answers].mean(0) - shares @ case.measured) / len(cases)
    return loss, slope


@dataclass(frozen=True, slots=True)
class Store:
    """A data set and its open store."""

    pool: Pool
    built: Built
    workspace: Workspace
    clock: Calendar

    def candidates(
        self, question: Question, until: str, without: frozenset[str] = frozenset(), **changed: Any
    ) -> tuple[RecallCandidate, ...]:
        """The candidates after a step of the default recipe, as if some sessions did not exist."""
        at = question.at or self.clock.now()
        query = Query(question.text, self.workspace.project, Filters(types=_TYPES[self.pool.kind]), 50, at)
        candidates: tuple[RecallCandidate, ...] = ()
        for step in steps_of(replace(DEFAULT, newest=False, **changed), self.workspace.container.recall.resources):
            candidates, _ = step(query, candidates)
            if step.name == SUBSTRING.name:
                candidates = self._lacking(candidates, without)
            if step.name == until:
                break
        return candidates

    def _lacking(self, found: Sequence[RecallCandidate], sessions: frozenset[str]) -> tuple[RecallCandidate, ...]:
        """Removes the candidates of some sessions."""
        traits = self.workspace.container.reading.traits([one.passage for one in found])
        there = dict(zip(traits.passages, traits.sessions, strict=True))
        return tuple(one for one in found if there.get(one.passage) not in sessions)

    def answers(self, question: Question, found: Sequence[RecallCandidate]) -> NDArray[np.bool_]:
        if self.pool.kind == "said":
            keys = set(question.keys)
            return np.array([self.built.units.get(one.row.id if one.row else "") in keys for one in found], bool)
        parts = self.workspace.container.reading.hydrate([one.passage for one in found])
        return np.array([self._holds(question, parts[one.passage][0]) for one in found], bool)

    def _holds(self, question: Question, part: Any) -> bool:
        path, start, end = part.document.path, part.chunk.start, part.chunk.end
        if question.spans:
            return any(s.group == path and start < s.end and s.start < end for s in question.spans)
        return path in question.groups


def _fitted(kind: str, store: Store) -> dict[str, float]:
    _report(f"{kind}: measuring {len(store.pool.answerable):,} questions")
    names, cases = MEASURES[kind], []
    for question in store.pool.answerable:
        found = store.candidates(question, "filter")
        factors = [one.all_factors() for one in found]
        measured = np.array([[of.get(name, 0.0) for name in names] for of in factors], float)
        keys = tuple(store.built.units.get(one.row.id if one.row else "", "") for one in found)
        cases.append(Case(np.nan_to_num(measured), store.answers(question, found), keys))
    weights, crossed = fit(cases), _crossed(cases)
    at_home, elsewhere = _first(cases, [weights] * len(cases)), _first(cases, crossed)
    _report(f"{kind}: reciprocal rank of the first answer {at_home:.3f}, cross-validated {elsewhere:.3f}")
    if kind == "episode":
        _report(f"{kind}: cross-validated {_recalled(store.pool, cases, crossed)}")
    pairs = zip(names, weights, strict=True)
    return {name: round(float(weight), 2) for name, weight in pairs if weight >= 0.05}


def _crossed(cases: Sequence[Case]) -> list[Floats]:
    """For each case, the weights fitted without it."""
    folds = np.random.default_rng(0).permutation(len(cases)) % _FOLDS
    apart = [fit([case for case, fold in zip(cases, folds, strict=True) if fold != left]) for left in range(_FOLDS)]
    return [apart[fold] for fold in folds]


def _recalled(pool: Pool, cases: Sequence[Case], weights: Sequence[Floats]) -> str:
    """Session recall@5 and turn recall@10 of the rankings that the weights produce."""
    sessions, turns = [], []
    for question, case, weight in zip(pool.answerable, cases, weights, strict=True):
        order = np.argsort(-(case.measured @ weight), kind="stable")
        keys = [case.keys[place] for place in order]
        sessions.append(share_found(question.groups, list(dict.fromkeys(k.rpartition("#")[0] for k in keys)), 5))
        if question.keys:
            turns.append(share_found(question.keys, keys, 10))
    return f"session recall@5 {np.mean(sessions):.3f}, turn recall@10 {np.mean(turns):.3f}"


def _first(cases: Sequence[Case], weights: Sequence[Floats]) -> float:
    """The mean reciprocal rank of the first answer."""
    ranks = []
    for case, weight in zip(cases, weights, strict=True):
        order = np.argsort(-(case.measured @ weight), kind="stable")
        places = np.flatnonzero(case.answers[order])
        ranks.append(1 / (places[0] + 1) if places.size else 0.0)
    return float(np.mean(ranks))


@dataclass(frozen=True, slots=True)
class BestSignals:
    """The signals of the best candidate for a question, and whether the store has an answer."""

    question: str
    how: str
    signs: dict[str, float]
    worth: float = 1.0

    @property
    def answered(self) -> bool:
        return self.how == "asked"


def _judged(stores: dict[str, Store], model: str) -> dict[str, float]:
    names = ("matched", "matched above", *(("near", "near above") if model == "near" else ()))
    rows = list(_identity(stores, {} if model == "near" else {"meaning": 0, "time": 0}))
    signals = np.array([[row.signs.get(name, 0.0) for name in names] for row in rows])
    true, worth = np.array([row.answered for row in rows], float), np.array([row.worth for row in rows])
    for how in ("withheld", "foreign"):
        _report(f"evidence by {model}: AUROC {how}, cross-validated {_apart(rows, signals, true, worth, how):.3f}")
    slope, bias = logistic(signals, true, worth)
    fitted = dict(zip(names, slope.round(3).tolist(), strict=True))
    return {**fitted, "bias": round(bias, 3)}


def _apart(rows: Sequence[BestSignals], signals: Floats, true: Floats, worth: Floats, how: str) -> float:
    """How well models that did not see a question separate answered from unanswered ones (AUROC)."""
    questions = list(dict.fromkeys(row.question for row in rows))
    fold_of = dict(zip(questions, np.random.default_rng(0).permutation(len(questions)) % _FOLDS, strict=True))
    folds = np.array([fold_of[row.question] for row in rows])
    sure = np.zeros(len(rows))
    for left in range(_FOLDS):
        slope, bias = logistic(signals[folds != left], true[folds != left], worth[folds != left])
        sure[folds == left] = signals[folds == left] @ slope + bias
    kept = [place for place, row in enumerate(rows) if row.how in ("asked", how)]
    return auroc([(float(sure[place]), rows[place].answered) for place in kept])


def _identity(stores: dict[str, Store], changed: dict[str, Any]) -> Iterator[BestSignals]:
    nothing: frozenset[str] = frozenset()
    for store in stores.values():
        for question in store.pool.answerable:
            yield BestSignals(question.id, "asked", _best(store, question, nothing, changed))
            if store is stores["lme"]:
                yield BestSignals(question.id, "withheld", _best(store, question, frozenset(question.groups), changed))
    # Lower weight: there are many more questions about chats than about code.
    for store, other, worth in ((stores["lme"], stores["sde"], 1.0), (stores["sde"], stores["lme"], 0.3)):
        for question in other.pool.questions:
            yield BestSignals(question.id, "foreign", _best(store, question, nothing, changed), worth)


def _best(store: Store, question: Question, without: frozenset[str], changed: dict[str, Any]) -> dict[str, float]:
    found = store.candidates(question, "rerank", without, **changed)
    if not found:
        return {}
    matched = [one.measure("share") for one in found]
    near = [one.measure("meaning") for one in found]
    usual = [sum(sorted(np.nan_to_num(values), reverse=True)[:10]) / 10 for values in (matched, near)]
    return signals(matched[0], near[0], *map(float, usual))


def logistic(signals: Floats, true: Floats, weight: Floats, steps: int = 60) -> tuple[Floats, float]:
    """Fits a logistic model by Newton's method."""
    wide = np.column_stack((signals, np.ones(len(signals))))
    slope = np.zeros(wide.shape[1])
    for _ in range(steps):
        sure = 1 / (1 + np.exp(-(wide @ slope)))
        curve = wide.T @ (wide * (weight * sure * (1 - sure))[:, None]) + 1e-3 * np.eye(wide.shape[1])
        slope += np.linalg.solve(curve, wide.T @ (weight * (true - sure)) - 1e-3 * slope)
    return slope[:-1], float(slope[-1])


def _open(load: Callable[[Path, int], Pool | None], options: argparse.Namespace) -> Store:
    pool = load(options.data, 0)
    if pool is None:
        raise SystemExit(f"{options.data} does not contain the required data sets")
    built, clock = build(pool, options.folder), Calendar()
    return Store(pool, built, ranking(built, clock), clock)


def _report(figures: str) -> None:
    """Prints a figure to standard error; the weights go to standard output."""
    print(figures, file=sys.stderr, flush=True)


def _options(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.fit", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data", help="folder of the data sets")
    parser.add_argument("--folder", type=Path, default=cache_folder(os.environ), help="folder of the stores")
    parser.add_argument("--write", action="store_true", help="write the weights into the package")
    return parser.parse_args(argv)


_ORIGIN = (
    "Fitted by bench/fit.py on the developers' half of LongMemEval (episodes), of a code search set (code) and of a"
    " markdown question set (documents); memories read as documents. Non-negative, on measures scaled per question."
)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
