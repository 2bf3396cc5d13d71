"""Writes the evaluation sets into one file: passages, and questions with the passages that answer them.

python -m training.evaluation_sets --data ../shared/data --unseen FILE --out training/work/evaluation.jsonl.xz

Beside the sets of `bench.evaluation_sets`, `written` and `worlds` are what was written for training and set aside; all
of it is development.
"""

from __future__ import annotations

import argparse
import json
import lzma
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from bench.evaluation_sets import Pool, new_pool, pools

from training import worlds
from training.written_pairs import FOLDER, rows_of


def written() -> Pool:
    """Written facts and paraphrased questions about them, in two languages."""
    rows = [row for file in sorted(FOLDER.glob("development-*.tsv")) for row in rows_of(file)]
    pool = new_pool("written", "development", [row[0] for row in rows])
    pool["questions"] = [[question, [number]] for number, row in enumerate(rows) for question in row[1:]]
    pool["first"] = 1  # among so few passages, only the first place tells models apart
    return pool


def written_worlds() -> Iterator[Pool]:
    """Written worlds, one pool each: a question such as "Who renews it?" is asked of one world."""
    for world in filter(worlds.development, worlds.worlds()):
        place = {name: number for number, name in enumerate(world.passages)}
        pool = new_pool("worlds", "development", list(world.passages.values()))
        pool["questions"] = [
            [question, sorted(place[name] for name in names)] for question, names in world.questions if names
        ]
        pool["first"] = 1
        yield pool


def _unseen(file: Path) -> Iterator[Pool]:
    """A conversation set of which nothing is trained on, for choosing settings: one pool per conversation."""
    with lzma.open(file, "rt", encoding="utf-8") as opened:
        rows = [json.loads(line) for line in opened]
    made = {row["id"]: row for row in rows if "turns" in row}
    for name, dialogue in made.items():
        turns = [f"{turn['speaker']}: {turn['text']}"[:2_000] for turn in dialogue["turns"]]
        pool = new_pool("unseen", "development", turns)
        pool["questions"] = [[row["question"], row["evidence"]] for row in rows if row.get("dialogue") == name]
        yield pool


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--unseen", type=Path, help="the file of that name by training.dialogue_pairs")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    options.out.parent.mkdir(parents=True, exist_ok=True)
    counts: dict[str, list[int]] = {}
    with lzma.open(options.out, "wt", preset=9, encoding="utf-8") as out:
        more = _unseen(options.unseen) if options.unseen else ()
        for pool in chain(pools(options.data), more, [written()], written_worlds()):
            out.write(json.dumps(pool, ensure_ascii=False) + "\n")
            count = counts.setdefault(f"{pool['set']} {pool['part']}", [0, 0])
            count[0] += len(pool["passages"])
            count[1] += len(pool["questions"])
    for name, (passages, questions) in counts.items():
        print(f"{name:24} {passages:7} passages {questions:6} questions")


if __name__ == "__main__":
    main()
