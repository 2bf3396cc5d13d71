"""Pairs that were written for training: facts as people state them, and questions that share few words with them.

python -m training.written_pairs --out written_pairs.jsonl.xz

`written/*.tsv`: a passage and its questions, in English and French, often in two languages. Written without knowledge
of the evaluation sets. Neighbouring lines are about neighbouring subjects, so they are the hard negatives. Files named
`development-*` are not trained on: they are an evaluation set for choosing settings.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from training.dialogue_pairs import Pair
from training.pair_files import run, training_pair
from training.sources import Mirrors

FOLDER = Path(__file__).parent / "written"
NEIGHBOURS = 3  # lines before and after


def pairs(_: Mirrors) -> Iterator[Pair]:
    """One pair for each question."""
    for file in sorted(FOLDER.glob("train-*.tsv")):
        rows = rows_of(file)
        passages = [row[0] for row in rows]
        for number, (passage, *questions) in enumerate(rows):
            near = passages[max(0, number - NEIGHBOURS) : number] + passages[number + 1 : number + 1 + NEIGHBOURS]
            for turn, question in enumerate(questions):
                yield training_pair("written", "written", question, passage, tuple(near[turn:] + near[:turn]))


def rows_of(file: Path) -> list[list[str]]:
    """The lines of a file: a passage and its questions."""
    return [line.split("\t") for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]


if __name__ == "__main__":
    run(pairs)
