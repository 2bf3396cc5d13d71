"""Collects what the reader is trained on: pairs of statements, and sentences with what stands around them.

python -m training.reader_rows --out training/work/reader.jsonl.xz

A row is one example of a task:
- `relation`: a newer statement `a`, an older one `b`, and how they relate (`label`).
- `keep`: a sentence `a` with what stands around it (`b`), and its label; `n` is nothing to keep.

`group` is what is left out together when figures are cross-validated: an author's pairs, a conversation. The test parts
of `bench/sets` are never read.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.conversation.extract import DATA
from bench.conversation.keep_fit import pages
from bench.pairs_fit import UNRELATED, pairs_to_read

from holdfast.conversation.extract.surroundings import surroundings
from training.pair_files import report, write_lines

Row = dict[str, Any]

_MADE = 1_500  # pairs of statements that were made from others


def relations() -> Iterator[Row]:
    """Pairs of statements that people wrote, and some of those made from them."""
    made = []
    for pair in pairs_to_read():
        row = {"task": "relation", "group": pair.source, "label": pair.relation, "a": pair.new, "b": pair.old}
        if not pair.made:
            yield row
        elif pair.form != UNRELATED:
            made.append(row)
    yield from random.Random(5).sample(made, min(len(made), _MADE))


def kept() -> Iterator[Row]:
    """Labelled sentences of real and written talk."""
    for page in pages(DATA):
        for n, (view, label) in enumerate(zip(page.views, page.labels, strict=True)):
            if label:
                around = surroundings(page.views, n)
                yield {"task": "keep", "group": page.chat.id, "label": label, "a": view.sentence.text, "b": around}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    rows = [*relations(), *kept()]
    out = parser.parse_args().out
    write_lines(out, [json.dumps(row, ensure_ascii=False) for row in rows])
    report(Counter(f"{row['task']} {row['label']}" for row in rows), out)


if __name__ == "__main__":
    main()
