"""Puts together what the reader of answers is trained on: public questions, and pairs and worlds of ours.

python -m training.answer_rows --public answers.jsonl.xz --pairs training/work/pairs.jsonl.xz --out answer_rows.jsonl.xz

A row is a question (`q`), passages that answer it (`pos`, empty if none does) and passages that do not (`neg`).
`public` is false for our own: pairs of the embedding model that are questions with similar passages, and written
worlds, whose nearest other passages are the wrong ones. Worlds that are kept out of training stay out here too.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from holdfast.models.choice import bundled_embedder
from training.pair_files import report, write_lines
from training.reader import read_rows
from training.worlds import World, development, worlds

Row = dict[str, Any]

# The most questions of one source, and of one public set.
_MOST_OWN, _MOST_PUBLIC = 20_000, 9_000
_KINDS = ("asked", "written", "heading", "faq", "docstring")
_NEAR, _FAR = 9, 2
_RIGHT, _WRONG = 430, 340


def public(file: Path) -> Iterator[Row]:
    """The questions of public sets."""
    counts: Counter[str] = Counter()
    for row in read_rows(file):
        counts[row["set"]] += 1
        if row["neg"] and counts[row["set"]] <= _MOST_PUBLIC:
            yield _row(True, row["set"], row["q"], row["pos"], row["neg"])


def own_pairs(file: Path) -> Iterator[Row]:
    """The pairs of the embedding model that are questions and have similar passages."""
    counts: Counter[str] = Counter()
    for pair in read_rows(file):
        if pair["kind"] in _KINDS and pair["negatives"]:
            counts[pair["kind"]] += 1
            if counts[pair["kind"]] <= _MOST_OWN:
                yield _row(False, pair["kind"], pair["question"], [pair["passage"]], pair["negatives"])


def of_world(world: World, chance: random.Random) -> Iterator[Row]:
    """The questions of a world, with the nearest other passages and some more."""
    names = list(world.passages)
    embed = bundled_embedder("static").embed
    passages = np.asarray(embed([world.passages[name] for name in names]))
    asked = np.asarray(embed([question for question, _ in world.questions]))
    for (question, right), vector in zip(world.questions, asked, strict=True):
        others = [names[n] for n in np.argsort(-(passages @ vector)).tolist() if names[n] not in right]
        wrong = [*others[:_NEAR], *chance.sample(others[_NEAR:], _FAR)]
        texts = [world.passages[name] for name in sorted(right)], [world.passages[name] for name in wrong]
        yield _row(False, "worlds", question, *texts)


def _row(is_public: bool, group: str, question: str, right: list[str], wrong: list[str]) -> Row:
    texts = {"pos": [text[:_RIGHT] for text in right], "neg": [text[:_WRONG] for text in wrong]}
    return {"task": "answer", "public": is_public, "group": group, "q": question, **texts}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--public", type=Path, required=True, help="what training/answer_pairs.py wrote")
    parser.add_argument("--pairs", type=Path, required=True, help="the pairs of the embedding model")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    chance = random.Random(4)
    of_worlds = [row for world in worlds() if not development(world) for row in of_world(world, chance)]
    rows = [*public(options.public), *own_pairs(options.pairs), *of_worlds]
    write_lines(options.out, [json.dumps(row, ensure_ascii=False) for row in rows])
    report(Counter(row["group"] for row in rows), options.out)


if __name__ == "__main__":
    main()
