"""Collects questions from public sets, with passages that answer and passages that do not, for the reader.

python -m training.answer_pairs --mirrors DIR --out training/work/answers.jsonl.xz

A row is {"set": …, "q": question, "pos": passages that answer, "neg": passages that do not, "lang": "en" or "fr"};
`pos` is empty if a question has no answer. Large sets with questions of one form are limited, so that they do not
outweigh the others; a fixed seed draws. Sets share passages (those made from SQuAD): split rows by passage, not by
question.

The number of questions of each set is written to `answers.json` in the same folder.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from training.answer_reading import Question, distinct
from training.answer_sets import SETS, AnswerSet
from training.held_out import HeldOut
from training.pair_files import arguments, report, write_lines
from training.sources import Mirrors

SEED = 3


def collected(mirrors: Mirrors, sets: Iterable[AnswerSet] = SETS) -> Iterator[tuple[str, Question]]:
    """The questions of all sets, each with the name of its set."""
    for each in sets:
        found = list(distinct(each.questions(mirrors)))
        if each.most is not None and len(found) > each.most:
            found = random.Random(SEED).sample(found, each.most)
        yield from ((each.name, question) for question in found)


def row(name: str, question: Question) -> dict[str, Any]:
    return {
        "set": name,
        "q": question.text,
        "pos": question.right,
        "neg": question.wrong,
        "lang": question.language,
    }


def main() -> None:
    given = arguments()
    held_out = HeldOut(given.held_out)
    found = list(collected(Mirrors(Path(given.mirrors))))
    kept = [(name, question) for name, question in found if not any(map(held_out.holds, question.right))]
    write_lines(given.out, [json.dumps(row(name, question), ensure_ascii=False) for name, question in kept])
    counts = Counter(name for name, _ in kept)
    given.out.with_name("answers.json").write_text(
        json.dumps(dict(sorted(counts.items())), indent=1) + "\n", encoding="utf-8"
    )
    report(counts, given.out)
    print(f"{len(found) - len(kept):8,}  left out: in an evaluation set")


if __name__ == "__main__":
    main()
