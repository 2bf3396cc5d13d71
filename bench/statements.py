"""Measures the comparison of statements: pairs from real chats, described scenes, and requirements.

The errors matter most: a fact that is mistaken for a duplicate is lost, and a fact that is wrongly replaced is no
longer believed.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from bench.recall.tables import Share
from bench.statements_pairs import DATA, Pair, by_rule, drawn
from holdfast.bench.measure import Measurement
from holdfast.bench.reports import Section, aligned
from holdfast.documents.validate import energy
from holdfast.statements import compare

REQUIREMENTS = Path(__file__).parent / "sets" / "requirements.json"
SCENES = "contradiction/snli_half.jsonl.gz"
UPDATES, WRONG, DUPLICATES, PRECISION, RECALL = 0.60, 0.02, 0.95, 0.85, 0.70
_AGAINST = ("update", "clash")
Counts = Counter[tuple[str, str]]


def facts(data: Path = DATA) -> tuple[Section, ...]:
    """Measures updates and duplicates; returns nothing if the data is missing."""
    chats = (updates(data), updates_by_rule(data)) if (data / "longmemeval" / "sessions.jsonl.gz").is_file() else ()
    return (*chats, *_scenes(data))


def contradictions(data: Path = DATA) -> tuple[Section, ...]:
    """Measures contradictions between requirements and, if the data exists, between scenes."""
    return (requirements(), *_scenes(data))


def _scenes(data: Path) -> tuple[Section, ...]:
    return (scenes(data / SCENES),) if (data / SCENES).is_file() else ()


def updates(data: Path = DATA) -> Section:
    """The listed pairs."""
    pairs = drawn(data)
    return _updates(f"Personal statements, {len(pairs)} hand-labelled pairs", pairs, floors=True)


def updates_by_rule(data: Path = DATA) -> Section:
    """Pairs selected by rule."""
    pairs = by_rule(data)
    return _updates(f"The same, {len(pairs)} pairs selected by rule", pairs, floors=False)


def scenes(file: Path) -> Section:
    """Sentences about pictures: not the purpose of the comparison, but `same` must be correct there too."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    counts: Counts = Counter((row["label"], compare(row["hypothesis"], row["premise"]).kind) for row in rows)
    same = _column(counts, ("same",))
    against = _column(counts, _AGAINST)
    figures = {
        "duplicate precision": (counts["entailment", "same"], same),
        "contradiction precision": (sum(counts["contradiction", kind] for kind in _AGAINST), against),
        "contradiction recall": (
            sum(counts["contradiction", kind] for kind in _AGAINST),
            sum(count for (label, _), count in counts.items() if label == "contradiction"),
        ),
    }
    return _section(f"Paraphrased scenes, {len(rows)} pairs", {"words": figures}, {"duplicate precision": DUPLICATES})


def requirements() -> Section:
    """Pairs of requirements, half of them near misses: those used to write the rules (tune) and others (held)."""
    rows = json.loads(REQUIREMENTS.read_text(encoding="utf-8"))
    recipes: Mapping[str, Callable[[str, str], bool]] = {
        "default": lambda a, b: compare(b, a, doubtful=True).kind in _AGAINST,
        "energy ≥ 0.3": lambda a, b: energy(a, b) >= 0.3,
        "energy ≥ 0.7": lambda a, b: energy(a, b) >= 0.7,
    }
    figures = {
        f"{name}, {split}": _precision_recall((row["contradicts"], flags(row["a"], row["b"])) for row in held)
        for split in ("held", "tune")
        for held in [[row for row in rows if row["split"] == split]]
        for name, flags in recipes.items()
    }
    floors = {"precision": PRECISION, "recall": RECALL}
    return _section(f"Requirements that contradict, {len(rows)} pairs", figures, floors, first="default, held")


def interval(right: int, of: int) -> tuple[float, float]:
    """The 95 % confidence interval of a share (Wilson)."""
    if not of:
        return 0.0, 1.0
    z, share = 1.96, right / of
    middle = (share + z * z / (2 * of)) / (1 + z * z / of)
    reach = z * math.sqrt(share * (1 - share) / of + z * z / (4 * of * of)) / (1 + z * z / of)
    return max(0.0, middle - reach), min(1.0, middle + reach)


def _updates(title: str, pairs: Sequence[Pair], floors: bool) -> Section:
    figures = {
        name: _retirements(Counter((p.kind, compare(p.new, p.old, reading=reading).kind) for p in pairs))
        for name, reading in (("words", False), ("read", True))
    }
    wanted = {"updates recognised": UPDATES, "duplicate precision": DUPLICATES, "wrong replacements": WRONG}
    return _section(title, figures, wanted if floors else {}, first="read")


def _retirements(counts: Counts) -> dict[str, tuple[int, int]]:
    others = ("same", "apart")
    same = _column(counts, ("same",))
    return {
        "updates recognised": (
            counts["update", "update"],
            sum(n for (kind, _), n in counts.items() if kind == "update"),
        ),
        "wrong replacements": (
            sum(counts[kind, "update"] for kind in others),
            sum(n for (kind, _), n in counts.items() if kind in others),
        ),
        "duplicate precision": (counts["same", "same"], same),
    }


def _precision_recall(verdicts: Iterable[tuple[bool, bool]]) -> dict[str, tuple[int, int]]:
    counts = Counter(verdicts)
    right = counts[True, True]
    return {"precision": (right, right + counts[False, True]), "recall": (right, right + counts[True, False])}


def _section(
    title: str, figures: Mapping[str, Mapping[str, tuple[int, int]]], floors: Mapping[str, float], first: str = ""
) -> Section:
    """Lists each figure with its interval and its target; targets apply to the row `first`, or to all rows."""
    lines, rows = [("", "figure", "share", "95 %", "of", "target")], list[Measurement]()
    for name, shares in figures.items():
        for figure, (right, of) in shares.items():
            floor = floors.get(figure) if first in ("", name) else None
            low, high = interval(right, of)
            less = figure == "wrong replacements"
            target = "" if floor is None else f"{'≤' if less else '≥'} {floor:.2f}"
            share = right / of if of else float("nan")
            lines.append((name, figure, f"{share:.3f}", f"{low:.2f}–{high:.2f}", f"{right}/{of}", target))
            kind = Measurement if less else Share
            if of:
                rows.append(kind(f"{figure}, {name}", share, None, "share", floor))
    return Section(title, tuple(rows), cells=tuple(lines))


def _column(counts: Counts, kinds: Sequence[str]) -> int:
    return sum(count for (_, kind), count in counts.items() if kind in kinds)


def main(argv: Sequence[str] | None = None) -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the data sets")
    data = parser.parse_args(argv).data
    for section in (*facts(data), requirements()):
        print(f"{section.title}\n{aligned(section.cells)}\n")


if __name__ == "__main__":
    main()
