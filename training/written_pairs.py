"""Pairs that were written for training: facts as people state them, and questions that share few words with them.

python -m training.written_pairs --out written_pairs.jsonl.xz

`written/*.tsv`: a passage and its questions, in English and French, often in two languages. Neighbouring lines are
about neighbouring subjects, so they are the hard negatives. Files named `development-*` are not trained on: they are an
evaluation set for choosing settings.

`written/worlds/*.tsv` (see training/worlds.py): one pair for each question and passage that answers it; the hard
negatives are other passages of the same world. Every tenth world is not trained on, but an evaluation set too.

Both were written without knowledge of the other evaluation sets.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from training.dialogue_pairs import Pair
from training.pair_files import run, training_pair
from training.sources import Mirrors
from training.wording import content_words
from training.worlds import World, development, worlds

FOLDER = Path(__file__).parent / "written"
NEIGHBOURS = 3  # lines before and after
NEGATIVES = 6  # other passages of a world
WORLDS = "worlds"  # the source of pairs whose kind names a world


def pairs(_: Mirrors) -> Iterator[Pair]:
    """One pair for each question of a list, and for each answer to a question of a world."""
    for file in sorted(FOLDER.glob("train-*.tsv")):
        yield from list_pairs(rows_of(file))
    for world in worlds(FOLDER / "worlds"):
        if not development(world):
            yield from world_pairs(world)


def list_pairs(rows: list[list[str]]) -> Iterator[Pair]:
    """The pairs of a file of passages and questions; the lines around a passage are its negatives."""
    passages = [row[0] for row in rows]
    for number, (passage, *questions) in enumerate(rows):
        near = passages[max(0, number - NEIGHBOURS) : number] + passages[number + 1 : number + 1 + NEIGHBOURS]
        for turn, question in enumerate(questions):
            yield training_pair("written", "written", question, passage, tuple(near[turn:] + near[:turn]))


def world_pairs(world: World) -> Iterator[Pair]:
    """The pairs of a world; negatives that share most with the question, then with its answer, come first.

    A word counts the less, the more passages of the world it is in. A question without an answer gives no pair.
    """
    count = Counter(word for text in world.passages.values() for word in content_words(text))

    def shared(one: str, other: str) -> float:
        return sum(1 / count[word] for word in content_words(one) & content_words(other) if word in count)

    for question, names in world.questions:
        answers = [text for name, text in world.passages.items() if name in names]
        others = [text for text in dict.fromkeys(world.passages.values()) if text not in answers]
        for answer in dict.fromkeys(answers):
            near = sorted(others, key=lambda text: (shared(question, text), shared(answer, text)), reverse=True)
            yield training_pair(WORLDS, f"world: {world.name}", question, answer, tuple(near[:NEGATIVES]))


def rows_of(file: Path) -> list[list[str]]:
    """The lines of a file: a passage and its questions."""
    return [line.split("\t") for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]


if __name__ == "__main__":
    run(pairs)
