"""Collects what the reader is trained on: pairs of statements, and sentences with their context.

python -m training.reader_rows --out training/work/reader.jsonl.xz

A row is one example of a task:
- `relation`: a newer statement `a`, an older one `b`, and how they relate (`label`).
- `keep`: a sentence `a` with its context (`b`), and its label; `n` is nothing to keep.

`group` is what is left out together when figures are cross-validated: an author's pairs, a conversation. The test parts
of `bench/sets` are never read.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.conversation.extract import DATA
from bench.conversation.keep_fit import pages

from holdfast.conversation.extract.surroundings import surroundings
from training.pair_files import report, write_lines

Row = dict[str, Any]

PAIRS = Path(__file__).parents[1] / "bench" / "sets" / "updates"
AUTHORS = ("dev", "train", "test", "more", "fresh", "written", "project", "personal", "near")


def relations() -> Iterator[Row]:
    """Pairs of statements by all authors; those of the test part are left out."""
    for author in AUTHORS:
        for line in (PAIRS / f"pairs_{author}.jsonl").read_text(encoding="utf-8").splitlines():
            pair = json.loads(line)
            yield {"task": "relation", "group": author, "label": pair["relation"], "a": pair["new"], "b": pair["old"]}


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
