"""Fits the model that compares statements in any wording: `python -m bench.pairs_fit --write` writes it.

It is fitted on the pairs of `bench/sets/updates` other than those of the fresh set, and on pairs made from them that
are about different things: a shared word is replaced by another, or the older statement by another one that shares a
word.
Prints the figures for each source by a model that was fitted without it.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.boosting import BoostedTrees, boosted
from holdfast.statements.alignment import Unit, align, units_of
from holdfast.statements.pair_measures import measures_row, pair_measures
from holdfast.statements.pair_model import WORDS
from holdfast.statements.parsing import read
from holdfast.statements.structure import structure
from holdfast.statements.verdict import structural_likelihood

SETS = Path(__file__).parent / "sets" / "updates"
FILES = ("dev", "train", "test", "more")
REQUIREMENTS = SETS.parent / "requirements.json"
SOURCES = (*FILES, "requirements")
CONFLICTS = ("update", "contradiction")
# Probabilities from which the older statement is retired: if the newer one says so in words that align (`stated`), if
# the words align (`agreed`), and otherwise (`update`). From `doubt` on `validate` warns, from `clash` on a
# contradiction is reported. Models that were fitted without the source of a pair are seldom wrong there.
LEAST = {"stated": 0.3, "agreed": 0.5, "doubt": 0.5, "clash": 0.62, "update": 0.75}
_MADE_WEIGHT = 0.25
_SEED = 4
_ORIGIN = (
    "bench/sets/updates/pairs_{dev,train,test,more}.jsonl, pairs made from them, and the part `tune` of "
    "bench/sets/requirements.json"
)


@dataclass(frozen=True, slots=True)
class SourcePair:
    """Two statements with their relation and source; `made` is set if nobody wrote the pair."""

    old: str
    new: str
    relation: str
    language: str
    source: str
    form: str
    made: bool = False


@dataclass(frozen=True, slots=True)
class Rows:
    """The measures of pairs, a row for each, and the names of the measures."""

    names: tuple[str, ...]
    values: NDArray[np.float64]
    pairs: tuple[SourcePair, ...]

    @property
    def conflicts(self) -> NDArray[np.float64]:
        return np.array([float(pair.relation in CONFLICTS) for pair in self.pairs])

    @property
    def weights(self) -> NDArray[np.float64]:
        return np.array([_MADE_WEIGHT if pair.made else 1.0 for pair in self.pairs])

    def of(self, source: str) -> NDArray[np.bool_]:
        return np.array([pair.source == source for pair in self.pairs])

    def fit(self, used: NDArray[np.bool_]) -> BoostedTrees:
        return boosted(self.values[used], self.conflicts[used], self.weights[used])


def source_pairs() -> tuple[SourcePair, ...]:
    """The pairs that people wrote, then those made from them."""
    written = [
        SourcePair(row["old"], row["new"], row["relation"], row["language"], source, row["form"])
        for source in FILES
        for row in map(json.loads, (SETS / f"pairs_{source}.jsonl").read_text(encoding="utf-8").splitlines())
    ]
    return (*written, *_made(written, random.Random(_SEED)), *requirement_pairs())


def requirement_pairs() -> Iterator[SourcePair]:
    """The requirements that may be used to write rules; none of them says that something changed."""
    for row in json.loads(REQUIREMENTS.read_text(encoding="utf-8")):
        if row["split"] == "tune":
            relation = "contradiction" if row["contradicts"] else "different"
            yield SourcePair(row["a"], row["b"], relation, "en", "requirements", "requirement")


def measured(pairs: Sequence[SourcePair]) -> Rows:
    """The measures of all pairs."""
    found = [_measures(pair) for pair in pairs]
    names = tuple(sorted({name for measures in found for name in measures}))
    return Rows(names, np.array([measures_row(measures, names) for measures in found]), tuple(pairs))


def left_out(rows: Rows) -> NDArray[np.float64]:
    """The probability of a conflict for each pair, by a model that was fitted without its source."""
    likely = np.zeros(len(rows.pairs))
    for source in SOURCES:
        own = rows.of(source)
        likely[own] = 1 / (1 + np.exp(-rows.fit(~own).log_odds(rows.values[own])))
    unsure = np.array([read(pair.new).unsure and not read(pair.old).unsure for pair in rows.pairs])
    likely[unsure] = 0.0  # a question or an opinion replaces nothing
    return likely


def main(argv: Sequence[str] | None = None) -> None:
    """Prints the figures by source, and writes the model fitted on all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the model into the package")
    options = parser.parse_args(argv)
    rows = measured(source_pairs())
    for line in _figures(rows, left_out(rows)):
        print(line)
    if options.write:
        WORDS.write_text(json.dumps(_fields(rows), separators=(",", ":")) + "\n", encoding="utf-8")


def _figures(rows: Rows, likely: NDArray[np.float64]) -> Iterator[str]:
    for source in (*SOURCES, ""):
        chosen = [
            (pair, p)
            for pair, p in zip(rows.pairs, likely, strict=True)
            if not pair.made and (pair.source == source or not source)
        ]
        shares = []
        for relation in ("update", "different", "contradiction", "same"):
            own = [p for pair, p in chosen if pair.relation == relation]
            shares.append(f"{relation} {sum(p >= LEAST['update'] for p in own)}/{len(own)}")
        reported = [pair.relation in CONFLICTS for pair, p in chosen if p >= LEAST["clash"]]
        shares.append(f"precision {sum(reported) / max(1, len(reported)):.3f}")
        yield f"without {source or 'each source in turn'}: {', '.join(shares)}"


def _fields(rows: Rows) -> Mapping[str, object]:
    model = rows.fit(np.ones(len(rows.pairs), bool))
    return {"origin": _ORIGIN, "least": LEAST, "names": rows.names, **tree_fields(model)}


def tree_fields(model: BoostedTrees) -> Mapping[str, object]:
    """The trees as the package stores them."""
    trees = [
        {
            "measures": measures.tolist(),
            "thresholds": [round(min(float(threshold), 99.0), 4) for threshold in thresholds],
            "leaves": [round(float(leaf), 5) for leaf in leaves],
        }
        for measures, thresholds, leaves in model.trees
    ]
    return {"bias": round(model.bias, 5), "trees": trees}


def _measures(pair: SourcePair) -> dict[str, float]:
    new, old = read(pair.new), read(pair.old)
    found = structure(new, old)
    return pair_measures(new, old, found, structural_likelihood(found))


def _made(pairs: Sequence[SourcePair], chance: random.Random) -> Iterator[SourcePair]:
    """Pairs about different things: an update with another subject in one statement, or with another older one."""
    subjects = {language: _subjects(pairs, language) for language in ("en", "fr")}
    for pair in pairs:
        if pair.relation != "update":
            continue
        shared = [u for u in align(read(pair.new).frame, read(pair.old).frame).shared if u.kind in ("word", "name")]
        if shared:
            swapped = _swapped(pair.new, chance.choice(shared).text, chance.choice(subjects[pair.language]))
            if swapped != pair.new:
                yield replace(pair, new=swapped, relation="different", made=True)
        near = [other.old for other in pairs if _may_stand_in(other, pair)]
        if near:
            yield replace(pair, old=chance.choice(near), relation="different", made=True)


def _may_stand_in(other: SourcePair, pair: SourcePair) -> bool:
    same_kind = other.language == pair.language and other.source == pair.source and other.form != pair.form
    return same_kind and other.old != pair.old and not _topic(other.old).isdisjoint(_topic(pair.new))


def _topic(text: str) -> frozenset[str]:
    return frozenset(unit.concept for unit in units_of(read(text)) if unit.kind in ("word", "name"))


def _subjects(pairs: Sequence[SourcePair], language: str) -> list[str]:
    """The words before the verbs of the older statements."""
    found: list[Unit] = []
    for pair in pairs:
        statement = read(pair.old)
        if pair.language == language:
            found += [u for u in units_of(statement) if u.kind == "word" and u.start < max(statement.verb, 1)]
    return [unit.text.lower() for unit in found]


def _swapped(text: str, word: str, by: str) -> str:
    def written(match: re.Match[str]) -> str:
        return by.capitalize() if match[0][0].isupper() else by

    return re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", written, text, count=1)


if __name__ == "__main__":
    main()
