"""Fits the models that compare statements in any wording: `python -m bench.pairs_fit --write` writes them.

The model by words is fitted on the pairs that its measures were written for, and on pairs made from them that are about
different things: a shared word is replaced by another, or the older statement by another one that shares a word. The
model for pairs that are read is fitted on the pairs of all authors, on unrelated statements, and on what readers say of
a pair whose author they had not seen.
Prints the figures for each author by models that were fitted without it. Takes some minutes.
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
from bench.reader_scores import key, left_out_scores
from holdfast.models.reader import KEEP, nearness, read_relation
from holdfast.trust.statements.alignment import Unit, align, units_of
from holdfast.trust.statements.pair_measures import measures_row, pair_measures
from holdfast.trust.statements.pair_model import READ, WORDS, reader_measures
from holdfast.trust.statements.parsing import read
from holdfast.trust.statements.structure import structure
from holdfast.trust.statements.verdict import structural_likelihood

SETS = Path(__file__).parent / "sets" / "updates"
FILES = ("dev", "train", "test", "more")
MORE_FILES = ("fresh", "written", "project", "personal", "near")
REQUIREMENTS = SETS.parent / "requirements.json"
SOURCES = (*FILES, *MORE_FILES, "requirements")
CONFLICTS = ("update", "contradiction")
# Probabilities from which the older statement is retired: if the newer one says so in words that align (`stated`), if
# the words align (`agreed`), and otherwise (`update`). From `doubt` on `validate` warns, from `clash` on a
# contradiction is reported. Models that were fitted without the source of a pair are seldom wrong there.
LEAST = {"stated": 0.3, "agreed": 0.5, "doubt": 0.5, "clash": 0.62, "update": 0.75}
READ_LEAST = {"clash": 0.7, "update": 0.8}
_MADE_WEIGHT, _MOST_MADE = 0.25, 2_000
UNRELATED = "unrelated"  # the form of pairs of statements from different pairs
_SEED = 4


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
        return np.array([1.0 if pair.form == UNRELATED else _MADE_WEIGHT if pair.made else 1.0 for pair in self.pairs])

    def of(self, source: str) -> NDArray[np.bool_]:
        return np.array([pair.source == source for pair in self.pairs])

    def fit(self, used: NDArray[np.bool_]) -> BoostedTrees:
        return boosted(self.values[used], self.conflicts[used], self.weights[used])


def source_pairs(files: Sequence[str] = FILES) -> tuple[SourcePair, ...]:
    """The pairs that people wrote, then those made from them."""
    written = written_pairs(files)
    return (*written, *_made(written, random.Random(_SEED)), *_requirements())


def written_pairs(files: Sequence[str]) -> list[SourcePair]:
    """The pairs that people wrote."""
    return [
        SourcePair(row["old"], row["new"], row["relation"], row["language"], source, row["form"])
        for source in files
        for row in map(json.loads, (SETS / f"pairs_{source}.jsonl").read_text(encoding="utf-8").splitlines())
    ]


def pairs_to_read() -> tuple[SourcePair, ...]:
    """The pairs of all authors, some made from them, and unrelated statements."""
    written, chance = written_pairs((*FILES, *MORE_FILES)), random.Random(_SEED)
    made = list(_made(written, chance))
    chosen = chance.sample(made, min(len(made), _MOST_MADE))
    return (*written, *chosen, *_unrelated(written, chance), *_requirements())


def _unrelated(pairs: Sequence[SourcePair], chance: random.Random) -> Iterator[SourcePair]:
    """Newer statements beside an older one of another pair of the author; nearly all are about something else."""
    by_author: dict[tuple[str, str], list[SourcePair]] = {}
    for pair in pairs:
        by_author.setdefault((pair.source, pair.language), []).append(pair)
    for own in by_author.values():
        for pair in chance.sample(own, len(own) // 2):
            other = chance.choice(own)
            if other.old != pair.old and other.form != pair.form:
                yield replace(pair, old=other.old, relation="different", form=UNRELATED, made=True)


def _requirements() -> Iterator[SourcePair]:
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
        if not own.any():
            continue
        likely[own] = 1 / (1 + np.exp(-rows.fit(~own).log_odds(rows.values[own])))
    unsure = np.array([read(pair.new).unsure and not read(pair.old).unsure for pair in rows.pairs])
    likely[unsure] = 0.0  # a question or an opinion replaces nothing
    return likely


def with_reader(rows: Rows) -> Rows:
    """The pairs with the judgements of readers as further measures, of readers that had not seen the pair's author.

    Pairs of unrelated statements were in no reader's training, so the reader of the package judges them.
    """
    scores = left_out_scores()
    read: list[tuple[int, dict[str, float]]] = []
    for number, pair in enumerate(rows.pairs):
        known = scores.get(key(pair.new, pair.old))
        if known is not None or pair.form == UNRELATED:
            judged = read_relation(pair.new, pair.old) if known is None else known[:KEEP].tolist()
            read.append((number, reader_measures(judged, nearness(pair.new, pair.old))))
    chosen = [number for number, _ in read]
    more = np.array([list(measures.values()) for _, measures in read])
    names = (*rows.names, *read[0][1])
    return Rows(names, np.hstack([rows.values[chosen], more]), tuple(rows.pairs[number] for number in chosen))


def main(argv: Sequence[str] | None = None) -> None:
    """Prints the figures by source, and writes the model fitted on all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the model into the package")
    options = parser.parse_args(argv)
    for title, rows, file, least in (
        ("by words", measured(source_pairs()), WORDS, LEAST),
        ("pairs that are read", with_reader(measured(pairs_to_read())), READ, READ_LEAST),
    ):
        print(title)
        for line in _figures(rows, left_out(rows), least):
            print(f"  {line}", flush=True)
        if options.write:
            file.write_text(json.dumps(_fields(rows, least), separators=(",", ":")) + "\n", encoding="utf-8")


def _figures(rows: Rows, likely: NDArray[np.float64], least: Mapping[str, float]) -> Iterator[str]:
    for source in (*dict.fromkeys(pair.source for pair in rows.pairs), ""):
        chosen = [
            (pair, p)
            for pair, p in zip(rows.pairs, likely, strict=True)
            if not pair.made and (pair.source == source or not source)
        ]
        shares = []
        for relation in ("update", "different", "contradiction", "same"):
            own = [p for pair, p in chosen if pair.relation == relation]
            shares.append(f"{relation} {sum(p >= least['update'] for p in own)}/{len(own)}")
        unrelated = [p for pair, p in zip(rows.pairs, likely, strict=True) if _is_unrelated(pair, source)]
        shares.append(f"unrelated {sum(p >= least['update'] for p in unrelated)}/{len(unrelated)}")
        reported = [pair.relation in CONFLICTS for pair, p in chosen if p >= least["clash"]]
        shares.append(f"precision {sum(reported) / max(1, len(reported)):.3f}")
        yield f"without {source or 'each source in turn'}: {', '.join(shares)}"


def _is_unrelated(pair: SourcePair, source: str) -> bool:
    return pair.form == UNRELATED and (pair.source == source or not source)


def _fields(rows: Rows, least: Mapping[str, float]) -> Mapping[str, object]:
    model = rows.fit(np.ones(len(rows.pairs), bool))
    trees = [
        {
            "measures": measures.tolist(),
            "thresholds": [round(min(float(threshold), 99.0), 4) for threshold in thresholds],
            "leaves": [round(float(leaf), 5) for leaf in leaves],
        }
        for measures, thresholds, leaves in model.trees
    ]
    origin = f"bench/sets/updates and bench/sets/requirements.json: {', '.join(sorted({p.source for p in rows.pairs}))}"
    return {"origin": origin, "bias": round(model.bias, 5), "least": least, "names": rows.names, "trees": trees}


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
