"""Collects pairs of sentences from public sets of inference and paraphrases: the reader learns these first.

python -m training.inference_pairs --mirrors DIR --out training/work/inference.jsonl.xz

A row is {"task": "relation", "group": "inference", "label": …, "a": hypothesis, "b": premise}. Equal pairs of a set are
taken once, pairs with two labels are left out. Large sets that are narrow or made by rule are limited, so that they do
not outweigh the others. Sets may share pairs. A fixed seed draws and shuffles.

The number of pairs of each set is written to `inference.json` in the same folder.
"""

from __future__ import annotations

import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path

from training.held_out import HeldOut
from training.inference_sets import SETS, Inference, PairSet
from training.pair_files import arguments, report, write_lines
from training.sources import Mirrors

SEED = 3
# Longer texts are left out: the reader reads short statements.
LONGEST_PREMISE, LONGEST_HYPOTHESIS = 500, 400
_SAME = ("entailment", "paraphrase")


def collected(mirrors: Mirrors, sets: Iterable[PairSet] = SETS) -> list[tuple[str, Inference]]:
    """The pairs of all sets, shuffled, each with the name of its set."""
    draw = random.Random(SEED)
    found = [(each.name, pair) for each in sets for pair in drawn(each, mirrors, draw) if _short(pair)]
    draw.shuffle(found)
    return found


def drawn(chosen: PairSet, mirrors: Mirrors, draw: random.Random) -> list[Inference]:
    """The pairs of a set, as many as it may give."""
    found = unambiguous(pair for part in chosen.parts for pair in part.pairs(mirrors, draw))
    draw.shuffle(found)
    return found[: chosen.most]


def unambiguous(pairs: Iterable[Inference]) -> list[Inference]:
    """Each pair of two texts once, without those that have two labels, or say the same and are labelled otherwise."""
    labels: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for pair in pairs:
        premise, hypothesis = (" ".join(text.split()) for text in (pair.premise, pair.hypothesis))
        if premise and hypothesis and (pair.label in _SAME or premise.lower() != hypothesis.lower()):
            labels[premise, hypothesis].add(pair.label)
    return [Inference(*texts, *found) for texts, found in labels.items() if len(found) == 1]


def row(pair: Inference) -> dict[str, str]:
    """A row as training/reader.py reads it: the hypothesis is the newer statement."""
    return {"task": "relation", "group": "inference", "label": pair.label, "a": pair.hypothesis, "b": pair.premise}


def _short(pair: Inference) -> bool:
    return len(pair.premise) <= LONGEST_PREMISE and len(pair.hypothesis) <= LONGEST_HYPOTHESIS


def main() -> None:
    given = arguments()
    held_out = HeldOut(given.held_out)
    found = collected(Mirrors(Path(given.mirrors)))
    kept = [(name, p) for name, p in found if not (held_out.holds(p.premise) or held_out.holds(p.hypothesis))]
    write_lines(given.out, [json.dumps(row(pair), ensure_ascii=False) for _, pair in kept])
    counts = dict(Counter(name for name, _ in sorted(kept, key=lambda each: each[0])))
    given.out.with_name("inference.json").write_text(json.dumps(counts, indent=1) + "\n", encoding="utf-8")
    report(Counter(f"{name} {pair.label}" for name, pair in kept), given.out)
    print(f"{len(found) - len(kept):8,}  left out: in an evaluation set")


if __name__ == "__main__":
    main()
