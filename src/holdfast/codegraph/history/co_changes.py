"""Counts how often files change in the same commits."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from heapq import nlargest
from typing import NamedTuple

from holdfast.codegraph.history.commits import ChangedFiles
from holdfast.core.code import CoChangedFiles

# A commit that changes more files renames, formats or moves them, and says little about what belongs together.
_LARGE = 30
# The weight of a commit is halved every two years, and shared by the files beside a file: of a commit with five
# files each pair gets half. `holdfast bench codegraph --companions` measured it.
_HALF_LIFE_DAYS = 730
_SHARED = 0.5
_MOST_PARTNERS = 40


class CoChangeTable(NamedTuple):
    """The number and weight of the commits of each file, and the files that changed together."""

    files: dict[str, tuple[int, float]]
    pairs: list[CoChangedFiles]


def count_co_changes(commits: Iterable[ChangedFiles], present: Collection[str]) -> CoChangeTable:
    """Counts the commits of each pair of present files. Keeps the closest partners of each file."""
    totals: dict[str, list[float]] = defaultdict(lambda: [0, 0.0])
    together: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(lambda: [0, 0.0]))
    newest = 0
    for commit in commits:
        newest = newest or commit.time
        files = [path for path in commit.files if path in present]
        if not files or commit.size > _LARGE:
            continue
        recency = 0.5 ** ((newest - commit.time) / 86_400 / _HALF_LIFE_DAYS)
        share = recency / max(1, len(files) - 1) ** _SHARED
        for path in files:
            _add(totals[path], recency)
            for other in files:
                if other != path:
                    _add(together[path][other], share)
    files_total = {path: (int(count), weight) for path, (count, weight) in totals.items()}
    return CoChangeTable(files_total, [pair for path, others in together.items() for pair in _closest(path, others)])


def _closest(path: str, others: dict[str, list[float]]) -> list[CoChangedFiles]:
    best = nlargest(_MOST_PARTNERS, others.items(), key=lambda item: (item[1][1], item[0]))
    return [CoChangedFiles(path, other, int(count), weight) for other, (count, weight) in best]


def _add(sum: list[float], weight: float) -> None:
    sum[0] += 1
    sum[1] += weight
