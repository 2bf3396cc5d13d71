"""Fits the model that compares statements by words and by the reader.

`python -m bench.read_pairs_fit --neighbours FILE --write` writes it. It is fitted on the pairs of all authors, on real
statements that are near each other (`training/neighbours.py` writes the file), and on what readers say of pairs whose
author or source they had not seen. Prints figures by models that were fitted without the author. Takes some minutes.
"""

from __future__ import annotations

import argparse
import json
import lzma
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.boosting import BoostingSettings, boosted
from bench.pairs_fit import CONFLICTS, SETS, Rows, SourcePair, measured, requirement_pairs, tree_fields
from bench.reader_scores import key, left_out_scores
from holdfast.models.reader import KEEP, nearness, read_relation
from holdfast.trust.statements import compare
from holdfast.trust.statements.pair_model import READ, reader_measures
from holdfast.trust.statements.parsing import read
from holdfast.trust.statements.reading import agreement, are_short, mean_of

AUTHORS = ("dev", "train", "test", "more", "fresh", "written", "project", "personal", "near", "worlds", "plain")
# An author is left out with each third other one.
FOLDS = 3
NEIGHBOURS = "neighbours"
# Probabilities from which the older statement is retired: by itself (`update`; `long` for long statements), and if the
# words say so too (`agreed`); of short statements less is enough (`short`), and if they name the change still less
# (`stated`). From `clash` on a contradiction is reported, from `doubt` on if the words say so too.
# Chosen on left-out authors: of those who wrote no traps, about 2 % of the pairs about different things are retired.
# `long` was raised after sde-bench, where complementary rules of one design were taken for changes.
LEAST = {"doubt": 0.2, "stated": 0.12, "short": 0.24, "agreed": 0.55, "clash": 0.72, "update": 0.83, "long": 0.9}
_SETTINGS = BoostingSettings(trees=160, rows=0.3)


def source_pairs(neighbours: Path) -> list[SourcePair]:
    """The pairs of all authors, neighbours, which are about different things, and requirements."""
    found = [
        SourcePair(row["old"], row["new"], row["relation"], row["language"], _author(name, row), row["form"])
        for name in AUTHORS
        for row in map(json.loads, (SETS / f"pairs_{name}.jsonl").read_text(encoding="utf-8").splitlines())
    ]
    with lzma.open(neighbours, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            relation = row.get("label", "different")
            found.append(SourcePair(row["b"], row["a"], relation, "", NEIGHBOURS, row["group"], made=True))
    known = left_out_scores()
    return [*(pair for pair in found if key(pair.new, pair.old) in known), *requirement_pairs()]


def _author(name: str, row: dict[str, str]) -> str:
    return f"{name}{row['author']}" if "author" in row else name


def with_reader(rows: Rows) -> Rows:
    """The measures by words, and those of readers that had not seen the author of the pair.

    No reader is trained on requirements, so that of the package judges them.
    """
    found = [reader_measures(_judged(pair), nearness(pair.new, pair.old)) for pair in rows.pairs]
    more = np.array([list(measures.values()) for measures in found])
    return Rows((*rows.names, *found[0]), np.hstack([rows.values, more]), rows.pairs)


def _judged(pair: SourcePair) -> Sequence[float]:
    known = left_out_scores().get(key(pair.new, pair.old))
    return read_relation(pair.new, pair.old) if known is None else known[:KEEP].tolist()


def left_out(rows: Rows) -> NDArray[np.float64]:
    """The probability of a conflict of each pair, by a model that was fitted without its author."""
    authors = list(dict.fromkeys(pair.source for pair in rows.pairs))
    fold = np.array([authors.index(pair.source) % FOLDS for pair in rows.pairs])
    near = np.array([pair.source == NEIGHBOURS for pair in rows.pairs])
    fold[near] = np.random.default_rng(0).integers(0, FOLDS, near.sum())
    likely = np.zeros(len(fold))
    for number in range(FOLDS):
        own = fold == number
        model = boosted(rows.values[~own], rows.conflicts[~own], np.ones((~own).sum()), _SETTINGS)
        likely[own] = 1 / (1 + np.exp(-model.log_odds(rows.values[own])))
    return likely


def figures(rows: Rows, likely: NDArray[np.float64]) -> Iterator[str]:
    """What is retired, by words alone and by both, for each author."""
    found = [compare(pair.new, pair.old, reading=False) for pair in rows.pairs]
    words = np.array([verdict.kind == "update" for verdict in found])
    enough = np.array(
        [
            LEAST[agreement(read(pair.new), read(pair.old), verdict)]
            for pair, verdict in zip(rows.pairs, found, strict=True)
        ]
    )
    alone = np.array([LEAST["update" if are_short(read(p.new), read(p.old)) else "long"] for p in rows.pairs])
    odds = rows.values[:, rows.names.index("reader: conflict")]
    mean = np.array([mean_of(*pair) for pair in zip(likely.tolist(), odds.tolist(), strict=True)])
    both = (mean >= alone) | (words & (likely >= enough))
    reported = likely >= LEAST["clash"]
    relation = np.array([pair.relation for pair in rows.pairs])
    for source in dict.fromkeys(pair.source for pair in rows.pairs):
        own = rows.of(source)
        shares = [
            f"{name} {words[own & (relation == name)].mean():.3f} -> {both[own & (relation == name)].mean():.3f}"
            for name in ("update", "different")
            if (own & (relation == name)).any()
        ]
        right = np.isin(relation[own & reported], CONFLICTS)
        yield f"{source}: {', '.join(shares)}, precision of what is reported {right.mean() if len(right) else 0:.3f}"


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--neighbours", type=Path, required=True)
    parser.add_argument("--write", action="store_true", help="write the model into the package")
    options = parser.parse_args(argv)
    rows = with_reader(measured(source_pairs(options.neighbours)))
    for line in figures(rows, left_out(rows)):
        print(line, flush=True)
    if options.write:
        model = boosted(rows.values, rows.conflicts, np.ones(len(rows.pairs)), _SETTINGS)
        fields = {"origin": "bench/read_pairs_fit.py", "least": LEAST, "names": rows.names, **tree_fields(model)}
        READ.write_text(json.dumps(fields, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
