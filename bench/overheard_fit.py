"""Fits how likely a statement of a conversation changes an older one: `python -m bench.overheard_fit --write`.

Fitted on pairs that consolidation found near each other in real conversations (`bench/sets/updates/overheard.jsonl`:
labels and measures, no texts), which are about different things nearly always, and on written pairs that the readers
were not trained on. Prints what each threshold applies and retires wrongly.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.regression import regression
from bench.tables import aligned
from holdfast.models.overheard import LEAST_READ, WEIGHTS, PairMeasures, measures
from holdfast.models.reader import read_change
from holdfast.statements import compare

SETS = Path(__file__).parent / "sets" / "updates"
WRITTEN = ("unseen", "worlds_unseen")
NAMES = ("bias", "first", "second", "near", "length")
_CONFLICTS = ("update", "contradiction")
_SHRINK = 0.01
# A pair of a real conversation about different things counts as often as this many written pairs: there are many more.
_REAL = 3
_THRESHOLDS = (-2.0, -1.5, -1.0, -0.5, 0.0, 0.5)


@dataclass(frozen=True, slots=True)
class MeasuredPair:
    """A labelled pair; `source` is the data set of a real one and empty for a written one."""

    source: str
    relation: str
    measures: PairMeasures


def real_pairs() -> Iterator[MeasuredPair]:
    """The labelled pairs of real conversations."""
    for row in _rows("overheard"):
        found = PairMeasures(row["first"], row["second"], row["near"], row["words"])
        yield MeasuredPair(row["source"], row["relation"], found)


def written_pairs() -> Iterator[MeasuredPair]:
    """The written pairs that no reader was trained on."""
    for row in (row for name in WRITTEN for row in _rows(f"pairs_{name}")):
        if compare(row["new"], row["old"], reading=False).kind != "same":
            first = read_change(row["new"], row["old"])
            yield MeasuredPair("", row["relation"], measures(row["new"], row["old"], first))


def fitted(pairs: Sequence[MeasuredPair]) -> dict[str, float]:
    """The weights. Pairs that say the same, and those the first reader takes for no change, are left out."""
    used = [pair for pair in pairs if pair.measures.first >= LEAST_READ and pair.relation != "same"]
    rows = np.array([_row(pair.measures) for pair in used for _ in range(_weight(pair))])
    labels = np.array([float(pair.relation in _CONFLICTS) for pair in used for _ in range(_weight(pair))])
    return dict(zip(NAMES, (round(float(weight), 3) for weight in regression(rows, labels, _SHRINK)), strict=True))


def _weight(pair: MeasuredPair) -> int:
    return _REAL if pair.source and pair.relation == "different" else 1


def _row(found: PairMeasures) -> NDArray[np.float64]:
    units = ({name: float(name == one) for name in NAMES} for one in NAMES)
    return np.array([found.weighed(unit) for unit in units])


def table(pairs: Sequence[MeasuredPair], weights: Mapping[str, float]) -> Iterator[tuple[str, ...]]:
    """For each threshold the share of written changes applied, and the pairs about different things that it retires."""
    sources = sorted({pair.source for pair in pairs} - {""})
    yield ("from", "written, applied", "written, retired", *(f"{source}, retired" for source in sources))
    for least in _THRESHOLDS:
        found = [(pair, _reaches(pair, weights, least)) for pair in pairs]
        shares = [
            np.mean([reached for pair, reached in found if not pair.source and pair.relation == relation])
            for relation in ("update", "different")
        ]
        wrong = [sum(hit for pair, hit in found if pair.source == s and pair.relation == "different") for s in sources]
        yield (f"{least:.1f}", *(f"{share:.3f}" for share in shares), *map(str, wrong))


def _reaches(pair: MeasuredPair, weights: Mapping[str, float], least: float) -> bool:
    return pair.measures.first >= LEAST_READ and pair.measures.weighed(weights) >= least


def _rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (SETS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the weights into the package")
    pairs = [*real_pairs(), *written_pairs()]
    weights = fitted(pairs)
    print(weights, aligned(list(table(pairs, weights))), sep="\n")
    if parser.parse_args().write:
        WEIGHTS.write_text(json.dumps(weights, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
