"""One table over all sets: recall as a user calls it, the best typed call, and plain hybrid search."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from bench.recall.figures import mean
from bench.recall.ours import TYPED, UNCUT
from bench.recall.plain import HYBRID
from bench.recall.pool import Scores
from bench.recall.sets import MAIN
from bench.recall.tables import OURS, is_error, side_by_side
from holdfast.bench.reports import Section

BEST = "best typed call"


def section(
    sets: Mapping[str, Mapping[str, Scores]], floors: Callable[[str], Mapping[str, float]]
) -> Iterator[Section]:
    """The main figures of every measured set, and the mean of the first figure of each."""
    columns: dict[str, dict[str, float]] = {OURS: {}, BEST: {}, HYBRID: {}}
    minimum: dict[str, float] = {}
    firsts: list[str] = []
    for name, scores in sets.items():
        title, figures = MAIN[name]
        firsts.append(f"{title}: {figures[0]}")
        for figure in figures:
            row = f"{title}: {figure}"
            columns[OURS][row] = scores[OURS][figure]
            columns[BEST][row] = _best(figure, (scores[TYPED.name][figure], scores[UNCUT.name][figure]))
            columns[HYBRID][row] = scores[HYBRID][figure]
            minimum |= {row: floors(name)[figure]} if figure in floors(name) else {}
    if firsts:
        count = f"mean of the first figure of {len(firsts)} sets"
        means = {name: {count: mean(rows[first] for first in firsts)} for name, rows in columns.items()}
        yield side_by_side("All sets", {name: {**columns[name], **means[name]} for name in columns}, minimum)


def _best(figure: str, values: tuple[float, ...]) -> float:
    return min(values) if is_error(figure) else max(values)
