"""Collects what the reader is trained on: pairs of statements, and sentences with their context.

python -m training.reader_rows --neighbours training/work/neighbours.jsonl.xz --out training/work/reader.jsonl.xz

A row is one example of a task:
- `relation`: a newer statement `a`, an older one `b`, and how they relate (`label`).
- `relation` without a label: the teacher judges it for the reader.
- `keep`: a sentence `a` with its context (`b`), and its label; `n` is nothing to keep.

`group` is what is left out together when figures are cross-validated: an author's pairs, a conversation. The test parts
of `bench/sets` are never read.
"""

from __future__ import annotations

import argparse
import json
import lzma
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from bench.conversation.extract import DATA
from numpy.typing import NDArray

from holdfast.learn.keep.surroundings import surroundings
from holdfast.models.choice import bundled_embedder
from training.fit.keep_pages import WRITTEN, pages
from training.pair_files import report, write_lines

Row = dict[str, Any]

PAIRS = Path(__file__).parents[1] / "bench" / "sets" / "updates"
# The repositories that publish the labelled sessions with coding agents.
SESSIONS = (
    "FSM1/cipher-box",
    "JanDeDobbeleer/oh-my-posh",
    "EntityProcess/agentv",
    "chikachow/cyspbot",
    "entireio/skills",
    "daviswhitehead/chef-chopsky",
    "BenjaminScholtens/Afterburn",
    "destyler/destyler",
    "ChrisGVE/MunsellSpace",
    "0-auth/zero-auth",
)
# How the ids of written sessions with coding agents begin.
WITH_AGENTS = "chat agents "
AUTHORS = "dev train test more fresh written project personal near worlds plain follow passing".split()


def relations() -> Iterator[Row]:
    """Pairs of statements by all authors; those of the test part are left out."""
    for author in AUTHORS:
        for line in (PAIRS / f"pairs_{author}.jsonl").read_text(encoding="utf-8").splitlines():
            pair = json.loads(line)
            group = f"{author}{pair.get('author', '')}"
            yield {"task": "relation", "group": group, "label": pair["relation"], "a": pair["new"], "b": pair["old"]}


def neighbours(file: Path) -> Iterator[Row]:
    """Real statements that are near each other and about different things."""
    with lzma.open(file, "rt", encoding="utf-8") as lines:
        for pair in map(json.loads, lines):
            yield {"task": "relation", "label": "different", **pair}


def unlabelled() -> Iterator[Row]:
    """Newer statements beside the nearest older statement of another pair of their author."""
    authors: defaultdict[str, list[Row]] = defaultdict(list)
    for row in relations():
        authors[row["group"]].append(row)
    for rows in authors.values():
        old = list(dict.fromkeys(row["b"] for row in rows))
        cosines = _vectors([row["a"] for row in rows]) @ _vectors(old).T
        for row, near in zip(rows, np.argsort(-cosines)[:, :2].tolist(), strict=True):
            other = next(old[n] for n in near if old[n] != row["b"])
            yield {**row, "label": "", "b": other}


def _vectors(texts: Sequence[str]) -> NDArray[np.float32]:
    return np.asarray(bundled_embedder("static").embed(texts))


def kept(clones: Sequence[Path]) -> Iterator[Row]:
    """Labelled sentences of real and written talk; `clones` publish labelled sessions with coding agents."""
    for page in pages(DATA, clones, (*WRITTEN, "agents ")):
        group, with_agent = page.chat.id, page.part == "published" or page.chat.id.startswith(WITH_AGENTS)
        for n, (view, label) in enumerate(zip(page.views, page.labels, strict=True)):
            if label:
                texts = {"a": view.sentence.text, "b": surroundings(page.views, n)}
                yield {"task": "keep", "group": group, "label": label, "with_agent": with_agent, **texts}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--neighbours", type=Path, required=True, help="what training/neighbours.py wrote")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--clones", type=Path, nargs="*", default=[], help="clones that publish labelled sessions")
    options = parser.parse_args()
    rows = [*relations(), *neighbours(options.neighbours), *unlabelled(), *kept(options.clones)]
    out = options.out
    write_lines(out, [json.dumps(row, ensure_ascii=False) for row in rows])
    report(Counter(f"{row['task']} {row['label']}" for row in rows), out)


if __name__ == "__main__":
    main()
