"""The command line that the makers of pairs share: read clones, keep evaluation sets out, write, count."""

from __future__ import annotations

import argparse
import json
import lzma
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from training.dialogue_pairs import Pair
from training.held_out import HeldOut
from training.sources import Mirrors, default_mirrors


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--mirrors", default=default_mirrors(), help="the folder of clones (or MIRRORS)")
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--held-out", type=Path, nargs="*", default=[], help="evaluation sets (.jsonl.gz) to keep out")
    return parser.parse_args()


def training_pair(source: str, kind: str, question: str, passage: str, negatives: tuple[str, ...] = ()) -> Pair:
    return Pair(source, kind, question, passage, negatives, "train")


def run(pairs: Callable[[Mirrors], Iterable[Pair]], *, known_negatives: bool = False) -> None:
    """Writes all pairs and prints how many there are of each source and kind."""
    given = arguments()
    held_out = HeldOut(given.held_out)
    found = list(pairs(Mirrors(Path(given.mirrors))))
    kept = [pair for pair in found if not held_out.holds(pair.passage)]
    if known_negatives:
        kept = with_known_negatives(kept)
    write_lines(given.out, [json.dumps(asdict(pair), ensure_ascii=False) for pair in kept])
    report(Counter(f"{pair.source} {pair.kind}" for pair in kept), given.out)
    print(f"{len(found) - len(kept):8,}  left out: in an evaluation set")


def with_known_negatives(pairs: list[Pair]) -> list[Pair]:
    """Only negatives that are passages of other pairs: the file stays small, and a negative is no stranger's text."""
    passages = {pair.passage for pair in pairs}
    return [replace(pair, negatives=tuple(text for text in pair.negatives if text in passages)) for pair in pairs]


def read_rows(file: Path) -> list[Any]:
    """Reads what `write_lines` wrote."""
    with lzma.open(file, "rt", encoding="utf-8") as opened:
        return [json.loads(line) for line in opened]


def write_lines(out: Path, lines: list[str]) -> None:
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_bytes(lzma.compress("".join(line + "\n" for line in lines).encode(), preset=9))


def report(counts: Counter[str], out: Path) -> None:
    for name, count in sorted(counts.items()):
        print(f"{count:8,}  {name}")
    print(f"{counts.total():8,}  in all, {out.stat().st_size / 1e6:.1f} MB")
