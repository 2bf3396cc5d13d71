"""Predicts which other files a change will touch: those that changed together before, and those that depend on it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import sqrt
from typing import TYPE_CHECKING

from holdfast.core.code_analysis import CoChange
from holdfast.core.frozen import frozen

if TYPE_CHECKING:
    from holdfast.codegraph.analysis.adjacency import Adjacency
    from holdfast.core.code import CoChangedFiles
    from holdfast.store.reading import HistoryReading

# Few commits say little: as if a file had this much more weight of commits without a companion.
_DOUBT = 0.5
# The weight of dependencies beside that of commits, and of the second step of a walk beside the first.
_DEPENDENCIES, _SECOND_STEP = 0.1, 0.3
# Partners that changed together at most once by chance.
_FEWEST_COMMITS = 2


@frozen
class CodeCompanions:
    """The companions of files of one project."""

    reading: HistoryReading
    project: str

    def usual(self, paths: Sequence[str], limit: int = 10) -> tuple[CoChange, ...]:
        """Returns the files that usually change together with these, with the number and share of the commits."""
        totals = self.reading.change_counts(self.project, paths)
        found = [
            CoChange(pair.other, pair.commits, round(pair.commits / max(1, totals[pair.path][0]), 3))
            for pair in self.reading.co_changed(self.project, paths)
            if pair.other not in paths and pair.commits >= _FEWEST_COMMITS
        ]
        # A folder has several files; each partner is listed once, with the file it is closest to.
        best = {partner.path: partner for partner in sorted(found, key=lambda partner: partner.confidence)}
        ranked = sorted(best.values(), key=lambda found: (-found.confidence * found.commits, found.path))
        return tuple(ranked[:limit])

    def predict(self, path: str, graph: Adjacency) -> Mapping[str, float]:
        """Returns the files that a change of one is likely to touch, each with a score, best first."""
        totals = self.reading.change_counts(self.project, [path])
        scores = by_commits(self.reading.co_changed(self.project, [path]), totals.get(path, (0, 0.0))[1])
        for other, closeness in by_dependencies(graph, path).items():
            scores[other] = scores.get(other, 0.0) + _DEPENDENCIES * closeness
        return dict(sorted(scores.items(), key=lambda item: (-item[1], item[0])))


def by_commits(pairs: Iterable[CoChangedFiles], total: float) -> dict[str, float]:
    """Scores the partners of one file by the weight of their common commits; `total` is that of all its commits."""
    return {pair.other: pair.weight / (total + _DOUBT) for pair in pairs}


def by_dependencies(graph: Adjacency, path: str) -> dict[str, float]:
    """Scores the files within two steps of the code graph, in both directions; a file that many need scores less."""
    file = graph.by_path.get(path)
    if file is None:
        return {}
    scores: dict[int, float] = defaultdict(float)
    for near, closeness in _neighbours(graph, file.id).items():
        scores[near] += closeness
        for further, share in _neighbours(graph, near).items():
            scores[further] += _SECOND_STEP * closeness * share
    return {graph.files[id].path: score for id, score in scores.items() if id != file.id and id in graph.files}


def _neighbours(graph: Adjacency, file: int) -> dict[int, float]:
    needed = [edge.target for edge in graph.file_edges([file], reverse=False)]
    dependent = [edge.source for edge in graph.file_edges([file], reverse=True)]
    found: dict[int, float] = defaultdict(float)
    for others, reverse in ((needed, True), (dependent, False)):
        degrees = graph.edge_counts(others, reverse)
        for other in others:
            found[other] += 1 / sqrt(1 + degrees[other])
    found.pop(file, None)
    return found
