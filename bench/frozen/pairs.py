"""The verdicts about the pairs of the sets of updates: by words, with the reader, and as overheard.

Sealed sets are left out. Of the other parts put aside, only the numbers of the pairs are recorded, not their texts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from bench.conversation.updates import SETS, read
from bench.recall.pool import spread
from holdfast.statements import compare

_PAIRS = 1_000  # of each set, evenly spread
_WAYS = {"words": {"reading": False}, "reader": {}, "overheard": {"overheard": True}}


def values(data: Path) -> Mapping[str, Sequence[str]]:
    """One line for each pair and way, named by set and way."""
    names = sorted(file.stem for file in SETS.glob("pairs_*.jsonl") if "sealed" not in file.stem)
    sets = {name: spread(list(enumerate(read(name))), _PAIRS) for name in names}
    return {
        f"{name} {way}": [_line(number, pair, name, arguments) for number, pair in pairs]
        for name, pairs in sets.items()
        for way, arguments in _WAYS.items()
    }


def _line(number: int, pair: Mapping[str, str], name: str, arguments: Mapping[str, bool]) -> str:
    kind = compare(pair["new"], pair["old"], **arguments).kind
    return f"{number} {kind}" + ("" if "unseen" in name else f" | {pair['old']} | {pair['new']}")
