"""Fits the model that compares aligned statements: `python -m bench.structure_fit --write` writes it into the package.

The measures of `holdfast.statements.structure` are weighed by logistic regression on the development pairs of
`bench/sets/updates` and on the requirements that were used to write the rules. Each form of expression is left out
in turn, so that the printed figures are for forms that nothing was fitted to. `--ablation` leaves out one measure at a
time.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bench.regression import regression
from holdfast.statements.pair_features import weigh
from holdfast.statements.parsing import read
from holdfast.statements.structure import structure

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SETS = Path(__file__).parent / "sets"
UPDATES = (SETS / "updates" / "pairs_dev.jsonl", SETS / "updates" / "pairs_train.jsonl")
REQUIREMENTS = SETS / "requirements.json"
FILE = Path(__file__).parents[1] / "src" / "holdfast" / "trust" / "statements" / "data" / "structure.json"
CONFLICTS = ("update", "contradiction")
MEASURES = (
    *(
        "value",
        "choice",
        "name",
        "word",
        "nothing",
        "stated",
        "mark",
        "mark_word",
        "reversed",
        "reversed_too",
        "scope",
        "contrast",
    ),
    *(
        "subject",
        "case",
        "case_old",
        "extra",
        "mixed",
        "verb",
        "alone_new",
        "alone_old",
        "alone_both",
        "shared",
        "mass",
        "exact",
    ),
    *("adds", "condition", "default"),
)
# From the first threshold on `validate` warns, from the second on a contradiction is reported, from the third on the
# older statement is retired.
LEAST = {"doubt": 0.4, "clash": 0.5, "update": 0.7}
_SHRINK = 0.2
_ORIGIN = "bench/sets/updates/pairs_dev.jsonl, pairs_train.jsonl and the part `tune` of bench/sets/requirements.json"


@dataclass(frozen=True, slots=True)
class LabelledPair:
    """The relation of two statements, the group that is left out together, and their measures if they may conflict."""

    relation: str
    group: str
    measures: Mapping[str, float] | None

    @property
    def conflicts(self) -> bool:
        return self.relation in CONFLICTS


def pairs() -> tuple[LabelledPair, ...]:
    """The pairs to fit on. Requirements are left out in twelve groups, because they have no forms."""
    rows = [json.loads(line) for file in UPDATES for line in file.read_text(encoding="utf-8").splitlines()]
    found = [_pair(row["relation"], row["form"], row["old"], row["new"]) for row in rows]
    tuned = [row for row in json.loads(REQUIREMENTS.read_text(encoding="utf-8")) if row["split"] == "tune"]
    for number, row in enumerate(tuned):
        relation = "contradiction" if row["contradicts"] else "different"
        found.append(_pair(relation, f"requirement {number % 12}", row["a"], row["b"]))
    return tuple(found)


def fitted(labelled: Iterable[LabelledPair], names: Sequence[str] = MEASURES) -> dict[str, float]:
    """Fits the weight of each measure, on the pairs that may conflict."""
    import numpy as np

    used = [pair for pair in labelled if pair.measures is not None]
    rows: NDArray[np.float64] = np.array([[1.0, *((pair.measures or {}).get(n, 0.0) for n in names)] for pair in used])
    weights = regression(rows, np.array([float(pair.conflicts) for pair in used]), _SHRINK)
    return {name: round(float(weight), 3) for name, weight in zip(["bias", *names], weights, strict=True)}


def left_out(labelled: Sequence[LabelledPair], names: Sequence[str] = MEASURES) -> list[float]:
    """The probability of a conflict for each pair, by a model that was fitted without its form."""
    groups = sorted({pair.group for pair in labelled})
    models = {group: fitted([pair for pair in labelled if pair.group != group], names) for group in groups}
    return [0.0 if pair.measures is None else weigh(pair.measures, models[pair.group]) for pair in labelled]


def main(argv: Sequence[str] | None = None) -> None:
    """Prints the weights and the figures on forms that were left out."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the weights into the package")
    parser.add_argument("--ablation", action="store_true", help="leave out one measure at a time")
    options = parser.parse_args(argv)
    labelled = pairs()
    print(f"all measures: {_figures(labelled, MEASURES)}")
    for name in MEASURES if options.ablation else ():
        print(f"without {name}: {_figures(labelled, [other for other in MEASURES if other != name])}")
    content = {"origin": _ORIGIN, "weights": fitted(labelled), "least": LEAST}
    if options.write:
        FILE.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(content, indent=1))


def _figures(labelled: Sequence[LabelledPair], names: Sequence[str]) -> str:
    likely = left_out(labelled, names)
    shares = {}
    for relation in ("update", "contradiction", "different", "same"):
        of = [p for pair, p in zip(labelled, likely, strict=True) if pair.relation == relation]
        shares[relation] = f"{sum(p >= LEAST['update'] for p in of)}/{len(of)}"
    return ", ".join(f"{relation} {share}" for relation, share in shares.items())


def _pair(relation: str, group: str, old: str, new: str) -> LabelledPair:
    found = structure(read(new), read(old))
    return LabelledPair(relation, group, None if found is None else found.measures)


if __name__ == "__main__":
    main()
