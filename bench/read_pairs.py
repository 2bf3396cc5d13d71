"""Prints how statements are compared by reading, for authors whose pairs the reader was not trained on.

`python -m bench.read_pairs`. For each author: changes of mind that are applied, and pairs about different things of
which the older statement is retired, by words alone and with the reader. The thresholds of
`holdfast.statements.pair_reading` were chosen on these figures. The reader here has six layers; the one in use has
twelve and is better (`training/README.md`).
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from bench.reader_scores import key, left_out_scores
from bench.tables import aligned
from holdfast.models.reader import KEEP
from holdfast.statements import compare
from holdfast.statements.pair_reading import judge, may_be_read
from holdfast.statements.parsing import read

SETS = Path(__file__).parent / "sets" / "updates"
AUTHORS = ("test", "more", "fresh", "written", "project", "personal", "near", "worlds", "plain", "follow")

Pair = Mapping[str, str]


def by_author() -> dict[str, list[Pair]]:
    """The pairs of each author that a reader judged without having seen them."""
    found: defaultdict[str, list[Pair]] = defaultdict(list)
    for name in AUTHORS:
        for line in (SETS / f"pairs_{name}.jsonl").read_text(encoding="utf-8").splitlines():
            pair = json.loads(line)
            if key(pair["new"], pair["old"]) in left_out_scores():
                found[f"{name}{pair.get('author', '')}"].append(pair)
    return dict(found)


def judged(pair: Pair) -> tuple[str, str]:
    """What is said of a pair by words, and with a reader that has not seen its author."""
    new, old = read(pair["new"]), read(pair["old"])
    by_words = compare(pair["new"], pair["old"], reading=False)
    scores = left_out_scores().get(key(pair["new"], pair["old"]))
    if scores is None or by_words.kind == "same" or not may_be_read(new, old):
        return by_words.kind, by_words.kind
    return by_words.kind, judge(new, old, by_words, [float(score) for score in scores[:KEEP]]).kind


def rows(authors: Mapping[str, Sequence[Pair]]) -> Iterator[tuple[str, ...]]:
    yield "author", "pairs", "applied, words", "applied", "retired, words", "retired"
    for author, pairs in authors.items():
        kinds = [(pair["relation"], *judged(pair)) for pair in pairs]
        yield (
            author,
            str(len(pairs)),
            *(
                _share([row[column] for row in kinds if row[0] == relation])
                for relation in ("update", "different")
                for column in (1, 2)
            ),
        )


def _share(kinds: Sequence[str]) -> str:
    return f"{kinds.count('update') / max(1, len(kinds)):.3f}"


if __name__ == "__main__":
    print(aligned(list(rows(by_author()))))
